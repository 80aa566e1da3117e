"""Drugs that the recognizer of chemicals has never read of, by the end of their names.

The World Health Organization names drugs by stems: what ends in *-tinib* blocks a tyrosine kinase, what ends in *-mab* is an
antibody. A word with such an end that the shipped names know as a chemical, and as nothing else, is a drug.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from relhash.biomed.names.table import NameTable

_STEMS = (
    "azepam azolam azosin bactam barbital bendazole buterol caine cept ciclib cillin citabine clax conazole coxib "
    "cycline degib dipine dronate dronic fibrate floxacin gliflozin gliptin glitazone grel imus kinra mab meterol metidine "
    "moterol mustine mycin nidazole nitidine olol otidine oxetine parib penem pezil phenazine platin poside prazole pril "
    "promazine rafenib rubicin sartan semide setron taxel tecan thiazide tinib trexate triptan tyline vastatin vir xaban "
    "profen zolamide zomib"
)
_DRUG = re.compile(rf"\b[A-Za-z][a-z]{{2,}}(?:{'|'.join(_STEMS.split())})\b")


def may_name_drugs(text: str) -> bool:
    """Whether any word ends as names of drugs do, known or not."""
    return _DRUG.search(text) is not None


def is_a_drug(word: str, names: NameTable) -> bool:
    """Whether one word names a drug.

    >>> from relhash.biomed.names.table import shipped_names
    >>> [word for word in "Imatinib in April for Abril".split() if is_a_drug(word, shipped_names())]
    ['Imatinib']
    """
    if _DRUG.fullmatch(word) is None:
        return False
    from relhash.biomed.names.table import Class  # not at the top: whether a text may name drugs is asked without numpy

    return {names.concept(meaning.number).kind for meaning in names.find(word)} == {Class.CHEMICAL}
