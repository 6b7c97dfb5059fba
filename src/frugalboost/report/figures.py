"""Displays as SVG elements for a page: they follow its colours, and their ids do not clash."""

from __future__ import annotations

import io
import warnings
from typing import Any
from xml.etree import ElementTree

from frugalboost.report.section import Figure

SVG, LINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
SIZE = (5.0, 3.4)
"""Inches: on a phone a point is about a pixel, so that the text can be read."""

# These colours are replaced by those of the page, light or dark.
COLOURS = {
    "#000000": "currentColor",
    "#ffffff": "var(--paper)",
    "#d3d3d3": "var(--bar)",
    "#808080": "var(--faint)",
}
SETTINGS: Any = {
    "svg.fonttype": "none",  # text, not outlines: a tenth of the bytes, and it can be searched
    "font.size": 10.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.xmargin": 0.02,
    "legend.framealpha": 0.8,
}
FONT = "system-ui, sans-serif"
MISSING_GLYPH = r"Glyph \d+ |Matplotlib currently does not support"
"""Warnings about matplotlib's own font; the text is drawn by the browser, which has others."""


def draw(
    display: Any,
    name: str,
    caption: str,
    size: tuple[float, float] = SIZE,
    **options: Any,
) -> Figure:
    """Draw a display on a new figure; `options` are passed to its `plot`."""
    import matplotlib
    from matplotlib.figure import Figure as Canvas

    # With the salt, equal numbers give equal pages.
    with matplotlib.rc_context({**SETTINGS, "svg.hashsalt": name}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", MISSING_GLYPH, UserWarning)
        figure = Canvas(figsize=size, layout="constrained")
        display.plot(ax=figure.subplots(), **options)
        text = io.StringIO()
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return Figure(caption, fit_page(text.getvalue(), name, caption), size[0] > SIZE[0])


def fit_page(text: str, name: str, caption: str) -> str:
    """An SVG file as an element of a page, which sets its width and colours."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", LINK)
    root = ElementTree.fromstring(text)
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    for attribute in ("width", "height"):
        root.attrib.pop(attribute, None)
    for element in root.iter():
        for attribute, value in element.attrib.items():
            element.set(attribute, adapted(attribute, value, name))
    root.set("role", "img")
    root.set("aria-label", caption)
    return ElementTree.tostring(root, encoding="unicode")


def adapted(attribute: str, value: str, name: str) -> str:
    """The value of an attribute for a page on which several drawings use the same ids."""
    if attribute == "id":
        return f"{name}-{value}"
    if attribute == f"{{{LINK}}}href" and value.startswith("#"):
        return f"#{name}-{value[1:]}"
    if attribute == "clip-path":
        return value.replace("url(#", f"url(#{name}-")
    if attribute == "style":
        for colour, own in COLOURS.items():
            value = value.replace(colour, own)
        return value.replace("'DejaVu Sans'", FONT) if "font" in value else value
    return value
