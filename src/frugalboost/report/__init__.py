"""A model and its predictions for some rows, as one page for a browser."""

from frugalboost.report.page import make_report, require_libraries
from frugalboost.report.subject import Subject

__all__ = ["Subject", "make_report", "require_libraries"]
