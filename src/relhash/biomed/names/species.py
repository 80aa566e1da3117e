"""Whose genes a text is about: man, mouse or rat, as far as its words say.

Most abstracts do not say "human" at every name, so a text is about man unless only mice or rats are spoken of. A word right at
the name ("murine IL-3") counts more than the rest of the text.
"""

from __future__ import annotations

import re
from enum import StrEnum


class Species(StrEnum):
    HUMAN = "human"
    MOUSE = "mouse"
    RAT = "rat"
    OTHER = "other"
    """Only yeast, flies, plants, bacteria and the like: genes of man would be the wrong answer."""


_HUMAN = re.compile(
    r"\b(humans?|patients?|men|women|children|donors?|homo sapiens|HeLa|Jurkat|HEK ?-?293T?|293T?|MCF-?7|K-?562|U-?937|HL-?60|"
    r"THP-?1|HepG2|Hep G2|A549|U-?2 ?OS|Namalwa|Raji|HUVECs?|PBMCs?|PBLs?)\b",
    re.IGNORECASE,
)
_MOUSE = re.compile(
    r"\b(mouse|mice|murine|mus musculus|NIH-?3T3|3T3(-L1)?|BALB/?c?|C57BL(/6J?)?|RAW ?264(\.7)?|EL-?4|CTLL-?2|"
    r"BaF3|Ba/F3|C2C12)\b",
    re.IGNORECASE,
)
_RAT = re.compile(r"\b(rats?|rattus( norvegicus)?|PC-?12|Sprague[- ]Dawley|Wistar)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(drosophila|melanogaster|arabidopsis|C\. elegans|caenorhabditis|pombe|(budding|fission|baker's) yeast|zebrafish|"
    r"salmonella|typhimurium|dictyostelium|tobacco)\b",
    re.IGNORECASE,
)
"""Organisms that are studied for themselves. Yeast, E. coli and Xenopus are more often where a gene of man is expressed."""
_MAMMAL = re.compile(r"\b(mammal(s|ian)?|vertebrates?)\b", re.IGNORECASE)
_AT_NAME = re.compile(r"\b(human|mouse|murine|rat)(?:\s+\w+)?[\s-]*$", re.IGNORECASE)
_BY_WORD = {"human": Species.HUMAN, "mouse": Species.MOUSE, "murine": Species.MOUSE, "rat": Species.RAT}


def species_of(text: str) -> Species:
    """What the whole text is about; man unless it speaks of others only.

    >>> texts = ("p53 binds MDM2.", "p53 in mice", "p53 of mice and patients", "Cdc28 of budding yeast")
    >>> [species_of(text).value for text in texts]
    ['human', 'mouse', 'human', 'other']
    """
    if _HUMAN.search(text):
        return Species.HUMAN
    mouse, rat = len(_MOUSE.findall(text)), len(_RAT.findall(text))
    if mouse or rat:
        return Species.MOUSE if mouse >= rat else Species.RAT
    return Species.OTHER if _OTHER.search(text) and not _MAMMAL.search(text) else Species.HUMAN


def species_at(text: str, start: int, name: str) -> Species | None:
    """The species that the name itself, or the words right before it, name.

    >>> species_at("binding of murine IL-3", 18, "IL-3")
    <Species.MOUSE: 'mouse'>
    """
    found = re.match(r"(human|mouse|murine|rat)\b", name, re.IGNORECASE) or _AT_NAME.search(text, max(0, start - 30), start)
    return _BY_WORD[found[1].lower()] if found else None
