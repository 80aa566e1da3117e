"""Names of one thing, written differently, brought to one key: "NF-κB", "NF kappa B" and "nf-kappaB" are all ``nfkappab``.

Case, hyphens, spaces, Greek letters, Roman numerals and British spelling go; digits stay, and a hyphen between two, so that
"IL-1-2" is not "IL-12". Case is kept apart (:class:`Case`): "Rest" begins a sentence, "REST" is a gene. Which genes belong to a
family or complex is told by ids (FamPlex).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from enum import IntEnum
from functools import cache, lru_cache

from relhash.resources import resource_path

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi",
    "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "ϕ": "phi", "χ": "chi", "ψ": "psi",
    "ω": "omega", "ß": "beta",  # what many keyboards have in the place of β
}  # fmt: skip
_TRANSLATION = str.maketrans(_GREEK)
_NUMERALS = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
_ROMAN = {numeral: str(number) for number, numeral in enumerate(_NUMERALS.split(" "), start=1)}
_BRITISH = (
    ("tumour", "tumor"), ("haem", "hem"), ("leukaem", "leukem"), ("anaem", "anem"), ("oestr", "estr"), ("oedema", "edema"),
    ("sulph", "sulf"), ("fibre", "fiber"), ("paed", "ped"),
)  # fmt: skip
_PIECE = re.compile(r"[^\W_]+\+?|\+")


class Case(IntEnum):
    """How a name is written, where its letters show it."""

    LOWER = 0
    """No capital: "insulin", "p53"."""
    CAPITALISED = 1
    """A capital first and only there: "Insulin", "Stat3"."""
    UPPER = 2
    """No small letter: "STAT3", "IL-2"."""
    MIXED = 3
    """Anything else: "NF-kappaB", "hTERT"."""


def case_of(name: str) -> Case:
    """How the name is written.

    >>> [case_of(name).name for name in ("p53", "Stat3", "IL-2", "NF-kappaB")]
    ['LOWER', 'CAPITALISED', 'UPPER', 'MIXED']
    """
    if name == name.lower():
        return Case.LOWER
    if name == name.upper():
        return Case.UPPER
    return Case.CAPITALISED if name[1:] == name[1:].lower() else Case.MIXED


@lru_cache(maxsize=65536)
def name_key(name: str) -> str:
    """The key under which all ways of writing a name are found.

    >>> {name_key(name) for name in ("NF-κB", "NF kappa B", "nf-kappaB")}
    {'nfkappab'}
    >>> name_key("Factor VIII"), name_key("Tumour necrosis factor-α"), name_key("14-3-3 ζ"), name_key("Ca2+")
    ('factor8', 'tumornecrosisfactoralpha', '14-3-3zeta', 'ca2+')
    """
    text = unicodedata.normalize("NFKC", name).lower().translate(_TRANSLATION)
    if not text.isascii():
        text = "".join(character for character in unicodedata.normalize("NFD", text) if not unicodedata.combining(character))
    key = ""
    for number, piece in enumerate(_PIECE.findall(text)):
        if number:
            piece = _ROMAN.get(piece, piece)
        key += f"-{piece}" if key[-1:].isdigit() and piece[0].isdigit() else piece
    for british, american in _BRITISH:
        key = key.replace(british, american)
    return key


def continued_key(key: str) -> str:
    """The key of a word that is not the first of its name, from its own key: there a Roman numeral is a number.

    >>> name_key("factor") + continued_key(name_key("VIII")) == name_key("Factor VIII")
    True
    """
    return _ROMAN.get(key, key)


def is_part(ids: Iterable[str], of: Iterable[str]) -> bool:
    """Whether one of ``ids`` belongs to one of the families or complexes ``of``.

    >>> is_part(["HGNC:9955"], ["FPLX:NFkappaB"]), is_part(["FPLX:NFkappaB"], ["HGNC:9955"])     # RELA
    (True, False)
    """
    members, given = shipped_members(), set(ids)
    return any(not given.isdisjoint(members.get(family, ())) for family in of)


@cache
def shipped_members() -> Mapping[str, frozenset[str]]:
    """Id of each family or complex → ids of what belongs to it, through any number of steps."""
    lines = (resource_path("lexicon") / "members.tsv").read_text(encoding="utf-8").splitlines()
    return {family: frozenset(members) for family, *members in (line.split("\t") for line in lines)}
