"""Inputs of an ONNX model: one table of numbers, or the columns of a data frame as they are."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from frugalboost._typing import AnyArray
from frugalboost.export.description import Description
from frugalboost.export.onnx_graph import Graph

FORMS = ("matrix", "columns")
OUTPUTS = ("label", "probabilities", "decision", "prediction")


def matrix_input(graph: Graph, model: Description) -> list[Any]:
    """X itself, with categories as codes."""
    return [graph.value_info("X", graph.DOUBLE, ["n", model.n_features])]


def column_inputs(graph: Graph, model: Description) -> list[Any]:
    """An input for each feature, under its name; X is assembled from them."""
    check_input_names(model.feature_names)
    inputs, columns = [], []
    for name, known in zip(model.feature_names, model.categories, strict=True):
        keys = None if known is None else category_keys(known, name)
        is_text = keys is not None and keys.dtype == object
        inputs.append(graph.value_info(name, graph.STRING if is_text else graph.DOUBLE, ["n", 1]))
        columns.append(name if keys is None else add_codes(graph, name, keys))
    graph.add("Concat", *columns, name="X", axis=1)
    return inputs


def add_codes(graph: Graph, column: str, keys: AnyArray) -> str:
    """The position of each value among the keys, NaN if it is not one of them."""
    return graph.add(
        "LabelEncoder",
        column,
        domain="ai.onnx.ml",
        keys_tensor=graph.tensor(keys),
        values_tensor=graph.tensor(np.arange(len(keys), dtype=np.float64)),
        default_tensor=graph.tensor([np.nan]),
    )


def category_keys(known: AnyArray, name: str) -> AnyArray:
    """Categories in a type that ONNX can look up: strings, or numbers as doubles."""
    items = known.tolist()
    if all(isinstance(item, str) for item in items):
        return np.array(items, dtype=object)
    if all(isinstance(item, (bool, int, float)) for item in items):
        return np.array(items, dtype=np.float64)
    raise TypeError(
        "categories must be all strings or all numbers for inputs='columns'; those of "
        f"column {name!r} are not: use inputs='matrix', which takes codes."
    )


def check_input_names(names: list[str]) -> None:
    """Require distinct names of inputs, none of them that of an output."""
    for name, times in Counter(names).items():
        if times > 1 or not name or name in (*OUTPUTS, "X"):
            raise ValueError(
                "names of features must be distinct, not empty, and not one of X, "
                f"{', '.join(OUTPUTS)} for inputs='columns'; got {name!r}."
            )
