"""How `make docs` makes a site of the Markdown in this repository.

The source is the whole repository, so that links between pages lead to the same places in the site
as on a code host. Nothing is fetched, neither by the build nor by the pages.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_site"))

from api_pages import write_reference  # noqa: E402
from contents import contents  # noqa: E402

from frugalboost import __version__  # noqa: E402

write_reference(HERE / "api")

NAME_OF_FILE = re.compile(r"\[[\w./-]+\.md\]\(([^)\s]+)\)")
"""A link whose text is the name of a page's file; where there is no text, MyST puts the title."""

SCRIPT = re.compile(r"\]\((?:\.\./)*examples/(\w+)\.py\)")
"""A link to a script of the gallery, which has a page there."""

project = "frugalboost"
author = "The frugalboost developers"
copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
    "mathml",
]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "docs/**.rst", "*.md"]
exclude_patterns = ["README.md", "docs/_site", "docs/gallery/**.ipynb", ".*", "build", "src"]
nitpicky = False
suppress_warnings = ["config.cache"]  # the order of the gallery is a function

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

templates_path = ["_site/templates"]
autosummary_generate = True
autodoc_typehints = "none"  # the docstrings say what parameters are
autodoc_default_options = {"members": True, "inherited-members": True}
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "furo"
html_title = f"frugalboost {__version__}"
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False

sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples"),
    "gallery_dirs": str(HERE / "gallery"),
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_signature": False,
    "show_memory": False,
    "write_computation_times": False,
    "min_reported_time": 1e9,
    "image_srcset": ["2x"],
}


def skip_scikit_learn(app, what, name, obj, skip, options):
    """Methods that every estimator of scikit-learn has are told there."""
    of_parameters = name in {"get_params", "set_params", "get_metadata_routing"}
    return True if of_parameters or re.fullmatch(r"set_\w+_request", name) else None


def drop_references(app, what, name, obj, options, lines):
    """Inherited docstrings refer to pages of scikit-learn's site; the words are enough."""
    lines[:] = [re.sub(r":(?:ref|term):`([^<`]*?)\s*(?:<[^>]*>)?`", r"\1", line) for line in lines]


def read_page(app, docname, source):
    """What the site has that Markdown has not: titles for names of files, the tree of pages."""
    if Path(app.env.doc2path(docname)).suffix == ".md":
        source[0] = NAME_OF_FILE.sub(r"[](\1)", source[0])
        source[0] = SCRIPT.sub(r"](/docs/gallery/\1.rst)", source[0])
        source[0] = source[0].replace("](../examples)", "](/docs/gallery/index.rst)")
    if docname == root_doc:
        source[0] += contents(HERE)


def write_front_door(app, exception):
    """The address of the site itself leads to its first page."""
    if exception is None and app.builder.format == "html":
        door = '<!doctype html><meta charset="utf-8"><title>frugalboost</title>'
        door += f'<meta http-equiv="refresh" content="0; url={root_doc}.html">'
        (Path(app.outdir) / "index.html").write_text(door, encoding="utf-8")


def setup(app):
    app.connect("autodoc-skip-member", skip_scikit_learn)
    app.connect("autodoc-process-docstring", drop_references)
    app.connect("source-read", read_page)
    app.connect("build-finished", write_front_door)
