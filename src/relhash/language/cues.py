"""Words that make a statement something else than a statement: the one list, for whoever looks for a negation or a doubt.

:data:`NEGATIONS` are the plainest ones, as sequences show them; views and descriptors look for these. :data:`CUES` has them
too, and all others whose scope :mod:`relhash.language.assertion` follows through the parse.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum

NEGATIONS = frozenset(
    {
        "no", "not", "n't", "cannot", "neither", "nor", "never", "without",
        "hardly", "barely", "scarcely",
        "fail", "fails", "failed", "lack", "lacks",
    }
)  # fmt: skip
"""Words as sequences show them, in lower case."""


class Cue(StrEnum):
    """What a cue does to the words in its scope."""

    NEGATION = "negation"
    """It turns them round where it modifies them: *not*, *no*, *without*."""
    DENIAL = "denial"
    """It turns round what it governs: *fail to*, *lack of*, *unable to*."""
    MODAL = "modal"
    """It weakens what it modifies: *may*, *possibly*."""
    HEDGE = "hedge"
    """It weakens what it governs: *suggest that*, *potential of*."""
    QUESTION = "question"
    """It opens a clause that says nothing yet: *whether*, *if*."""
    STUDY = "study"
    """It says that something was looked at, not what came out: *examine*, *analysis of*."""


_WORDS: Mapping[Cue, str] = {
    Cue.NEGATION: "none n't nt without unlike rather instead except minimally poorly little",
    Cue.DENIAL: (
        "failure unable inability incapable lacking absence absent devoid deficient deficiency independent "
        "independently loss prevent preclude abolish abrogate eliminate exclude undetectable undetected unaffected "
        "unchanged unaltered insufficient dispensable unlikely negative refractory resistant insensitive unresponsive "
        "null -/- knockout abnormal unrelated irrespective regardless lose block deny rule free minus"
    ),
    Cue.MODAL: (
        "may might could can would should must possibly perhaps probably presumably potentially likely putatively "
        "apparently putative potential possible probable presumptive candidate hypothetical alleged"
    ),
    Cue.HEDGE: (
        "suggest hypothesize hypothesise hypothesis speculate speculation propose postulate imply indicate suspect "
        "assume believe think predict presume possibility probability likelihood seem appear suggestive "
        "consistent unclear unknown uncertain controversial implicate expect evidence support model raise notion idea "
        "attempt"
    ),
    Cue.QUESTION: "whether if",
    Cue.STUDY: (
        "investigate investigation examine examination test determine determination analyze analyse analysis study "
        "explore assess assessment evaluate evaluation measure measurement monitor ask question address characterize "
        "elucidate understand clarify define compare comparison assay elisa blot immunoblot pcr rt-pcr staining "
        "search look quantify quantitation detection kinetics role mechanism mechanisms know confirm verify ascertain "
        "identify effect screen check"
    ),
}

_FORMS: Mapping[str, str] = {
    "fails": "fail", "failed": "fail", "failing": "fail", "lacks": "lack", "lacked": "lack", "lacking": "lack",
    "n't": "not", "nt": "not", "cannot": "not", "suggests": "suggest", "suggested": "suggest", "suggesting": "suggest",
    "analyse": "analyze", "analyses": "analysis", "analysed": "analyze", "analyzed": "analyze", "hypothesise": "hypothesize",
    "hypothesised": "hypothesize", "hypothesized": "hypothesize", "investigated": "investigate", "examined": "examine",
    "tested": "test", "determined": "determine", "studied": "study", "studies": "study", "measured": "measure",
    "prevents": "prevent", "prevented": "prevent", "abolished": "abolish", "abolishes": "abolish", "mechanisms": "mechanism",
    "indicates": "indicate", "indicated": "indicate", "indicating": "indicate", "proposed": "propose", "assessed": "assess",
    "immunoblotting": "immunoblot", "blotting": "blot", "abrogated": "abrogate", "blocked": "block", "blocks": "block",
}  # fmt: skip
"""Forms and spellings that count as another word, also for tokens without a lemma."""

CUES: Mapping[str, Cue] = {
    **{word: kind for kind, words in _WORDS.items() for word in words.split()},
    **{
        _FORMS.get(word, word): Cue.DENIAL if _FORMS.get(word, word) in ("fail", "lack") else Cue.NEGATION for word in NEGATIONS
    },
}
"""Lemma → what it does."""

WEAK = frozenset(
    {
        "block", "deficient", "deficiency", "prevent", "preclude", "abolish", "abrogate", "eliminate", "exclude", "loss",
        "lose", "resistant", "refractory", "knockout", "abnormal", "free", "minus", "rule", "deny", "can", "could", "would",
        "should", "must", "indicate", "evidence", "support", "model", "raise", "notion", "idea", "consistent", "expect",
        "implicate", "attempt", "detection", "role", "mechanism", "effect", "kinetics", "confirm", "identify", "define",
        "staining", "pcr", "rt-pcr", "elisa", "blot", "immunoblot", "hypothesis", "look", "search",
    }
)  # fmt: skip
"""Cues that mostly leave a statement as it is (of 88 BioNLP events below *prevent* none is negated): by themselves they decide
nothing, a classifier may weigh them."""


_TURNED = re.compile(r"(?:non|un)-?(?:activat|induc|inhibit|modulat|react|regulat|respons|sensit|stimulat)(?:ible|able|ive)")
_UNRESPONSIVE = "unresponsive"


def cue_of(text: str, lemma: str = "") -> str | None:
    """The cue that a token is, by its lemma, if it is one. Adjectives that *non-* or *un-* turns round count as *unresponsive*.

    >>> cue_of("failed"), cue_of("N't"), cue_of("examining", "examine"), cue_of("binds", "bind"), cue_of("noninducible")
    ('fail', 'not', 'examine', None, 'unresponsive')
    """
    for shown in (lemma.lower(), text.lower()):
        word = _FORMS.get(shown, shown)
        if word in CUES:
            return word
        if _TURNED.fullmatch(word):
            return _UNRESPONSIVE
    return None
