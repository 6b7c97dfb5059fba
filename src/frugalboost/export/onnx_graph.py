"""An ONNX graph, built node by node; numbers are in double precision."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt


class Graph:
    """Nodes and constants so far; values are identified by name, and no name is in `taken`."""

    def __init__(self, onnx: Any, taken: Iterable[str] = ()) -> None:
        self.onnx = onnx
        types = onnx.TensorProto
        self.INT64, self.DOUBLE, self.STRING = types.INT64, types.DOUBLE, types.STRING
        self._taken = frozenset(taken)
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, *inputs: str, name: str = "", domain: str = "", **options: Any) -> str:
        """Add a node with one output, and return the output's name."""
        output = name or self._free(f"{kind.lower()}_{len(self.nodes)}")
        make = self.onnx.helper.make_node
        self.nodes.append(make(kind, list(inputs), [output], domain=domain, **options))
        return output

    def constant(self, value: npt.ArrayLike) -> str:
        """Add a constant, and return its name."""
        name = self._free(f"constant_{len(self.constants)}")
        self.constants.append(self.tensor(value, name))
        return name

    def tensor(self, value: npt.ArrayLike, name: str = "") -> Any:
        return self.onnx.numpy_helper.from_array(np.asarray(value), name)

    def value_info(self, name: str, kind: int, shape: list[Any]) -> Any:
        """An input or an output of the graph."""
        return self.onnx.helper.make_tensor_value_info(name, kind, shape)

    def _free(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        return name
