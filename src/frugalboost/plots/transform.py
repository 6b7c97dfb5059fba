"""What GAMBLE makes of a regression (GAMBLE, figure 1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from frugalboost._checks import check_int
from frugalboost._typing import Floats
from frugalboost.plots._checks import check_curves, check_numbers
from frugalboost.plots._lines import LinesDisplay


class TransformDisplay(LinesDisplay):
    """What a class gets from a leaf, against the leaf's mean code for that class.

    Parameters
    ----------
    curves : dict of name to a pair of (n,) mean codes ``g`` and (n,) values ``r``; n may differ

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    lines_ : dict of name to line, after `plot`
    legend_ : legend, after `plot`; None for a single line

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> display = TransformDisplay.from_classes([2, 3], n_points=3)
    >>> display.curves["K = 3"]
    (array([-0.5 ,  0.25,  1.  ]), array([-6. ,  1.2,  3. ]))
    >>> display.plot(ax=Figure().subplots()).lines_["K = 2"].get_ydata()
    array([-2.,  0.,  2.])
    """

    def __init__(self, curves: Mapping[str, Any]) -> None:
        self.curves = check_curves(curves, "means", "values", check_numbers)

    @classmethod
    def from_classes(
        cls, n_classes: Iterable[int] = (2, 3, 5, 10), n_points: int = 201
    ) -> TransformDisplay:
        """Compute GAMBLE's transform over all means that codes can have.

        Parameters
        ----------
        n_classes : numbers of classes, a line for each
        n_points : int, default=201
            Points of a line.
        """
        check_int(n_points, name="n_points", low=2)
        numbers = [check_int(each, name="n_classes", low=2) for each in n_classes]
        return cls({f"K = {each}": transform(each, n_points) for each in numbers})

    def _points(self) -> dict[str, tuple[Floats, Floats]]:
        return self.curves

    def _axes(self) -> dict[str, Any]:
        return {"xlabel": "regression g", "ylabel": "weak learner r, not yet centred"}


def transform(n_classes: int, n_points: int) -> tuple[Floats, Floats]:
    """``r = K (K - 1) g / ((K - 2) g + 1)`` from ``g = -1 / (K - 1)`` to 1: Algorithm 2, step b."""
    K = n_classes
    means = np.linspace(-1 / (K - 1), 1.0, n_points)
    return means, K * (K - 1) * means / ((K - 2) * means + 1)
