"""Simpler names of the same thing: "recombinant human IL-2 protein" is looked up as "IL-2".

What may be left out of the name of a protein (tags, states, species, "gene", "mRNA") follows FamPlex's list of gene prefixes
(Bachman et al. 2018), without those that name something else (antibodies, promoters, siRNA).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from enum import StrEnum


class Only(StrEnum):
    """What a simpler name must stand for, so that it may be the name of the same thing."""

    ANYTHING = ""
    GROUPS = "groups"
    """A family or complex: the "NF-kappaB family" is NF-kappaB, but the "IL-2 family" is more than IL-2."""
    SURE = "sure"
    """By a symbol or a curated name: "Stat3 alpha" is an isoform of STAT3, but "TCF-1 alpha" none of TCF-1."""
    KINASES = "kinases"
    """A kinase that is not called the kinase of a kinase: the "JAK2 kinase" is JAK2, the "MEK kinase" is not MEK."""


_AT_MOST = 48
_WORDS_BEFORE = re.compile(
    r"^(?:the|a|an|i\.e\.|e\.g\.|human|mouse|murine|rat|mammalian|recombinant|purified|endogenous|exogenous|ectopic|"
    r"full[- ]length|wild[- ]?type|wt|native|mature|soluble|cellular|cytosolic|cytoplasmic|nuclear|activated|active|inactive|"
    r"constitutively active|mutant|mutated|phosphorylated|unphosphorylated|ubiquitinated|transfected|overexpressed|"
    r"dominant[- ]negative|oncogenic|transcription factors?|adaptor protein|adapter protein|proto-?oncogene|oncogene|"
    r"oncoprotein|tumou?r suppressor(?: protein| gene)?|protein|gene|cytokine|chemokine|receptor protein)[\s-]+(?=\S)",
    re.IGNORECASE,
)
_WORDS_AFTER = re.compile(
    r"(?<![\s-])[\s-]+"
    r"(?:proteins?|genes?|gene products?|mRNAs?|cDNAs?|transcripts?|polypeptides?|molecules?|isoforms?|subunits?|chains?|"
    r"antigens?|loc(?:us|i)|proto-?oncogenes?|oncogenes?|oncoproteins?|oncogene products?|tumou?r[- ]suppressors?|"
    r"transcription factors?|mutants?|cytokines?|homolog(?:ue)?s?)$",
    re.IGNORECASE,
)
_OF_GROUPS = re.compile(
    r"(?<![\s-])[\s-]+"
    r"(?:(?:proto-?oncogene |gene |super)?famil(?:y|ies)(?: members?| proteins?)?|complex(?:es)?|(?:hetero|homo)?dimers?|"
    r"members?|phosphatases?|factors?|enzymes?|subunits?)$",
    re.IGNORECASE,
)
_KINASE = re.compile(r"(?<![\s-])[\s-]+kinases?$", re.IGNORECASE)
_TAG = re.compile(
    r"^(?:p-|phospho-?|phosphorylated-|GFP-|EGFP-|YFP-|GST-|HA-|Flag-|myc-|His-|MBP-|WT-?|wt-?|DN-|dn-|myr-|Ub-|rh|hs|pro-?(?=[A-Z])|[chmrp](?:-|(?=[A-Z])))"
    r"(?=\w{2})"
)
_TAG_AFTER = re.compile(r"(?:-E?GFP|-Flag|-HA|\(?\+/\+\)?|\(?-/-\)?|\(?\+/-\)?|\+|'s)$", re.IGNORECASE)
_SUBUNIT_OF = re.compile(r"^(\S+) (?:subunit|component|member|chain)s? of .+$")
_CLASS_BEFORE = re.compile(
    r"\b(?:protein|factor|kinase|phosphatase|inhibitor|ligand|adaptor|adapter|gene|oncogene|oncoprotein|cytokine|chemokine|"
    r"activator|repressor|coactivator|corepressor|molecule|antigen|enzyme|GTPase|hormone|receptor|peptide)\s+(\S+)$"
)
_SYMBOL = re.compile(r"^(?=.*[A-Z])(?=.{3})(?!.*-(?:I|II)$)[A-Za-z][\w.-]*$")
_INSIDE = re.compile(r"(?<=\S)\s*\(([^()]{2,})\)$")
_IN_THE_MIDDLE = re.compile(r"(?<!\s)\s*\([^()]*\)(?=[\s-]*\w)")
_ISOFORM = re.compile(r"(?<=\d)[\s-]?(?:alpha|beta|gamma|delta|[αβγδ]|[abc])$", re.IGNORECASE)
_LETTERS = {"alpha": "a", "beta": "b", "gamma": "g", "delta": "d", "epsilon": "e"}
_GREEK_END = re.compile(r"[\s-]?(alpha|beta|gamma|delta|epsilon|α|β|γ|δ|ε)([\s-]?\d?)$", re.IGNORECASE)
_GREEK_START = re.compile(r"^(alpha|beta|gamma|delta|epsilon|kappa|zeta|[αβγδεκζ])[\s-]?(?=[A-Za-z]{4})(.+)$", re.IGNORECASE)
_MASS = re.compile(r"^(?:p|pp|gp)\d{2,3}[\s-]?(?=[A-Za-z]{2}[A-Za-z0-9-]*$)")
_LETTER_END = re.compile(r"(?<=[A-Z0-9-])([abgdkz])(\d?)$")
_GREEK_OF = {"a": "alpha", "b": "beta", "g": "gamma", "d": "delta", "k": "kappa", "z": "zeta"}
_SHORTER = (
    (re.compile(r"\binterleukins?\b", re.IGNORECASE), "IL"),
    (re.compile(r"\binterferons?\b", re.IGNORECASE), "IFN"),
    (re.compile(r"\btumou?r necrosis factor\b", re.IGNORECASE), "TNF"),
    (re.compile(r"(?<![\s-])[\s-]+receptors?\b", re.IGNORECASE), "R"),
    (re.compile(r"\bnuclear factor[\s-]+(?=kappa|κ)", re.IGNORECASE), "NF-"),
)
_SYMBOLS_OF_GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon"}


def variants(name: str, kind: str) -> Iterator[tuple[str, Only]]:
    """The name, then simpler names of the same thing; with each, what it must stand for to count.

    >>> [name for name, _ in variants("recombinant human IL-2 protein", "protein")][:2]
    ['recombinant human IL-2 protein', 'human IL-2 protein']
    >>> list(variants("tumors", "disease"))
    [('tumors', <Only.ANYTHING: ''>), ('tumor', <Only.ANYTHING: ''>)]
    """
    waiting = deque([(name.strip(" \t\n,.;:"), Only.ANYTHING)])
    seen: set[str] = set()
    simpler = _simpler_protein if kind == "protein" else _simpler_other
    while waiting and len(seen) < _AT_MOST:
        current, only = waiting.popleft()
        if len(current) < 2 or current in seen:
            continue
        seen.add(current)
        yield current, only
        waiting.extend((found, only or further) for found, further in simpler(current))


def _simpler_other(name: str) -> Iterator[tuple[str, Only]]:
    if name.endswith("s") and not name.endswith(("ss", "is", "us")) and len(name) > 4:
        yield name[:-1], Only.ANYTHING
        if name.endswith("ies"):
            yield name[:-3] + "y", Only.ANYTHING
    inside = _INSIDE.search(name, 2)
    if inside:
        yield name[: inside.start()], Only.ANYTHING
    for ending, noun in _NOUNS.items():
        if name.endswith(ending):
            yield name.removesuffix(ending) + noun, Only.ANYTHING
    graded = _DEGREE.sub("", name, count=1)
    if graded != name:
        yield graded, Only.ANYTHING


_NOUNS = {
    "tensive": "tension", "emic": "emia", "oxic": "oxia", "otic": "osis", "leptic": "lepsy", "betic": "betes",
    "phrenic": "phrenia", "thmic": "thmia", "matory": "mation", "sonian": "sonism", "netic": "nesia", "toxic": "toxicity",
    "ergic": "ergy", "cardic": "cardia", "plegic": "plegia", "rrhagic": "rrhage", "ritic": "ritis", "cancerous": "cancer",
}  # fmt: skip
"""Adjectives of diseases: *hypertensive* patients have hypertension."""
_DEGREE = re.compile(
    r"^(?:severe|mild|moderate|acute|chronic|early|late|advanced|sporadic|refractory|progressive|recurrent|transient|persistent|"
    r"fatal|clinical|symptomatic|idiopathic|human|drug-induced|[\w-]+-induced|[\w-]+-associated)\s+(?=\S)",
    re.IGNORECASE,
)


def _simpler_protein(name: str) -> Iterator[tuple[str, Only]]:
    for pattern in (_WORDS_BEFORE, _WORDS_AFTER, _TAG_AFTER, _TAG):
        shorter = pattern.sub("", name, count=1)
        if shorter != name:
            yield shorter, Only.ANYTHING
    of = _SUBUNIT_OF.match(name)
    if of:
        yield of[1], Only.ANYTHING
    inside = _INSIDE.search(name, 2)
    if inside:
        yield name[: inside.start()], Only.ANYTHING
        yield inside[1], Only.ANYTHING
    without = _IN_THE_MIDDLE.sub("", name)
    if without != name:  # "tumor necrosis factor (TNF)-alpha"
        yield without, Only.ANYTHING
    last = _CLASS_BEFORE.search(name)
    if last and _SYMBOL.match(last[1]):
        yield last[1], Only.ANYTHING
    for pattern, replacement in _SHORTER:
        shorter = pattern.sub(replacement, name, count=1)
        if shorter != name:
            yield shorter, Only.ANYTHING
    greek = _GREEK_END.search(name)
    if greek:
        spelled = _SYMBOLS_OF_GREEK.get(greek[1].lower(), greek[1].lower())
        yield name[: greek.start()] + _LETTERS[spelled] + greek[2].strip(" -"), Only.ANYTHING
    first = _GREEK_START.match(name)
    if first:
        yield f"{first[2]} {first[1]}", Only.ANYTHING
    mass = _MASS.match(name)
    if mass:  # "p59fyn"
        yield name[mass.end() :], Only.ANYTHING
    letter = _LETTER_END.search(name)
    if letter:
        yield f"{name[: letter.start()]}-{_GREEK_OF[letter[1]]}{letter[2]}", Only.ANYTHING
    if name.endswith("s") and len(name) > 3 and not name.endswith("ss"):
        yield name[:-1], Only.ANYTHING
    isoform = _ISOFORM.sub("", name)
    if isoform != name:
        yield isoform, Only.SURE
    group = _OF_GROUPS.sub("", name, count=1)
    if group != name:
        yield group, Only.GROUPS
    kinase = _KINASE.sub("", name, count=1)
    if kinase != name:
        yield kinase, Only.KINASES
