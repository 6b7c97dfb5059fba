"""The papers by name."""

from __future__ import annotations

from pathlib import Path

from frugalboost.reproduce.adaptive_pruning import AdaptivePruning
from frugalboost.reproduce.ensemble_pruning import EnsemblePruning
from frugalboost.reproduce.filterboost import FilterBoost
from frugalboost.reproduce.gamble import Gamble
from frugalboost.reproduce.paper import Paper, Settings
from frugalboost.reproduce.quick_boost import QuickBoost
from frugalboost.reproduce.sources import Sources

PAPERS: dict[str, type[Paper]] = {
    "adaptive-pruning": AdaptivePruning,
    "quick-boost": QuickBoost,
    "filterboost": FilterBoost,
    "gamble": Gamble,
    "ensemble-pruning": EnsemblePruning,
}


def make_paper(name: str, data: Path | None = None, settings: Settings | None = None) -> Paper:
    """A paper by name, with the data of a folder; None is where `load_dataset` looks."""
    settings = settings or Settings()
    return PAPERS[name](Sources(data, is_quick=settings.quick), settings)
