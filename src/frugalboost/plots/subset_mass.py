"""How fast the weight gathers in the heaviest rows (Quick Boost, figure 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from frugalboost._typing import Floats
from frugalboost.analysis import fitted_rounds, subset_mass
from frugalboost.data import BinnedDataset
from frugalboost.plots._checks import check_lines, check_named, check_numbers
from frugalboost.plots._lines import LinesDisplay


class SubsetMassDisplay(LinesDisplay):
    """Share of the weight against the share of the rows that hold it, the heaviest first.

    Parameters
    ----------
    shares : (n_shares,) shares of the rows, ``m / n``
    masses : dict of name to (n_shares,) shares of the weight, ``Z_m / Z``

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = SubsetMassDisplay([0.0, 0.5, 1.0], {"adaboost": [0.0, 0.9, 1.0]})
    >>> display.plot(ax=Figure().subplots()).lines_["adaboost"].get_ydata()
    array([0. , 0.9, 1. ])
    """

    def __init__(self, shares: Any, masses: Mapping[str, Any]) -> None:
        self.shares = check_numbers(shares, name="shares")
        n = len(self.shares)
        self.masses = check_lines(masses, n, name="masses", like="shares")

    @classmethod
    def from_estimators(
        cls,
        models: Mapping[str, Any],
        dataset: BinnedDataset,
        X: Any,
        y: Any,
        shares: Any = None,
        numbers: Iterable[int] | None = None,
        sample_weight: Any = None,
    ) -> SubsetMassDisplay:
        """Average `analysis.subset_mass` over the rounds of fitted classifiers.

        Parameters
        ----------
        models : dict of name to fitted classifier, as `analysis.fitted_rounds` takes it
        dataset, X, y, sample_weight : what all of them were fitted to, as in `fitted_rounds`
        shares : shares of the rows; None: 0, 0.01, ... 1
        numbers : rounds to average over, counted from 1 and ascending; None: all
        """
        named = check_named(models, name="models", of="fitted classifiers")
        parts = np.linspace(0.0, 1.0, 101) if shares is None else shares
        wanted = None if numbers is None else list(numbers)
        if wanted is not None and not wanted:
            raise ValueError(f"numbers must be None or at least one round; got {wanted}.")

        def average(model: Any) -> Floats:
            rounds = fitted_rounds(model, dataset, X, y, wanted, sample_weight)
            return np.asarray(np.mean([subset_mass(r.weights, parts) for r in rounds], axis=0))

        return cls(parts, {name: average(model) for name, model in named.items()})

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return {name: (self.shares, line) for name, line in self.masses.items()}

    def _axes(self) -> dict[str, Any]:
        return {
            "xlabel": "share of the rows, heaviest first (m / n)",
            "ylabel": "share of the weight (Z_m / Z)",
        }
