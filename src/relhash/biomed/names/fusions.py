"""Two genes that a chromosome joined into one: "BCR-ABL" is one protein, and states nothing about BCR and ABL.

The names alone do not tell, because "CDC42-WASP" is a complex. So the fusions that are written without a word such as *fusion*
are listed, under the names that papers use for either half.
"""

from __future__ import annotations

import re

_PARTNERS = {
    "aml1": ("eto", "evi1", "mds1", "mtg8", "mtg16"),
    "bcr": ("abl", "abl1", "fgfr1", "jak2"),
    "brd4": ("nut",),
    "cbfbeta": ("myh11", "smmhc"),
    "cbfb": ("myh11", "smmhc"),
    "dek": ("can", "nup214"),
    "e2a": ("hlf", "pbx1"),
    "eml4": ("alk",),
    "etv6": ("abl1", "evi1", "jak2", "ntrk3", "pdgfrb", "runx1"),
    "ews": ("atf1", "chop", "erg", "fli", "fli1", "wt1"),
    "ewsr1": ("atf1", "erg", "fli1", "wt1"),
    "fip1l1": ("pdgfra", "pdgfralpha"),
    "fus": ("chop", "ddit3", "erg"),
    "kif5b": ("ret",),
    "mll": ("af1p", "af4", "af6", "af9", "af10", "ell", "enl"),
    "npm": ("alk", "rara", "raralpha"),
    "npm1": ("alk",),
    "nup98": ("hoxa9", "hoxd13", "nsd1"),
    "pax3": ("fkhr", "foxo1"),
    "pax7": ("fkhr", "foxo1"),
    "plzf": ("rara", "raralpha"),
    "pml": ("rar", "rara", "raralpha"),
    "runx1": ("eto", "evi1", "runx1t1"),
    "syt": ("ssx", "ssx1", "ssx2"),
    "tel": ("abl", "aml1", "evi1", "jak2", "pdgfr", "pdgfrbeta", "trkc"),
    "tls": ("chop", "erg"),
    "tmprss2": ("erg", "etv1"),
}
_GREEK = {"α": "alpha", "β": "beta"}
_NO_PART_OF_A_NAME = re.compile(r"[\W_]+")


def are_a_fusion(first: str, second: str) -> bool:
    """Whether these names, written in this order with a hyphen or slash between them, are known as one fused gene.

    >>> are_a_fusion("PML", "RAR α"), are_a_fusion("bcr", "abl"), are_a_fusion("CDC42", "WASP")
    (True, True, False)
    """
    return _plain(second) in _PARTNERS.get(_plain(first), ())


def _plain(name: str) -> str:
    for letter, word in _GREEK.items():
        name = name.replace(letter, word)
    return _NO_PART_OF_A_NAME.sub("", name).casefold()
