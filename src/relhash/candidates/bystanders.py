"""Pairs that a sentence names side by side without relating them: compared, alternatives, a fused gene, a complex and its part,
or in phrases of their own (:mod:`relhash.candidates.phrases_apart`).

How a curator reads such pairs is a matter of the relation that she looks for, so they stay candidates. Only a model whose
probabilities were fitted to rows that somebody has read (:class:`relhash.learn.end_to_end.EndToEnd`) doubts them. Of the
gold pairs of AIMed and of the training folders of BioNLP 2009 and 2013 these are 702, of which 12 are related
(``benchmarks/surroundings.py``).
"""

from __future__ import annotations

import re

from relhash.biomed.names.fusions import are_a_fusion
from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.candidates.phrases_apart import stand_apart
from relhash.corpus.document import Mention

_JOINED = re.compile(r"\s?[-‐‑–/]\s?")
_PATHWAY = re.compile(r"\s*(?:signal\w*\s+)?(?:transduction\s+)?(?:pathways?|cascades?|axis|axes)\b|\s+signall?ing\b")
_FUSED = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(?:(?:gene|hybrid|transcript|protein)\s+)?"
    r"(?:fusions?|chim(?:a?era|eric)\w*|translocations?|rearrangements?|constructs?|oncoproteins?|oncogenes?)\b"
)
_TOGETHER = re.compile(
    r"[-\s]*+(?:\([^()]*\)\s*+)?(?:[\w-]+\s+){0,2}"
    r"(?:complex|(?:hetero|homo)\w*mer|(?:hetero|homo)\w*meri[sz]|dimer|oligomer|interact|bind|bound|associat|contact|pair)"
)
"""Words behind "c-Rel/p65" that say that the two are joined. Without one, a slash means *or*, or *also called*."""
_COMPARED = re.compile(
    r"\b(?:than|(?:similar(?:ly)?|identical|homologous|related|relative|opposite|in contrast) to|compared (?:to|with)|"
    r"(?:distinct|different) from|(?:homolog(?:ue)?s?|counterparts?) of|same\s+(?:[\w-]+\s+){0,3}as|unlike|"
    r"homology (?:to|with)|resembles?)\s+(?P<like>(?:on|of|for|in|with|by)\s+)?"
    r"(?:(?:that|those|of|for|the|mutated|wild-type|human|mouse|murine)\s+)*$"
)
_BINDING = re.compile(r"\b(?:bind|bound|affinit|ligand|interact)")
"""Who compares how strongly two things bind says that they do: "bound TrkB, although with lower affinity than TrkA"."""
_PART_OF = re.compile(
    r"(?:\s+(?:DNA[- ]binding|regulatory|catalytic|alpha|beta|gamma|delta|zeta))?\s+"
    r"(?:subunits?|chains?|components?)\s+(?:\([^()]*\)\s+)?of\s+(?:the\s+)?(?:(?:heterodimeric|general|human|mouse|transcription|transcriptional|factor|complex|nuclear)\s+)*"
)
_FAMILY = re.compile(r"[-\s]+(?:sub|super)?family\b")
_A_MEMBER_OF = re.compile(
    r"(?:\s\([^()]*\))?(?:,| is| was)\s(?:[Aa]n?|the|another)\s"
    r"(?:(?:new|novel|newly|recently|identified|distant|human|murine)\s)*(?:members?\sof\s(?:the\s)?)?"
)
_MEMBER_NAMED = re.compile(r"[-\s]+(?:sub|super)?family\s+members?,?\s(?:(?:named|called|termed|designated)\s)?")
"""A kind and one of its kind: "Grf40, a Grb2 family member", "a Grb2 family member, named Grf40"."""
_COMPOSED = re.compile(r"\b(?:composed|consist\w*|made up|comprised) of\b|\bcompris(?:es?|ing)\b")
_PARTS = re.compile(r"\s*(?:(?:,|and|or)\s+[\w-]+\s+)*(?:subunits?|chains?|components?)\b")


def are_bystanders(candidate: Candidate) -> bool:
    """Whether the words between and behind the two participants say that they are only named together.

    >>> from relhash.corpus import Document, Mention
    >>> def pair(text: str, *names: str) -> Candidate:
    ...     places = [(text.index(name), text.index(name) + len(name)) for name in names]
    ...     return Candidate(Document("d", text), 0, tuple(Mention(n, "protein", (p,), n) for n, p in zip(names, places)),
    ...                      ("e1", "e2"))
    >>> are_bystanders(pair("TNF acts on IKK1 more than on IKK2", "IKK1", "IKK2"))
    True
    >>> are_bystanders(pair("the Jak-STAT pathway", "Jak", "STAT")), are_bystanders(pair("the Jak-STAT complex", "Jak", "STAT"))
    (True, False)
    """
    if len(candidate.mentions) != 2 or TRIGGER in candidate.roles:
        return False
    first, second = candidate.mentions
    return first.end <= second.start and _stand_beside(candidate.document.text, first, second)


def _stand_beside(text: str, first: Mention, second: Mention) -> bool:
    between = text[first.end : second.start]
    if _JOINED.fullmatch(between):
        return (
            _PATHWAY.match(text, second.end) is not None
            or _FUSED.match(text, second.end) is not None
            or are_a_fusion(first.text, second.text)
            or ("/" in between and first.text != second.text and _TOGETHER.match(text, second.end) is None)
        )
    return (
        _are_compared(text, first, between)
        or _PART_OF.fullmatch(between) is not None
        or (_PARTS.match(text, second.end) is not None and _COMPOSED.search(between) is not None)
        or (_A_MEMBER_OF.fullmatch(between) is not None and _FAMILY.match(text, second.end) is not None)
        or _MEMBER_NAMED.fullmatch(between) is not None
        or stand_apart(text, first, second)
    )


def _are_compared(text: str, first: Mention, between: str) -> bool:
    """A preposition after *than* says what is compared: in "TNF acts on IKK1 more than on IKK2" not TNF with IKK2."""
    found = _COMPARED.search(between)
    if found is None or _BINDING.search(between):
        return False
    like = found["like"]
    return like is None or text[max(0, first.start - 20) : first.start].split()[-1:] == [like.strip()]
