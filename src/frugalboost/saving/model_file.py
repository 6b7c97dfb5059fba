"""Saving and loading fitted estimators, and a fingerprint of a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from frugalboost._checks import check_path, naming
from frugalboost._files import whole_file
from frugalboost._version import __version__
from frugalboost.active.learner import ActiveLearner
from frugalboost.boosting import Ensemble
from frugalboost.filtering.checkpoint import BROKEN
from frugalboost.filtering.checkpoint_checks import OtherWriterError
from frugalboost.filtering.classifier import FilterBoostClassifier
from frugalboost.saving.container import BrokenFileError, Section, pack, unpack
from frugalboost.saving.contents import get_value, put_value
from frugalboost.saving.kinds import KINDS, Kind, check_saved_params


def digest(model: Any) -> str:
    """SHA-256 of a model's trees, steps and classes; equal digests mean the same model.

    Parameters
    ----------
    model : fitted estimator of this library

    Returns
    -------
    str
        64 hexadecimal digits.

    Examples
    --------
    >>> import frugalboost as fb
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> quick = fb.BoostedTreesClassifier("adaboost", max_depth=1, search="quick").fit(X, y)
    >>> whole = fb.BoostedTreesClassifier("adaboost", max_depth=1, search="exhaustive").fit(X, y)
    >>> digest(quick) == digest(whole), len(digest(whole))
    (True, 64)
    """
    if not hasattr(model, "_digest_parts"):
        raise TypeError(
            f"digest: model must be a fitted estimator of frugalboost; got {type(model).__name__}."
        )
    ensemble, extra = model._digest_parts()
    return str(ensemble.digest(extra))


ARCHIVE = b"PK\x03\x04"
"""First bytes of a run's checkpoint, as of every ZIP file."""


def save(model: Any, path: Any) -> None:
    """Write a fitted estimator to a file, completely or not at all.

    An existing file is replaced and its mode kept; a symbolic link is kept, and its target is
    written. Anything but a regular file is refused. `load` returns a model with the same digest.

    Parameters
    ----------
    model : fitted estimator of this library
        Made of the library's trees; ActiveLearner has its own kind of file, see its `save`.
    path : str or path
        By convention, it ends in ``.fboost``.

    Examples
    --------
    >>> import os, tempfile
    >>> from sklearn.datasets import load_iris
    >>> import frugalboost as fb
    >>> X, y = load_iris(return_X_y=True)
    >>> model = fb.BoostedTreesClassifier(n_estimators=10).fit(X, y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fb.save(model, os.path.join(folder, "iris.fboost"))
    ...     again = fb.load(os.path.join(folder, "iris.fboost"))
    >>> fb.digest(again) == fb.digest(model)
    True
    """
    with naming("save"):
        target = check_path(path)
    content = to_bytes(model)
    try:
        with whole_file(target) as file:
            file.write(content)
    except OSError as problem:
        message = f"save: the model could not be written: {problem.strerror or problem}"
        raise OSError(problem.errno, message, str(path)) from None


def load(path: Any) -> Any:
    """Return the estimator that `save`, or ``frugalboost stream``, wrote to a file.

    No code in the file is run, everything in it is checked, and at most ten times its size is
    needed in memory, so that files from untrusted sources can be opened.

    Parameters
    ----------
    path : str or path

    Returns
    -------
    model : fitted estimator

    Examples
    --------
    >>> import os, tempfile
    >>> import frugalboost as fb
    >>> model = fb.BoostedTreesRegressor(n_estimators=3).fit([[0.0], [1.0]], [2.0, 4.0])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fb.save(model, os.path.join(folder, "two.fboost"))
    ...     again = fb.load(os.path.join(folder, "two.fboost"))
    >>> float(again.predict([[0.5]])[0])
    3.0
    """
    with naming("load"):
        source = check_path(path)
    if not source.is_file():
        kind = "is not a file" if source.exists() else "does not exist"
        raise FileNotFoundError(f"load: {source} {kind}.")
    try:
        return model_of_run(source) if is_archive(source) else from_bytes(source.read_bytes())
    except BrokenFileError as problem:
        raise ValueError(f"load: {source} must be a file written by save; {problem}.") from None


def is_archive(path: Path) -> bool:
    with open(path, "rb") as file:
        return file.read(len(ARCHIVE)) == ARCHIVE


def model_of_run(path: Path) -> Any:
    """Return the model in the checkpoint of a run, as left by ``frugalboost stream``."""
    try:
        return FilterBoostClassifier.from_checkpoint(path)
    except OtherWriterError as problem:
        raise BrokenFileError(problem.reason) from None
    except BROKEN as problem:
        reason = str(problem).rpartition(f"{path}: ")[2]
        raise BrokenFileError(f"it is a damaged checkpoint of a run ({reason:.200})") from None


def to_bytes(model: Any) -> bytes:
    """Return the content of a model's file, after a check that it can be loaded again."""
    section = Section()
    put_fitted(model, section)
    name = digest(model)
    header = {
        "version": __version__,
        "digest": name,
        "summary": summary(model),
        "model": section.notes,
    }
    header |= training(model, name)
    content = pack(header, section.arrays)
    try:
        same = digest(from_bytes(content)) == name
    except BrokenFileError as problem:
        raise ValueError(
            f"save: model must be as its fit left it; {problem}. Use pickle or joblib for such "
            "a model."
        ) from None
    if not same:
        raise ValueError(
            "save: model must load unchanged; got one that does not. Use pickle or joblib for it."
        )
    return content


