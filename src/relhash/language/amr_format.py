"""What is known of AMR without loading the wing that reads it: the corpus format, the scheme and the tag of its frames.

``relhash/__init__.py`` offers the format to the registry of formats, because ``corpus`` knows no later room.
"""

from __future__ import annotations

import re

from relhash.corpus.formats import Format

AMR_SCHEME = "amr"
"""Scheme of dependencies that are roles of a meaning graph."""
FRAME_TAG = "VB"
"""Part of speech of tokens that are frames, since descriptors and triggers ask whether a word is a verb."""

_PENMAN = re.compile(r"(?:#[^\n]*\n|\s)*\(\s*[^\s()/]+\s*/\s*[^\s():]+(?:\s+:[A-Za-z]|\s*\)[^\S\n]*+(?:\Z|\n\s*+(?:[#(]|\Z)))")


def is_penman(head: str) -> bool:
    """A graph in PENMAN notation, below comments or not: a variable, its concept, and then a role or nothing.

    >>> is_penman("(b / bind-01 :ARG0 (p / protein"), is_penman("(TNF / p53) binding was seen.")
    (True, False)
    """
    return bool(_PENMAN.match(head))


AMR = Format(
    "amr",
    "AMR graphs in PENMAN notation, each under its sentence (# ::snt): one document per graph, its named entities as mentions",
    (".amr", ".penman", ".txt"),
    "relhash.language.amr.documents:read_amr",
    aliases=("penman",),
    recognises=is_penman,
)
