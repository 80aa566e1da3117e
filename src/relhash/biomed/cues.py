"""Words that deny or doubt a statement, and how they lie to its words along the dependency graph.

:data:`NEGATIONS` are the plainest, which views and descriptors look for; :data:`CUES` has all whose scope
:mod:`relhash.biomed.assertion` follows. One breadth-first search per cue leaves, at every token near enough, the way from it to
the cue: ``<label`` climbs to a governor, ``label>`` descends to a dependent, in the last step only. A cue bears on what it
governs, on what it modifies, and on what that governs. Any graph will do, with cycles or in pieces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from relhash.corpus.document import Dependency, Sentence, Token

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


@lru_cache(maxsize=16384)
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


FAR = 5
"""Steps beyond which a cue is not followed."""

Way = tuple[str, ...]
_SWALLOWED = {
    "without": ("without", "case"), "nor": ("neither", "preconj"), "negcc": ("not", "neg"), "unlike": ("unlike", "case"),
}  # fmt: skip
"""Ends of collapsed labels (``prep_without``, ``conj_negcc``) → the word that they stand for, which the graph has left without
a place of its own, and the label under which it is put back below what it stands before."""
_SAME = {"obj": "dobj", "acl:relcl": "rcmod", "relcl": "rcmod", "compound": "nn", "acl": "vmod", "partmod": "vmod"}
_KEPT = ("prep_of", "prep_in", "prep_for", "prep_without", "prep_by", "prep_to", "prep_on", "prep_with")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A cue of the sentence: its token, its lemma, its kind, and the way to it from each token that is near."""

    token: int
    word: str
    kind: Cue
    ways: dict[int, Way]
    following: dict[int, int]
    """For each of these tokens the next one on its way."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What is said, by the tokens that say it.

    Attributes
    ----------
    head
        What names the relation: the trigger of an interaction, or the top of the path between two participants.
        The top comes first, then other words of the path or the trigger.
    participants
        The tokens of those who take part.
    is_given
        Whether it is named as known, not said: *we compared the RAF1 binding proteins MEK1 and GRB2* leaves nothing open by
        its *compared*.
    """

    head: tuple[int, ...]
    participants: tuple[int, ...] = ()
    is_given: bool = False


class CueScope:
    """The cues of a sentence, each with the ways that lead to it.

    Attributes
    ----------
    tokens
        The tokens of the sentence.
    cues
        From left to right.
    is_parsed
        Whether there is a graph to follow.
    """

    __slots__ = ("cues", "is_parsed", "tokens")

    def __init__(self, tokens: Sequence[Token], arcs: Sequence[Dependency]) -> None:
        self.tokens = tokens
        self.is_parsed = bool(arcs)
        found = [
            (number, word)
            for number, token in enumerate(tokens)
            if (word := cue_of(_with_non(tokens, number), token.lemma)) is not None and not _is_not_only(tokens, number)
        ]
        self.cues: tuple[Attachment, ...] = ()
        if not found:
            return
        steps = _steps(tokens, arcs)
        self.cues = tuple(Attachment(number, word, CUES[word], *_ways(number, steps)) for number, word in found)

    @classmethod
    def of(cls, sentence: Sentence) -> CueScope:
        return cls(sentence.tokens, sentence.dependencies)

    def without(self, kind: Cue) -> CueScope:
        """The same sentence, but for cues of one kind."""
        fewer = copy(self)
        fewer.cues = tuple(cue for cue in self.cues if cue.kind is not kind)
        return fewer


def _steps(tokens: Sequence[Token], arcs: Sequence[Dependency]) -> list[dict[int, str]]:
    """For each token its neighbours, each with the symbol of the step *from the neighbour to the token*."""
    steps: list[dict[int, str]] = [{} for _ in tokens]

    def join(head: int, dependent: int, label: str) -> None:
        if head != dependent:
            steps[head].setdefault(dependent, f"<{label}")
            steps[dependent].setdefault(head, f"{label}>")

    for arc in sorted(arcs, key=lambda arc: (arc.head, arc.dependent, arc.label)):
        join(arc.head, arc.dependent, _short(arc.label))
        if (end := arc.label.rsplit("_", 1)[-1]) in _SWALLOWED:
            word, label = _SWALLOWED[end]
            cue = next((n for n in range(arc.dependent - 1, -1, -1) if tokens[n].text.lower() == word), None)
            if cue is not None:
                join(arc.dependent, cue, label)
    return steps


@lru_cache(maxsize=1024)
def _short(label: str) -> str:
    """Labels of several schemes under one name, rare prepositions and all conjunctions under their kind.

    >>> [_short(label) for label in ("prep_upon", "prep_of", "conj_and", "conj:or", "nmod:of", "nsubj:pass")]
    ['prep', 'prep_of', 'conj', 'conj', 'prep_of', 'nsubjpass']
    """
    label = label.replace("nmod:", "prep_").replace("obl:", "prep_").replace(":pass", "pass")
    if label.startswith("prepc_"):
        return "prepc"
    if label.startswith("prep_"):
        return label if label in _KEPT else "prep"
    if label.startswith("conj"):
        return "conj"
    return _SAME.get(label, label)


def _ways(cue: int, steps: Sequence[dict[int, str]]) -> tuple[dict[int, Way], dict[int, int]]:
    """The shortest way from each token to ``cue``, at most :data:`FAR` steps long, and the next token on it."""
    ways: dict[int, Way] = {cue: ()}
    following: dict[int, int] = {}
    queue = [cue]
    for token in queue:  # grows while it is walked
        way = ways[token]
        if len(way) == FAR:
            break
        for other in sorted(steps[token]):
            if other not in ways and (token == cue or steps[token][other].startswith("<")):
                ways[other] = (steps[token][other], *way)
                following[other] = token
                queue.append(other)
    return ways, following


def _with_non(tokens: Sequence[Token], number: int) -> str:
    """A token with the *non* before it, which tokenizers split off: *non - inducible*."""
    text = tokens[number].text
    is_turned = number > 1 and tokens[number - 1].text == "-" and tokens[number - 2].text.lower() == "non"
    return f"non{text}" if is_turned else text


def _is_not_only(tokens: Sequence[Token], number: int) -> bool:
    """*not only … but also* denies nothing."""
    after = tokens[number + 1].text.lower() if number + 1 < len(tokens) else ""
    return tokens[number].text.lower() == "not" and after in ("only", "merely", "just", "solely", "simply")
