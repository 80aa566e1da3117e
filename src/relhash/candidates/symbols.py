"""How the tokens of a structure look: words, and symbols that stand for something other than a word.

A *word* is lower-cased text. A *symbol* is written with angle brackets and matches only itself in a kernel:

=================  ==================================================================================
``<E1>``, ``<E2>``  a participant of the candidate, by its role
``<PROTEIN>``       another entity of the sentence, by its type
``<NUMBER>``        a numeral
``<nsubj``          a dependency walked from the dependent up to its head (the arrow points at the dependent)
``dobj>``           a dependency walked from the head down to its dependent
=================  ==================================================================================

:func:`is_symbol` is the one place that knows this convention.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from relhash.biomed.names.hints import marks_cells
from relhash.corpus.document import Mention, Token
from relhash.language.entities import entity_type

_WORD = re.compile(r"\w+|[^\w\s]")


def split_words(text: str, start: int, end: int) -> Iterator[Token]:
    """Words, numerals and single signs of ``text[start:end]``.

    >>> [token.text for token in split_words("Ras-dependent Raf", 0, 13)]
    ['Ras', '-', 'dependent']
    """
    return (Token(match.start(), match.end(), match.group()) for match in _WORD.finditer(text, start, end))


NUMBER = "<NUMBER>"
BLANK = "_"
"""How a token without text shows (some tokenizers make tokens of spaces)."""
SHARED_TOKEN = "<SHARED>"
"""Stands in place of a path where both participants share a token."""
DISCONNECTED = "<DISCONNECTED>"
"""Stands in place of a path where the parse holds none."""

_NUMERAL = re.compile(r"[+\-−±~]?[.,]?\d++(?:[.,:/]\d++)*(?:[.,]?\d*[eE][+\-−]?\d+)?(?:%|\.)?\Z")
_BRACKETS = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}


def is_symbol(token: str) -> bool:
    """Whether ``token`` is a symbol rather than a word.

    >>> [token for token in ["<E1>", "<nsubj", "binds", "dobj>", "<"] if is_symbol(token)]
    ['<E1>', '<nsubj', 'dobj>']
    """
    return len(token) > 1 and (token[0] == "<" or token[-1] == ">")


PAIRED = "\t"
"""Between edge and word where a sequence has both as one token (view ``path+pairs``)."""


@lru_cache(maxsize=65536)
def normalise_word(text: str) -> str:
    """A word as a sequence shows it: lower case, numerals as one class, never in the form of a symbol.

    >>> [normalise_word(text) for text in ["Binds", "0.05", "-LRB-", "p53", "<0.05", "->"]]
    ['binds', '<NUMBER>', '(', 'p53', '<NUMBER>', '-']
    """
    word = text.lower().strip()
    word = _BRACKETS.get(word, word)
    if is_symbol(word):
        word = word.strip("<>") or word[0]
    return NUMBER if _NUMERAL.match(word) else word or BLANK


def entity_class(type_name: str) -> str:
    """What kind of thing an entity type of some corpus names: genes and their products are all ``"protein"``.

    >>> entity_class("Gene"), entity_class("Individual_protein"), entity_class("Cell")
    ('protein', 'protein', 'cell')
    """
    return entity_type(type_name)


def only_marks_cells(text: str, mention: Mention) -> bool:
    """Whether a mention is a protein that only says which cells are meant: it takes part in nothing with others."""
    return entity_class(mention.type) == "protein" and marks_cells(text, mention.end)


@lru_cache(maxsize=4096)
def type_symbol(type_name: str) -> str:
    """The symbol of an entity that is no participant of the candidate.

    >>> type_symbol("Individual_protein"), type_symbol("cell line")
    ('<PROTEIN>', '<CELL>')
    """
    return f"<{entity_class(type_name).upper() or 'ENTITY'}>"


@lru_cache(maxsize=4096)
def role_symbol(role: str) -> str:
    """The symbol of a participant in ``role``.

    >>> role_symbol("e1"), role_symbol("Theme")
    ('<E1>', '<THEME>')
    """
    return f"<{role.upper()}>"


@lru_cache(maxsize=4096)
def edge_up(label: str) -> str:
    """A dependency walked from the dependent to its head."""
    return f"<{label}"


@lru_cache(maxsize=4096)
def edge_down(label: str) -> str:
    """A dependency walked from the head to the dependent."""
    return f"{label}>"


def leads_up(edge: str) -> bool:
    """Whether an edge symbol leads from a dependent to its head.

    >>> [leads_up(edge) for edge in ("<nsubj", "dobj>")], [leads_down(edge) for edge in ("<nsubj", "dobj>")]
    ([True, False], [False, True])
    """
    return edge[0] == "<"


def leads_down(edge: str) -> bool:
    """Whether an edge symbol leads from a head to its dependent."""
    return edge[-1] == ">"


def edge_label(edge: str) -> str:
    """The dependency that an edge symbol stands for, in either direction.

    >>> edge_label("<nsubj"), edge_label("prep_to>")
    ('nsubj', 'prep_to')
    """
    return edge.strip("<>")
