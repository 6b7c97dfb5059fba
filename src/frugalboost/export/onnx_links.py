"""From decisions to labels and probabilities, as nodes of an ONNX graph.

Decisions are (n, 1) for two classes, else (n, K).
"""

from __future__ import annotations

from collections.abc import Callable

from frugalboost.export.description import Description, LinkForm
from frugalboost.export.onnx_graph import Graph


def add_class(graph: Graph, model: Description, decision: str) -> str:
    """Number of the class that `predict` returns, (n,); ties go to the lowest."""
    if model.n_outputs > 1:
        return graph.add("ArgMax", decision, axis=1, keepdims=0)
    is_second = graph.add("Greater", decision, graph.constant(0.0))
    return graph.add("Cast", add_flat(graph, is_second), to=graph.INT64)


def add_flat(graph: Graph, column: str, name: str = "") -> str:
    """(n, 1) as (n,)."""
    return graph.add("Reshape", column, graph.constant([-1]), name=name)


def add_probabilities(graph: Graph, model: Description, decision: str) -> str:
    """Probabilities, (n, K)."""
    scaled = graph.add("Mul", decision, graph.constant(model.scale))
    return LINKS[model.link](graph, scaled)


def logistic(graph: Graph, scaled: str) -> str:
    """``1 / (1 + exp(-d))``.

    Not ONNX's Sigmoid: for negative numbers, onnxruntime computes it as a difference from 1, so
    small values, which may be the only ones to compare, would have no significant digits.
    """
    size = graph.add("Exp", graph.add("Neg", scaled))
    return graph.add("Reciprocal", graph.add("Add", size, graph.constant(1.0)))


def sigmoid(graph: Graph, scaled: str) -> str:
    other = graph.add("Neg", scaled)
    return beside(graph, logistic(graph, other), logistic(graph, scaled))


def share(graph: Graph, scaled: str) -> str:
    other = graph.add("Neg", scaled)
    return beside(graph, half(graph, other), half(graph, scaled))


def softmax(graph: Graph, scaled: str) -> str:
    return graph.add("Softmax", scaled, axis=1)


def one_against_rest(graph: Graph, scaled: str) -> str:
    """The softmax of ``log(1 / (1 + exp(-d))) = min(d, 0) - log(1 + exp(-|d|))``."""
    size = graph.add("Exp", graph.add("Neg", graph.add("Abs", scaled)))
    rest = graph.add("Log", graph.add("Add", size, graph.constant(1.0)))
    return softmax(graph, graph.add("Sub", graph.add("Min", scaled, graph.constant(0.0)), rest))


def shares(graph: Graph, scaled: str) -> str:
    return scaled


def sigmoids(graph: Graph, scaled: str) -> str:
    return normalised(graph, logistic(graph, scaled), scaled)


def halves(graph: Graph, scaled: str) -> str:
    return normalised(graph, half(graph, scaled), scaled)


def half(graph: Graph, scaled: str) -> str:
    """``(1 + d) / 2``."""
    more = graph.add("Add", scaled, graph.constant(1.0))
    return graph.add("Div", more, graph.constant(2.0))


def beside(graph: Graph, first: str, second: str) -> str:
    return graph.add("Concat", first, second, axis=1)


def normalised(graph: Graph, sizes: str, scaled: str) -> str:
    """Rows divided by their sums; where all sizes are 0, the largest decision gets 1."""
    columns = graph.constant([1])
    top = graph.add("ReduceMax", sizes, columns, keepdims=1)
    is_all_zero = graph.add("Equal", top, graph.constant(0.0))
    best = graph.add("ArgMax", scaled, axis=1, keepdims=0)
    n_classes = graph.add("Gather", graph.add("Shape", scaled), graph.constant(1))
    alone = graph.add("OneHot", best, n_classes, graph.constant([0, 1]))
    alone = graph.add("Cast", alone, to=graph.DOUBLE)
    kept = graph.add("Where", is_all_zero, alone, sizes)
    return graph.add("Div", kept, graph.add("ReduceSum", kept, columns, keepdims=1))


LINKS: dict[LinkForm, Callable[[Graph, str], str]] = {
    "sigmoid": sigmoid,
    "share": share,
    "softmax": softmax,
    "one_against_rest": one_against_rest,
    "shares": shares,
    "sigmoids": sigmoids,
    "halves": halves,
}
