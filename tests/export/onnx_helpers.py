"""ONNX models as functions of rows."""

from __future__ import annotations

import pytest

from frugalboost.export import to_onnx


def session_of(model, n_threads=1, **params):
    """The exported model in onnxruntime."""
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    options = runtime.SessionOptions()
    options.intra_op_num_threads = n_threads
    content = to_onnx(model, **params).SerializeToString()
    return runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])


def run(session, X):
    """Outputs by name, for a table."""
    return outputs_of(session, {"X": X})


def outputs_of(session, inputs):
    """Outputs by name."""
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(names, inputs), strict=True))
