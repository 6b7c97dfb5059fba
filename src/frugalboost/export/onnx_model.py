"""The ONNX form of a model: trees, link, labels, and what is known about them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from frugalboost._checks import needing
from frugalboost._typing import AnyArray
from frugalboost._version import __version__
from frugalboost.export.description import Description
from frugalboost.export.onnx_graph import Graph
from frugalboost.export.onnx_inputs import column_inputs, matrix_input
from frugalboost.export.onnx_links import add_class, add_flat, add_probabilities
from frugalboost.export.onnx_trees import NO_TRANSFORM, SUM, TENSORS, tree_columns

OPSET, ML_OPSET, IR_VERSION = 18, 5, 8
"""TreeEnsemble with doubles is in version 5 of ai.onnx.ml; the other two are as old as possible."""


def require_onnx() -> Any:
    """Return onnx with the parts used here, or say how to install it."""
    with needing("onnx", 'onnx is needed; install it with pip install "frugalboost[export]".'):
        import onnx
        import onnx.helper
        import onnx.numpy_helper
    return onnx


def onnx_model(model: Description, inputs: str = "matrix") -> Any:
    """The model as an ``onnx.ModelProto``; `inputs` is one of `FORMS`."""
    onnx = require_onnx()
    helper = onnx.helper
    graph = Graph(onnx, taken=model.feature_names)
    given = column_inputs(graph, model) if inputs == "columns" else matrix_input(graph, model)
    decision = add_decision(graph, model)
    outputs = [graph.value_info(*each) for each in ends(graph, model, decision)]
    body = helper.make_graph(graph.nodes, "frugalboost", given, outputs, graph.constants)
    made = helper.make_model(
        body,
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET), helper.make_opsetid("ai.onnx.ml", ML_OPSET)],
        producer_name="frugalboost",
        producer_version=__version__,
        doc_string=summary(model, inputs),
    )
    helper.set_model_props(made, properties(model))
    onnx.checker.check_model(made)
    return made


def add_decision(graph: Graph, model: Description) -> str:
    """The sums of the trees, divided where they are means: (n, n_outputs)."""
    columns = {
        name: graph.tensor(column.astype(TENSORS[name]))
        if name in TENSORS
        else column.astype(np.int64).tolist()
        for name, column in tree_columns(model).items()
    }
    sums = graph.add(
        "TreeEnsemble",
        "X",
        domain="ai.onnx.ml",
        n_targets=model.n_outputs,
        aggregate_function=SUM,
        post_transform=NO_TRANSFORM,
        **columns,
    )
    return graph.add("Div", sums, graph.constant(model.divisors)) if model.is_divided else sums


def ends(graph: Graph, model: Description, decision: str) -> list[tuple[str, Any, Any]]:
    """Add what follows the decision; return the name, type and shape of each output."""
    types = graph.onnx.TensorProto
    if model.classes is None:
        return [(add_flat(graph, decision, "prediction"), types.DOUBLE, ["n"])]
    labels = graph.constant(label_array(model.classes))
    kind = graph.constants[-1].data_type
    graph.add("Gather", labels, add_class(graph, model, decision), name="label")
    graph.add("Identity", add_probabilities(graph, model, decision), name="probabilities")
    shape: list[Any] = ["n", model.n_outputs]
    if model.n_outputs == 1:
        add_flat(graph, decision, "decision")
        shape = ["n"]
    else:
        graph.add("Identity", decision, name="decision")
    return [
        ("label", kind, ["n"]),
        ("probabilities", types.DOUBLE, ["n", len(model.classes)]),
        ("decision", types.DOUBLE, shape),
    ]


def label_array(classes: AnyArray) -> AnyArray:
    """The classes in a type that ONNX knows: strings, integers, floats or booleans."""
    items = classes.tolist()
    for kind, dtype in ((str, object), (bool, bool), (int, np.int64), (float, np.float64)):
        if all(type(item) is kind for item in items):
            return np.array(items, dtype=dtype)
    raise TypeError(
        "classes of an ONNX model must be all strings, integers, floats or booleans; "
        f"got {items!r}."
    )


TAKES = {
    "matrix": "X: numbers as they are, categories as their codes, NaN where missing.",
    "columns": "Columns by name: numbers, NaN where missing; texts, empty where missing.",
}


def summary(model: Description, inputs: str) -> str:
    made = f"{model.estimator} ({model.rule}) of frugalboost {__version__}"
    return f"{made}, {len(model.trees)} trees. {TAKES[inputs]}"


def properties(model: Description) -> dict[str, str]:
    """What is known about the model, as strings; lists as JSON."""
    coded = {
        name: model.category_texts(feature)
        for feature, name in enumerate(model.feature_names)
        if model.categories[feature] is not None
    }
    return {
        "frugalboost_version": __version__,
        "digest": model.digest,
        "estimator": model.estimator,
        "rule": model.rule,
        "feature_names": json.dumps(model.feature_names),
        "categories": json.dumps(coded),
        "classes": json.dumps(model.class_texts()),
    }
