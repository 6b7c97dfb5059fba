"""One tree as boxes and edges."""

from __future__ import annotations

from typing import Any, NamedTuple

from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import NamesItself, check_int
from frugalboost.plots._axes import COLOURS, open_axes, plain
from frugalboost.plots._checks import check_flat

MOST_CATEGORIES = 3
"""Named in a box; the others are counted."""


class DrawnNode(NamedTuple):
    """A node, its position and its text.

    Attributes
    ----------
    text : str
    x, y : position in units of boxes: leaves are side by side, y is minus the depth
    children : the nodes on the left and on the right; none at a leaf or at `max_depth`
    """

    text: str
    x: float
    y: float
    children: tuple[int, ...]


class TreeDisplay(NamesItself):
    """A tree, drawn from its root down; where a condition holds, rows go left.

    Parameters
    ----------
    tree : FlatTree, as in ``model.estimators_``
    feature_names : names of all features, or None
    categories : for each feature its categories, or None where it has none; or None
    class_names : the classes that the numbers of a leaf belong to, or None
    max_depth : int
        Nodes deeper than this are not drawn; the box above them holds an ellipsis.

    Attributes
    ----------
    figure_, ax_ : matplotlib's figure and axes, after `plot`
    boxes_ : dict of node number to text, after `plot`
    edges_ : dict of a pair of node numbers, parent and child, to line, after `plot`

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from frugalboost import BoostedTreesClassifier
    >>> X, y = load_iris(as_frame=True, return_X_y=True)
    >>> model = BoostedTreesClassifier("adaboost", n_estimators=1, max_depth=1).fit(X, y)
    >>> display = TreeDisplay.from_estimator(model)
    >>> print(display.nodes[0].text)
    petal length (cm)
    ≤ 2.45
    150 rows
    """

    def __init__(
        self,
        tree: Any,
        feature_names: Any = None,
        categories: Any = None,
        class_names: Any = None,
        max_depth: int = 4,
    ) -> None:
        self.tree = tree
        self.feature_names = feature_names
        self.categories = categories
        self.class_names = class_names
        self.max_depth = check_int(max_depth, name="max_depth", low=0)
        self.nodes: dict[int, DrawnNode] = {}
        self._n_placed = 0
        self._place(0, 0)

    @classmethod
    def from_estimator(cls, model: Any, number: int = 0, max_depth: int = 4) -> TreeDisplay:
        """Take a tree of a fitted model.

        Parameters
        ----------
        model : fitted model made of the library's trees
        number : which tree, counted from 0
        max_depth : as in the class
        """
        check_is_fitted(model)
        check_flat(model)
        trees = model.estimators_
        at = check_int(number, name="number", low=0, high=len(trees) - 1)
        classes = getattr(model, "classes_", None)
        several = classes is not None and len(classes) > 2
        return cls(
            trees[at],
            getattr(model, "feature_names_in_", None),
            model._schema.categories,
            [str(label) for label in classes] if several and classes is not None else None,
            max_depth,
        )

    def _place(self, node: int, depth: int) -> float:
        """Place a node and all below it; return its x."""
        tree = self.tree
        children: tuple[int, ...] = ()
        if tree.feature[node] < 0 or depth == self.max_depth:
            x = float(self._n_placed)
            self._n_placed += 1
        else:
            children = (int(tree.left[node]), int(tree.right[node]))
            x = sum(self._place(child, depth + 1) for child in children) / 2
        self.nodes[node] = DrawnNode(self._text(node, bool(children)), x, float(-depth), children)
        return x

    def _text(self, node: int, has_children: bool) -> str:
        rows = f"{self.tree.n_samples[node]:,} rows"
        if self.tree.feature[node] < 0:
            return "\n".join([*self._leaf_lines(node), rows])
        if not has_children:
            return f"\N{HORIZONTAL ELLIPSIS}\n{rows}"
        return "\n".join([self._name(node), self._condition(node), rows])

    def _leaf_lines(self, node: int) -> list[str]:
        values = self.tree.value[node].tolist()
        if self.class_names is None or len(values) == 1:
            return [" ".join(f"{value:+.3g}" for value in values)]
        # With several classes, the one that the leaf favours most.
        best = max(range(len(values)), key=values.__getitem__)
        return [plain(self.class_names[best]), f"{values[best]:+.3g}"]

    def _name(self, node: int) -> str:
        feature = int(self.tree.feature[node])
        named = self.feature_names is not None
        return plain(str(self.feature_names[feature])) if named else f"feature {feature}"

    def _condition(self, node: int) -> str:
        tree = self.tree
        missing = " or missing" if tree.missing_left[node] else ""
        if tree.category_start[node] < 0:
            return f"\N{LESS-THAN OR EQUAL TO} {tree.threshold[node]:.6g}{missing}"
        start, n = int(tree.category_start[node]), int(tree.n_categories[node])
        words = tree.category_words.tolist()
        codes = [code for code in range(n) if words[start + code // 64] >> code % 64 & 1]
        return f"in {{{self._categories(int(tree.feature[node]), codes)}}}{missing}"

    def _categories(self, feature: int, codes: list[int]) -> str:
        known = None if self.categories is None else self.categories[feature]
        shown = [
            str(code) if known is None else plain(str(known[code]))
            for code in codes[:MOST_CATEGORIES]
        ]
        more = len(codes) - len(shown)
        return ", ".join([*shown, f"{more} more"] if more else shown)

    def plot(self, ax: Any = None, **kwargs: Any) -> TreeDisplay:
        """Draw the tree.

        Parameters
        ----------
        ax : matplotlib axes; None: a new figure's, wide enough for the boxes
        **kwargs : properties of every text, as for ``ax.text``

        Returns
        -------
        self
        """
        self.figure_, self.ax_ = open_axes(ax)
        n_levels = 1 + int(-min(node.y for node in self.nodes.values()))
        if ax is None:
            self.figure_.set_size_inches(max(4.0, 1.3 * self._n_placed), max(2.0, 1.1 * n_levels))
        self.edges_, self.boxes_ = {}, {}
        for number, node in self.nodes.items():
            for child in node.children:
                below = self.nodes[child]
                (self.edges_[number, child],) = self.ax_.plot(
                    [node.x, below.x], [node.y, below.y], color="grey", linewidth=1.0, zorder=1
                )
            is_leaf = self.tree.feature[number] < 0
            edge = COLOURS[0] if node.children else COLOURS[5] if is_leaf else "grey"
            box = {
                "boxstyle": "round" if node.children else "square",
                "facecolor": "white",
                "edgecolor": edge,
                "linewidth": 1.5,
            }
            style = {"ha": "center", "va": "center", "fontsize": 8, "bbox": box, **kwargs}
            self.boxes_[number] = self.ax_.text(node.x, node.y, node.text, **style)
        self.ax_.set(
            xlim=(-0.6, self._n_placed - 0.4),
            ylim=(0.5 - n_levels, 0.5),
            xlabel="rows for which the condition of a box holds go left",
            ylabel="depth",
            xticks=[],
        )
        self.ax_.set_yticks([-level for level in range(n_levels)], range(n_levels))
        for spine in self.ax_.spines.values():
            spine.set_visible(False)
        return self
