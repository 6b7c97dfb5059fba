"""The public functions: describe a model, convert it, and write it to a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from frugalboost._checks import check_choice, check_path, names_itself
from frugalboost._files import whole_file
from frugalboost.export.c_model import c_model
from frugalboost.export.describe import describe
from frugalboost.export.onnx_inputs import FORMS
from frugalboost.export.onnx_model import onnx_model


@names_itself
def to_onnx(model: Any, path: Any = None, *, inputs: str = "matrix") -> Any:
    """Return a fitted model as an ONNX model, to run with onnxruntime.

    It takes ``X``, doubles of shape (n, n_features), and returns ``label``, ``probabilities`` and
    ``decision``, like `predict`, `predict_proba` and `decision_function`; a regressor returns
    ``prediction``. X holds numbers as they are, NaN for missing values, and categories as their
    codes: their positions in the list under ``categories`` in the model's metadata, NaN if they
    are not in it.

    Parameters
    ----------
    model : fitted estimator of this library
        Made of the library's trees.
    path : str, path or None
        File to write as well, whole or not at all; by convention it ends in ``.onnx``.
    inputs : {"matrix", "columns"}, default="matrix"
        "columns" replaces ``X`` by an input of shape (n, 1) for each feature, under its name:
        strings for string categories (an empty string is a missing value), doubles for all others.
        Categories are given as they are, not as codes.

    Returns
    -------
    onnx.ModelProto
        With operators of ai.onnx 18 and ai.onnx.ml 5, in double precision throughout.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import frugalboost as fb
    >>> X, y = load_iris(return_X_y=True)
    >>> model = fb.BoostedTreesClassifier("real", n_estimators=10).fit(X, y)
    >>> made = fb.export.to_onnx(model)
    >>> [output.name for output in made.graph.output]
    ['label', 'probabilities', 'decision']
    """
    check_choice(inputs, FORMS, name="inputs")
    target = None if path is None else check_path(path)
    made = onnx_model(describe(model), inputs)
    if target is not None:
        write(made.SerializeToString(deterministic=True), target)
    return made


@names_itself
def to_c(model: Any, path: Any = None, prefix: str = "model") -> str:
    """Return a fitted model as a C file that needs only the C standard library.

    The file has ``PREFIX_predict``, ``PREFIX_predict_proba`` and ``PREFIX_decision``, which take an
    array of doubles: numbers as they are, NAN for missing values, and categories as their codes,
    which ``PREFIX_category`` looks up by name. Decisions equal those of the library to the bit.

    Parameters
    ----------
    model : fitted estimator of this library
        Made of the library's trees.
    path : str, path or None
        File to write as well, whole or not at all; by convention it ends in ``.c``.
    prefix : str, default="model"
        Prefix of the names in the file.

    Returns
    -------
    str
        The text of the file, in ASCII.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> import frugalboost as fb
    >>> X, y = load_iris(return_X_y=True)
    >>> model = fb.BoostedTreesClassifier("real", n_estimators=10).fit(X, y)
    >>> "int iris_predict(const double *x);" in fb.export.to_c(model, prefix="iris")
    True
    """
    target = None if path is None else check_path(path)
    text = c_model(describe(model), prefix)
    if target is not None:
        write(text.encode("ascii"), target)
    return text


def write(content: bytes, path: Path) -> None:
    """Write a file, whole or not at all."""
    try:
        with whole_file(path) as file:
            file.write(content)
    except OSError as problem:
        message = f"the model could not be written: {problem.strerror or problem}"
        raise OSError(problem.errno, message, str(path)) from None
