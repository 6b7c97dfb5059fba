"""Nodes of an ONNX graph, made one after the other; numbers are in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class Graph:
    """Nodes and constants so far; a value is known by its name."""

    def __init__(self, onnx: Any) -> None:
        self.onnx = onnx
        self.INT64, self.DOUBLE = onnx.TensorProto.INT64, onnx.TensorProto.DOUBLE
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, *inputs: str, name: str = "", domain: str = "", **options: Any) -> str:
        """Add a node with one output, and return the output's name."""
        output = name or f"{kind.lower()}_{len(self.nodes)}"
        make = self.onnx.helper.make_node
        self.nodes.append(make(kind, list(inputs), [output], domain=domain, **options))
        return output

    def constant(self, value: npt.ArrayLike) -> str:
        """Add a constant, and return its name."""
        name = f"constant_{len(self.constants)}"
        self.constants.append(self.tensor(value, name))
        return name

    def tensor(self, value: npt.ArrayLike, name: str = "") -> Any:
        return self.onnx.numpy_helper.from_array(np.asarray(value), name)
