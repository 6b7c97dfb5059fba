"""Every public name says what it takes and gives, and shows a number."""

from __future__ import annotations

import doctest
import inspect

import pytest

import frugalboost as fb

PACKAGES = (fb, fb.analysis, fb.datasets, fb.plots, fb.pruning, fb.streams)
PUBLIC = {
    f"{package.__name__}.{name}": getattr(package, name)
    for package in PACKAGES
    for name in package.__all__
    if inspect.isclass(getattr(package, name)) or inspect.isfunction(getattr(package, name))
}
PROTOCOLS = {"frugalboost.streams.Oracle"}
"""Not to be made, but to be met."""


def has_section(text: str, name: str) -> bool:
    return f"\n{name}\n{'-' * len(name)}\n" in text


def test_no_package_is_forgotten():
    packages = {name for name in fb.__all__ if inspect.ismodule(getattr(fb, name))}
    told = {package.__name__.rpartition(".")[2] for package in PACKAGES[1:]}
    # The reference is read, not called: its source is its documentation.
    assert told <= packages
    assert packages - told <= {"reference", "export"}


@pytest.mark.parametrize("name", PUBLIC)
def test_parameters_are_told(name):
    text = inspect.getdoc(PUBLIC[name]) or ""
    takes = inspect.signature(PUBLIC[name]).parameters
    is_told = has_section(text, "Parameters") or has_section(text, "Attributes")
    assert is_told or not takes or name in PROTOCOLS


@pytest.mark.parametrize("name", [name for name in PUBLIC if inspect.isfunction(PUBLIC[name])])
def test_what_a_function_gives_is_told(name):
    text = inspect.getdoc(PUBLIC[name]) or ""
    gives_nothing = inspect.signature(PUBLIC[name]).return_annotation in (None, "None")
    assert gives_nothing or has_section(text, "Returns") or has_section(text, "Yields")


@pytest.mark.parametrize("name", PUBLIC)
def test_an_example_prints_something(name):
    text = inspect.getdoc(PUBLIC[name]) or ""
    examples = doctest.DocTestParser().get_examples(text)
    assert any(example.want.strip() for example in examples)
