"""AMR as a corpus format; ``relhash/__init__.py`` offers it to the registry of formats, for ``corpus`` knows no later room."""

from __future__ import annotations

import re

from relhash.corpus.format import Format

__all__ = ["AMR", "is_penman"]

_PENMAN = re.compile(r"(?:#[^\n]*\n|\s)*\(\s*[^\s()/]+\s*/\s*[^\s():]+\s*(?::[A-Za-z]|\)\s*(?:\Z|\n\s*[#(]))")


def is_penman(head: str) -> bool:
    """A graph in PENMAN notation, below comments or not: a variable, its concept, and then a role or nothing.

    >>> is_penman("(b / bind-01 :ARG0 (p / protein"), is_penman("(TNF / p53) binding was seen.")
    (True, False)
    """
    return bool(_PENMAN.match(head))


AMR = Format(
    "amr",
    "AMR graphs in PENMAN notation, each under its sentence (# ::snt): a document a graph, its named entities as mentions",
    (".amr", ".penman", ".txt"),
    "relhash.language.amr.documents:read_amr",
    aliases=("penman",),
    recognises=is_penman,
)
