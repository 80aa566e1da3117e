"""Proteins that only say which cells are meant: *CD4* in "IL-2 production by CD4+ T cells".

Such a mention takes part in nothing with others, so it makes no pairs and no interactions where a corpus does not list them. By
gold entities of AIMed and of the training folders of BioNLP 2009 and 2013 the rule removes 682 pairs, none of them related, and
of 312 such mentions in BioNLP none takes part in a stated interaction (``benchmarks/cell_markers.py``). Nineteen are the one
theme of an expression (*IRF-4-positive cells*), so events about one participant keep them.
"""

from __future__ import annotations

import re

from relhash.candidates.symbols import entity_class
from relhash.corpus.document import Mention

FAR = 60
"""Characters behind a marker within which its cells are named."""
_PIECE = re.compile(r"\((?:[+−–-]|high|hi|low|lo|bright|dim|int)\)|\w+|\S")
_SIGN = re.compile(r"\(.+\)|[+−–-]")
CELLS = (
    r"(?:cell|lymphocyte|thymocyte|monocyte|macrophage|splenocyte|subset|leukocyte|progenitor|population|compartment|Treg|TIL|DC|"
    r"PBMC)s?"
)
"""Words for cells, as a regular expression."""
_CELLS = re.compile(CELLS)
_KIND = re.compile(
    r"T|B|NK|NKT|Th\d*|Treg|Tr1|CD\d\w*|Foxp3|human|murine|mouse|na[iï]ve|memory|effector|regulatory|resting|activated|primary|"
    r"peripheral|blood|spleen|splenic|helper|cytotoxic|stem|progenitor|dendritic|high|low|hi|lo|bright|dim|int|pos|neg|positive|"
    r"negative|single|double|central|mature|immature|ha?ematopoietic"
)
_OTHER_THINGS = frozenset({"receptor", "receptors", "adhesion", "surface", "cycle", "death", "growth", "derived"})
"""After *cell* these speak of something else: *CD4/T cell receptor*."""


def marks_cells(text: str, mention: Mention) -> bool:
    """Whether a protein, in its text, only names a kind of cell: signs, further markers and kinds of cell, then the cells.

    >>> text = "CD4+ T cells and CD34(+)CD38(-) progenitors make IL-2, and IL-2-treated cells grow."
    >>> [name for name, start in (("CD4", 0), ("CD34", 17), ("IL-2", 49), ("IL-2", 59))
    ...  if marks_cells(text, Mention("T", "protein", ((start, start + len(name)),), name))]
    ['CD4', 'CD34']
    """
    if entity_class(mention.type) != entity_class("protein"):
        return False
    pieces = _PIECE.findall(text, mention.end, mention.end + FAR)
    before = ""
    for number, piece in enumerate(pieces):
        if _CELLS.fullmatch(piece):
            return not _OTHER_THINGS.intersection(part for part in pieces[number + 1 : number + 3] if part.isalpha())
        goes_on = _SIGN.fullmatch(piece) or _KIND.fullmatch(piece) or (piece in ("and", "or", "/") and _SIGN.fullmatch(before))
        if not goes_on:
            return False
        before = piece
    return False
