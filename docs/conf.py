"""Sphinx: the pages of this folder, and the API reference from docstrings. `make docs` builds it with warnings as errors."""

from __future__ import annotations

import re

from sphinx.application import Sphinx
from sphinx.ext.napoleon.docstring import NumpyDocstring

import relhash

project = "RelHash"
author = "The RelHash authors"
project_copyright = "2026, The RelHash authors"
release = version = relhash.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = f"RelHash {release}"

# headings get the anchors that GitHub gives them, so that one link serves both
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # the highlighter knows no CSV

autodoc_typehints = "none"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False
# docstrings may point to internal modules, which have no page here, and to other people's libraries
nitpick_ignore_regex = [
    ("py:.*", r"relhash\..*"),
    ("py:.*", r"(collections|numpy|sklearn|scipy|pathlib|spacy)\..*"),
    ("py:.*", r"(?!relhash)\w+(\.\w+)?"),
]


def _summary_is_no_type(docstring: NumpyDocstring) -> list[str]:
    """A property may begin "Role → id: …": napoleon would take what stands before the colon for its type."""
    return list(docstring._consume_to_end())


NumpyDocstring._parse_attribute_docstring = _summary_is_no_type


def _link_pages_outside(app: Sphinx, name: str, source: list[str]) -> None:
    """Model cards and read-mes of results lie outside this folder: linked as files, so that GitHub finds them, too."""
    source[0] = re.sub(r"\]\(((?:\.\./)+(?:src|benchmarks)/[^)#]+\.md)(?:#[^)]*)?\)", r"](path:\1)", source[0])


def _skip_metadata_routing(app: Sphinx, what: str, name: str, member: object, skip: bool, options: object) -> bool | None:
    """scikit-learn gives its estimators ``set_fit_request`` and the like, whose docstrings point into its own pages."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def setup(app: Sphinx) -> None:
    app.connect("source-read", _link_pages_outside)
    app.connect("autodoc-skip-member", _skip_metadata_routing)
