"""Is it the amount of the object that changes, or its activity? What the words around a pair say, where no cue is on the way.

A small linear model, learned from statements that curators wrote below their sentences (``tools/train_judge.py``). A word is
named by its place: ``path activate``, ``behind object level``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from relhash.candidates.graph import Connection
from relhash.candidates.scene import Stage
from relhash.candidates.statements.triggers import ACTIVITY, AMOUNT
from relhash.corpus.document import Mention
from relhash.resources import resource_path

ENTITY = "<entity>"


@dataclass(frozen=True, slots=True)
class AspectModel:
    """A weight per word. What is summed is divided by the square root of how many words are known.

    Attributes
    ----------
    least
        Log-odds from which on a statement is said to be about the amount: where amount and activity are stated alike often.
    """

    bias: float
    least: float
    weights: Mapping[str, float]

    def log_odds(self, words: frozenset[str]) -> float:
        """That the amount is meant.

        >>> said = shipped_model()
        >>> said.log_odds(frozenset({"behind object mrna"})) > 0 > said.log_odds(frozenset({"path activation"}))
        True
        """
        known = [self.weights[word] for word in sorted(words) if word in self.weights]
        return self.bias + sum(known) / max(len(known), 1) ** 0.5

    def aspect(self, stage: Stage, subject: Mention, object: Mention) -> str:
        return AMOUNT if self.log_odds(words_at(stage, subject, object)) > self.least else ACTIVITY

    @classmethod
    def load(cls, path: Path) -> AspectModel:
        given = json.loads(path.read_text(encoding="utf-8"))
        return cls(given["bias"], given["least"], given["weights"])


def words_at(stage: Stage, subject: Mention, object: Mention) -> frozenset[str]:
    """The words on the way from subject to object, between them and around them, each with its place."""
    return frozenset(f"{place} {word}" for place, own in _places(stage, subject, object) for word in own)


def _places(stage: Stage, subject: Mention, object: Mention) -> Iterator[tuple[str, Sequence[str]]]:
    from_, to = stage.tokens_of(subject), stage.tokens_of(object)
    left, right = sorted((from_, to))
    shown = lemmas(stage)
    yield f"from {'subject' if from_ < to else 'object'}", stretch(shown, left[-1] + 1, right[0])
    yield "before", stretch(shown, left[0] - 4, left[0])
    yield "behind", stretch(shown, right[-1] + 1, right[-1] + 5)
    for name, own in (("subject", from_), ("object", to)):
        yield f"before {name}", stretch(shown, own[0] - 2, own[0])
        yield f"behind {name}", stretch(shown, own[-1] + 1, own[-1] + 3)
    path = stage.graph.shortest_path(from_, to) if stage.is_parsed else None
    if path is not None and path.connection is Connection.PATH:
        yield "path", [*path.edges, *(shown[token] for token in path.tokens[1:-1])]


def lemmas(stage: Stage) -> list[str]:
    """The lemma of each token; of what belongs to an entity, a symbol."""
    return [(t.lemma or t.text).lower() if stage.is_free(n) else ENTITY for n, t in enumerate(stage.tokens)]


def stretch(shown: Sequence[str], first: int, end: int) -> list[str]:
    """Some words of a sentence; of a run of entities one."""
    own = shown[max(first, 0) : max(end, 0)]
    return [word for place, word in enumerate(own) if word != ENTITY or own[place - 1 : place] != [ENTITY]]


@cache
def shipped_model() -> AspectModel:
    """The model that ships."""
    return AspectModel.load(resource_path("statements", "aspect.json"))
