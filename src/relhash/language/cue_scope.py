"""How the cues of a sentence lie to the words of a statement, along the dependency graph.

One breadth-first search per cue serves all statements of the sentence. It leaves, at every token near enough, the way from
that token to the cue: ``<label`` climbs to a governor, ``label>`` descends to a dependent. A way may descend in its last step
only: a cue bears on what it governs, on what it modifies, and on what that governs, not on what merely stands beside it. Any
graph will do, with cycles or in pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass

from relhash.corpus.document import Dependency, Sentence, Token
from relhash.language.cues import CUES, Cue, cue_of

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
