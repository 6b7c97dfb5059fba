"""Formulas as MathML, which browsers draw by themselves: no script, no font, nothing to fetch."""

from __future__ import annotations

from docutils import nodes
from latex2mathml.converter import convert


def visit_inline(translator, node):
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def visit_block(translator, node):
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    return {"parallel_read_safe": True}
