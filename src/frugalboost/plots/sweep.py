"""Cost of the quick search by its two parameters (Quick Boost, figure 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from frugalboost._checks import NamesItself
from frugalboost.analysis import QuickSweep, quick_sweep
from frugalboost.plots._axes import open_axes, write_cells

BEST_COLOUR = "#D55E00"
"""Stands out from every colour of the map, which runs from blue to yellow."""


class QuickSweepDisplay(NamesItself):
    """A heat map of the work of the quick search, with the cheapest cell framed.

    Parameters
    ----------
    sweep : QuickSweep, as `analysis.quick_sweep` returns it; its `with_bounds` for the cost that
        includes the bounds

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    image_ : heat map, after `plot`; a row for each mass, a column for each number of steps
    text_ : (n_masses, n_steps) array of texts, after `plot`
    frame_ : frame of the best cell, after `plot`
    colorbar_ : colour bar, after `plot`; None without one

    Examples
    --------
    >>> import numpy as np
    >>> from matplotlib.figure import Figure
    >>> sweep = QuickSweep(np.array([0.5, 0.9]), np.array([20]), np.array([[0.4], [0.25]]))
    >>> display = QuickSweepDisplay(sweep).plot(ax=Figure().subplots())
    >>> [text.get_text() for text in display.text_.ravel()]
    ['0.400', '0.250']
    """

    def __init__(self, sweep: QuickSweep) -> None:
        if not isinstance(sweep, QuickSweep):
            raise TypeError(f"sweep must be a QuickSweep; got {sweep!r}.")
        self.sweep = sweep

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any,
        masses: Iterable[float],
        steps: Iterable[int],
        sample_weight: Any = None,
        on_fit: Callable[[float, int], object] | None = None,
    ) -> QuickSweepDisplay:
        """Fit copies of `model`; all parameters are those of `analysis.quick_sweep`."""
        return cls(quick_sweep(model, X, y, masses, steps, sample_weight, on_fit))

    def plot(
        self,
        ax: Any = None,
        *,
        values_format: str = ".3f",
        colorbar: bool = True,
        **kwargs: Any,
    ) -> QuickSweepDisplay:
        """Draw the map.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's
        values_format : format of the numbers in the cells
        colorbar : whether to draw one
        **kwargs : properties of the map, as for ``ax.imshow``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        options = {"cmap": "cividis", "aspect": "auto", **kwargs}
        self.image_ = self.ax_.imshow(self.sweep.shares, **options)
        self.text_ = write_cells(self.ax_, self.image_, self.sweep.shares, values_format)
        self.frame_ = self._frame_best()
        bar = "cost, as a share of the exhaustive search's"
        self.colorbar_ = (
            self.figure_.colorbar(self.image_, ax=self.ax_, label=bar) if colorbar else None
        )
        self._name_cells()
        return self

    def _frame_best(self) -> Any:
        from matplotlib.patches import Rectangle

        row, column = np.unravel_index(self.sweep.shares.argmin(), self.sweep.shares.shape)
        corner = (float(column) - 0.5, float(row) - 0.5)
        frame = Rectangle(corner, 1, 1, fill=False, edgecolor=BEST_COLOUR, linewidth=3)
        return self.ax_.add_patch(frame)

    def _name_cells(self) -> None:
        masses, steps = self.sweep.masses, self.sweep.steps
        self.ax_.set_xticks(range(len(steps)), labels=[str(n_steps) for n_steps in steps])
        self.ax_.set_yticks(range(len(masses)), labels=[f"{mass:g}" for mass in masses])
        self.ax_.set(xlabel="subsets (quick_steps)", ylabel="first share (quick_mass)")
