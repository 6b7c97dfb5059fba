"""`frugalboost label`: a person labels rows in a terminal, or a script does by lines.

From the outside in: `command` reads options, `desk` opens what they name, `terminal` (with
`keyboard`, `keys`, `screen`, `image`) or `lines` takes answers, `session` keeps them and asks.
"""
