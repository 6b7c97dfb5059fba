"""`frugalboost label`: label rows at a terminal, or with lines from a script.

From the outside in: `command` reads the options, `run` opens what they name, `screen` (a person) or
`lines` (a script) takes the answers, `session` chooses questions and keeps answers.
"""
