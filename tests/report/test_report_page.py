"""The templates: every text is shown as text, and none is left out."""

from __future__ import annotations

from html import unescape
from importlib import resources

import pytest

pytest.importorskip("jinja2")

from jinja2 import UndefinedError

from frugalboost.report.page import _templates, render_page
from frugalboost.report.section import Figure, Section, Table

HOSTILE = "</style><script>alert('1')</script>\"&{{ 1 }}"
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><text>&lt;b&gt;</text></svg>'


def page_of(text, svg=SVG):
    """A page with the text wherever one may come from a file."""
    table = Table(text, ["feature", text], [[text, text]])
    section = Section("one", text, [text], [table, Table(text, [], [[text, text]])])
    figures = Section("two", text, figures=[Figure(text, svg), Figure(text, svg, is_wide=True)])
    return render_page(text, [text], [section, figures])


def test_no_text_becomes_markup():
    page, plain = page_of(HOSTILE), page_of("plain")
    assert "<script" not in page
    assert page.count("<") == plain.count("<")
    assert page.count('"') == plain.count('"')
    assert unescape(page).count(HOSTILE) == plain.count("plain") == 19


def test_control_characters_are_shown():
    page = page_of("a\x00b\x1b[2J\u202ec")
    assert r"a\x00b\x1b[2J\u202ec" in page
    assert not {"\x00", "\x1b", "\u202e"} & set(page)


def test_drawings_stay_as_they_are():
    assert page_of("text").count(SVG) == 2


def test_long_names_are_cut():
    table = Table("Features", ["feature", "n" * 10**6], [["n" * 10**6, "v" * 10**6]])
    page = render_page("title", [], [Section("features", "Features", tables=[table])])
    empty = render_page("title", [], [Section("features", "Features")])
    assert len(page) < len(empty) + 2000


def test_a_value_that_a_template_lacks_is_an_error():
    with pytest.raises(UndefinedError):
        _templates().from_string("{{ nothing }}").render()


def test_the_templates_are_files_of_the_package():
    names = {each.name for each in (resources.files("frugalboost.report") / "templates").iterdir()}
    assert names == {"page.html", "parts.html", "style.css"}
