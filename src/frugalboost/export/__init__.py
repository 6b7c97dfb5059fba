"""Fitted models in forms that run without this library: ONNX and C."""

from frugalboost.export.writing import to_c, to_onnx

__all__ = ["to_c", "to_onnx"]
