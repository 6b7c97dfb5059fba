from __future__ import annotations

import numpy as np
import pytest

from frugalboost._checks import check_bool, check_choice, check_int, check_real


def test_choice_returns_the_option():
    assert check_choice("quick", ("quick", "auto"), name="search") == "quick"


@pytest.mark.parametrize("value", ["fast", None, 3, ["quick"]])
def test_choice_names_owner_parameter_options_and_value(value):
    with pytest.raises(ValueError, match="search") as caught:
        check_choice(value, ("quick", "auto"), name="search")
    expected = f"search must be one of 'auto', 'quick'; got {value!r}."
    assert str(caught.value) == expected


@pytest.mark.parametrize("value", [2, 5, np.int8(3), np.uint64(4)])
def test_int_accepts_integers_within_both_ends(value):
    result = check_int(value, name="depth", low=2, high=5)
    assert result == value
    assert type(result) is int


@pytest.mark.parametrize(
    ("limits", "value", "text"),
    [
        ({"low": 2, "high": 5}, 6, "from 2 to 5; got 6."),
        ({"low": 2, "high": 5}, 1, "from 2 to 5; got 1."),
        ({"low": 1}, 0, "an integer >= 1; got 0."),
        ({"high": 1}, 2, "an integer <= 1; got 2."),
    ],
)
def test_int_out_of_range(limits, value, text):
    with pytest.raises(ValueError, match="depth") as caught:
        check_int(value, name="depth", **limits)
    assert str(caught.value).startswith("depth must be")
    assert str(caught.value).endswith(text)


@pytest.mark.parametrize("value", [2.0, "2", None, True, np.bool_(True)])
def test_int_of_another_type(value):
    with pytest.raises(TypeError, match="depth must be an integer; got"):
        check_int(value, name="depth")


@pytest.mark.parametrize(
    ("closed", "accepted"),
    [("both", {0, 1}), ("left", {0}), ("right", {1}), ("neither", set())],
)
def test_real_ends(closed, accepted):
    for end in (0, 1):
        if end in accepted:
            assert check_real(end, name="x", low=0, high=1, closed=closed) == end
        else:
            with pytest.raises(ValueError, match="x must be a finite number in"):
                check_real(end, name="x", low=0, high=1, closed=closed)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, -1e-300])
def test_real_refuses_what_is_not_finite_and_in_range(value):
    with pytest.raises(ValueError, match="rate") as caught:
        check_real(value, name="rate", low=0.0)
    assert str(caught.value) == (f"rate must be a finite number in [0.0, inf); got {value!r}.")


@pytest.mark.parametrize("value", ["1", None, True, 1j])
def test_real_of_another_type(value):
    with pytest.raises(TypeError, match="rate must be a finite number"):
        check_real(value, name="rate")


def test_bool():
    assert check_bool(np.True_, name="warm_start") is True
    with pytest.raises(TypeError, match=r"warm_start must be True or False; got 1\."):
        check_bool(1, name="warm_start")