def from_bytes(content: bytes) -> Any:
    """Return the model in a file's content; a `BrokenFileError` says what is wrong."""
    header, arrays = unpack(content)
    del content  # arrays are copies, so its memory is freed unless the caller keeps it
    try:
        model = get_fitted(Section(Section(header).inside("model").notes, arrays))
    except RecursionError:
        raise BrokenFileError("its header is nested too deeply") from None
    if "training" in header:
        model.training_ = Section(header).inside("training").notes
    return model


def kind_of(model: Any) -> Kind:
    """Return the kind of a fitted estimator; raise a clear error if no file can hold it."""
    if isinstance(model, ActiveLearner):
        raise TypeError(
            "save: an ActiveLearner has a session file of its own: use its method save, and "
            "ActiveLearner.load; or save its estimator_."
        )
    kind = KINDS.get(type(model).__name__)
    if kind is None or type(model) is not kind.made:
        raise TypeError(
            f"save: model must be one of {', '.join(KINDS)}; got {type(model).__name__}. Use "
            "pickle or joblib for others."
        )
    return kind


def put_fitted(model: Any, section: Section) -> None:
    """Put all of a fitted estimator into a section."""
    kind = kind_of(model)
    check_is_fitted(model)
    if getattr(model, "_committee", None) is not None:
        raise TypeError(
            f"save: {kind.name} must be made of the library's trees; got one of "
            f"{model.estimator!r}, whose code no model file holds. Use pickle or joblib."
        )
    put_params(model, section)
    for part in kind.parts:
        if hasattr(model, part.name):
            part.put(model, section)
    members = [] if kind.members is None else getattr(model, kind.members)
    for number, member in enumerate(members):
        put_fitted(member, section.inside("members").inside(str(number)))
    if kind.inner is not None:
        put_fitted(getattr(model, kind.inner), section.inside("inner"))


def get_fitted(section: Section) -> Any:
    """Return the estimator in a section."""
    kind, model = get_params(section)
    for part in kind.parts:
        part.get(model, section)
    if kind.members is not None:
        inner = section.inside("members")
        members = [get_fitted(inner.inside(str(number))) for number in range(len(inner.notes))]
        setattr(model, kind.members, members)
    if kind.inner is not None:
        setattr(model, kind.inner, get_fitted(section.inside("inner")))
    kind.check(model)
    check_saved_params(model)
    return model


def put_params(model: BaseEstimator, section: Section) -> None:
    """Put the kind and the parameters of an estimator into a section."""
    kind = kind_of(model)
    section.note("kind", kind.name)
    inner = section.inside("params")
    for name, value in model.get_params(deep=False).items():
        if isinstance(value, BaseEstimator):
            inner.note(name, {"is": "estimator"})
            put_params(value, inner.inside(name))
        else:
            put_value(inner, name, value, f"save: {kind.name}: {name}")


def get_params(section: Section) -> tuple[Kind, Any]:
    """Return the kind and estimator in a section; parameters newer than the file get defaults."""
    kind = KINDS.get(section.read_note("kind", str))
    if kind is None:
        raise BrokenFileError(
            f"it holds a {section.read_note('kind', str)[:40]!r}, which this version does not know"
        )
    inner = section.inside("params")
    known = kind.made().get_params(deep=False)
    params: dict[str, Any] = {}
    for name, value in list(inner.notes.items()):
        if name not in known:
            raise BrokenFileError(f"its {kind.name} has an unknown parameter {name[:40]!r}")
        is_estimator = isinstance(value, dict) and value.get("is") == "estimator"
        if name == "estimator" and not (is_estimator or value is None):
            raise BrokenFileError(f"the estimator of its {kind.name} is not an estimator")
        params[name] = get_params(inner.inside(name))[1] if is_estimator else get_value(inner, name)
    return kind, kind.made(**params)


def training(model: Any, name: str) -> dict[str, Any]:
    """Return how the model was trained, if recorded; a model fitted again has no such record."""
    record = getattr(model, "training_", None)
    is_its_own = isinstance(record, dict) and record.get("digest") == name
    return {"training": record} if is_its_own else {}


def summary(model: Any) -> dict[str, Any]:
    """Return what a reader of the header may want to know about the fit."""
    model = getattr(model, "ensemble_", model)
    models = getattr(model, "estimators_", []) if not hasattr(model, "ledger_") else [model]
    return {
        "rounds": max(len(each.ledger_) for each in models),
        "trees": sum(len(each._digest_parts()[0]) for each in models),
        "rows": training_rows(models[0]),
        "seconds": float(sum(each.ledger_.total("seconds") for each in models)),
    }


def training_rows(model: Any) -> int | None:
    """Return the number of training rows, if every tree has seen all of them."""
    ensemble = getattr(model, "_ensemble", None)
    if not isinstance(ensemble, Ensemble):
        return None
    seen = {int(tree.n_samples[0]) for tree in ensemble.trees}
    draws = any(
        getattr(model, name, default) != default
        for name, default in (
            ("sample_fraction", 1.0),
            ("weight_trim", None),
            ("resample", False),
            ("pruning_fraction", None),
            ("early_stopping", False),
        )
    )
    is_stream = hasattr(model, "n_examples_")
    return None if draws or is_stream or len(seen) != 1 else seen.pop()
