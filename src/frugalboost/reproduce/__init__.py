"""The papers' experiments, run on the data at hand and set beside the published figures.

Each paper is a folder: `experiment` runs its jobs, `published` holds its figures, `claims` judges
what it says, and `report` makes the tables and figures. A job is one fit or one bound whose result
is kept on disk, so an interrupted run continues after the last. Jobs of all papers can run in
several processes. To add a paper, write such a folder and name its class in `PAPERS`.
"""

from __future__ import annotations

from frugalboost.reproduce.archive import read_archive, write_archive
from frugalboost.reproduce.paper import Paper, Settings
from frugalboost.reproduce.papers import PAPERS, make_paper
from frugalboost.reproduce.processes import Recipe
from frugalboost.reproduce.run import FailedError, Interrupted, Run, reproduce, reproduce_all
from frugalboost.reproduce.sources import Sources
from frugalboost.reproduce.steps import Step
from frugalboost.reproduce.summary import summary_section

__all__ = [
    "PAPERS",
    "FailedError",
    "Interrupted",
    "Paper",
    "Recipe",
    "Run",
    "Settings",
    "Sources",
    "Step",
    "make_paper",
    "read_archive",
    "reproduce",
    "reproduce_all",
    "summary_section",
    "write_archive",
]
