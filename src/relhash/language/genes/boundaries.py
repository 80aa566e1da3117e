"""Where a name ends and what is none, by rules that are plainly right.

No stray sign at its border, no bracket that it does not close; a residue ("phosphorylated at S82") and the brand of an assay
("TaqMan Gene") are no names of genes. The receptor of a factor is another protein than the factor, also where an abbreviation
stands in between ("macrophage colony-stimulating factor (M-CSF) receptor").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_PAIRS = {")": "(", "]": "[", "}": "{"}
_RESIDUE = re.compile(r"p?(?:[STYKRC]|Ser|Thr|Tyr|Lys|Arg|Cys)[0-9]{1,4}")
_BEFORE_A_RESIDUE = frozenset(("at", "residue", "residues", "position", "positions", "site", "sites"))
_BRANDS = frozenset(("taqman", "affymetrix", "illumina", "invitrogen", "qiagen"))
_OTHER_PROTEINS = frozenset(("receptor", "receptors", "ligand", "ligands"))
_LONGEST_EXPLANATION = 7
"""Tokens in a parenthesis: *GM-CSF* has three, or five."""
_STRAY = frozenset(",;:.?!-‐‑‒–—−/\\=<>*'\"`’‘“”|~^&@#%")


def trimmed(texts: Sequence[str], first: int, after: int) -> tuple[int, int] | None:
    """The span without stray signs and unbalanced brackets at its borders; nothing if no name is left.

    >>> texts = ["IL", "-", "2", ")", ";"]
    >>> trimmed(texts, 0, 5)
    (0, 3)
    >>> trimmed(["NAD", "(", "P"], 0, 3)
    """
    while after > first and (texts[after - 1] in _STRAY or (texts[after - 1] in _PAIRS and _is_open(texts, first, after))):
        after -= 1
    while after > first and (texts[first] in _STRAY or (texts[first] in _PAIRS.values() and _is_open(texts, first, after))):
        first += 1
    if first == after or _is_open(texts, first, after) or texts[first].lower() in _BRANDS:
        return None
    is_residue = first > 0 and texts[first - 1].lower() in _BEFORE_A_RESIDUE and _RESIDUE.fullmatch("".join(texts[first:after]))
    return None if is_residue else (first, after)


def up_to_receptors(texts: Sequence[str], spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in their order, those of a factor lengthened where "(its abbreviation) receptor" follows.

    >>> texts = "tissue factor ( TF ) receptor ( p ) binds".split()
    >>> up_to_receptors(texts, [(0, 2), (3, 4)])
    [(0, 6)]
    """
    found: list[tuple[int, int]] = []
    for first, after in spans:
        if not found or first >= found[-1][1]:  # else the abbreviation is in the name that has been lengthened
            found.append((first, _after_receptor(texts, after)))
    return found


def _after_receptor(texts: Sequence[str], after: int) -> int:
    if after < len(texts) and texts[after] == "(":
        closing = next((place for place in range(after + 1, len(texts)) if texts[place] in _PAIRS), after)
        follows = "".join(texts[closing + 1 : closing + 2]).lower()
        if 1 < closing - after <= _LONGEST_EXPLANATION and follows in _OTHER_PROTEINS:
            return closing + 2
    return after


def _is_open(texts: Sequence[str], first: int, after: int) -> bool:
    """Whether a bracket is opened and not closed, or closed and not opened."""
    waiting: list[str] = []
    for text in texts[first:after]:
        if text in _PAIRS.values():
            waiting.append(text)
        elif text in _PAIRS and (not waiting or waiting.pop() != _PAIRS[text]):
            return True
    return bool(waiting)
