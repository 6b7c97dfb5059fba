"""Data files of every kind behind one face: columns by name, whole or in blocks of rows."""

from frugalboost.cli.tables.opening import ENDINGS, open_table
from frugalboost.cli.tables.table import Kind, Rows, TableFile

__all__ = ["ENDINGS", "Kind", "Rows", "TableFile", "open_table"]
