"""Active learning: which rows to ask about, the loop of questions and answers, and a file that
keeps every answer.
"""

from frugalboost.active.answers import Answers, is_skip, label_array, plain_label
from frugalboost.active.batches import (
    best_first,
    first_free,
    leaf_distances,
    score_distances,
    spread,
)
from frugalboost.active.fingerprint import fingerprint
from frugalboost.active.journal import Journal
from frugalboost.active.labelers import Labeler
from frugalboost.active.log import Log
from frugalboost.active.loop import Questions, run
from frugalboost.active.pool import draws, portion, score_in_blocks
from frugalboost.active.replay import Answer, Entry, Replay, replay
from frugalboost.active.stopping import BatchEntry, Limits, StopReason
from frugalboost.active.utilities import UTILITIES, count_votes, explain

__all__ = [
    "UTILITIES",
    "Answer",
    "Answers",
    "BatchEntry",
    "Entry",
    "Journal",
    "Labeler",
    "Limits",
    "Log",
    "Questions",
    "Replay",
    "StopReason",
    "best_first",
    "count_votes",
    "draws",
    "explain",
    "fingerprint",
    "first_free",
    "is_skip",
    "label_array",
    "leaf_distances",
    "plain_label",
    "portion",
    "replay",
    "run",
    "score_distances",
    "score_in_blocks",
    "spread",
]
