"""Tables in files of every format: CSV, Parquet, Arrow, LIBSVM and NPZ.

Commands, oracles, labelling and data sets read files through this package. `formats` has the
suffixes, `opening` the one function that opens a path, `table` what an open file can do.
"""

from frugalboost.tables.opening import open_table

__all__ = ["open_table"]
