"""The view ``encoder``: what the shipped transformer says of a candidate (:mod:`relhash.language.encoder`).

Of a pair log-odds that the two are related, by each definition that it has learned, and a vector. A candidate with a trigger is
as likely as its links, those of the trigger with each participant in its role: their log-probabilities are summed, under
``theme`` and under ``cause``; the other numbers are means over the links. All entities of a sentence show as their class, so
that it is read once for all its candidates. Of a discontinuous mention the first span counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.gold import CAUSE, THEME
from relhash.candidates.scene import Scene, Stage
from relhash.candidates.symbols import entity_class
from relhash.candidates.view import Collector, View
from relhash.corpus.document import Mention, Span
from relhash.language.encoder import Pair, Sentence, shared_encoder
from relhash.language.word_pieces import TRIGGER

ENCODER = "encoder"
"""Name of the view."""
AT_ONCE = 4096
"""Pairs that are encoded at a time: it bounds the memory."""


@dataclass(frozen=True)
class EncoderView(View):
    """The dense view; the encoder is loaded when rows are collected."""

    name: str = ENCODER
    needs_parse: bool = False
    is_dense: ClassVar[bool] = True

    def collector(self) -> Collector:
        return _Rows()


class _Rows:
    def __init__(self) -> None:
        self.encoder = shared_encoder()
        self.stage: Stage | None = None
        self.sentences: list[Sentence] = []
        self.waiting = 0
        self.pairs: dict[Pair, int] = {}
        self.asked: list[tuple[int, list[tuple[int, str]]]] = []
        self.blocks: list[NDArray[np.float32]] = [np.empty((0, len(self.encoder.columns)), np.float32)]

    def add(self, scene: Scene) -> None:
        candidate = scene.candidate
        if scene.stage is not self.stage:
            if self.waiting >= AT_ONCE:
                self._encode()
            self.stage = stage = scene.stage
            self.start = stage.start
            entities = [(_within(stage.start, m), entity_class(m.type)) for m in stage.mentions]
            self.number = {mention.id: number for number, mention in enumerate(stage.mentions)}
            self.entities, self.pairs = entities, {}
            self.sentences.append(Sentence(stage.document.text[stage.start : stage.end], entities, []))
        trigger = candidate.trigger
        if trigger is None:
            numbers = [self.number[mention.id] for mention in candidate.mentions]
            asked = [(self._pair(numbers[0], numbers[-1]), "")]
        else:
            word = self._word(trigger)
            asked = [
                (self._pair(*sorted((self.number[mention.id], word), key=lambda one: self.entities[one][0])), role)
                for role, mention in zip(candidate.roles, candidate.mentions, strict=True)
                if not mention.is_trigger
            ]
        self.asked.append((len(self.sentences) - 1, asked))

    def _word(self, trigger: Mention) -> int:
        """The number of a trigger in its sentence; one word may name several types."""
        one = (_within(self.start, trigger), TRIGGER)
        if one not in self.entities:
            self.entities.append(one)
        return self.entities.index(one)

    def _pair(self, first: int, second: int) -> int:
        """The number of a pair in its sentence, which is asked about once."""
        number = self.pairs.setdefault(Pair(first, second), len(self.pairs))
        if number == len(self.sentences[-1].pairs):
            self.sentences[-1].pairs.append(Pair(first, second))
            self.waiting += 1
        return number

    def _encode(self) -> None:
        found = self.encoder.encode(self.sentences)
        rows = np.empty((len(self.asked), len(self.encoder.columns)), np.float32)
        of_role = {role: self.encoder.heads.index(role) for role in (THEME, CAUSE) if role in self.encoder.heads}
        for row, (sentence, asked) in zip(rows, self.asked, strict=True):
            own = found[sentence][[number for number, _ in asked]]
            row[:] = own.mean(axis=0)
            if asked[0][1]:
                row[list(of_role.values())] = 0
                for (_, role), link in zip(asked, own, strict=True):
                    head = of_role.get(CAUSE if role == CAUSE else THEME)
                    if head is not None:
                        row[head] -= np.logaddexp(0, -link[head])
        self.blocks.append(rows)
        self.sentences, self.asked, self.waiting, self.stage = [], [], 0, None

    def build(self) -> NDArray[np.float32]:
        self._encode()
        return np.concatenate(self.blocks)


def _within(start: int, mention: Mention) -> Span:
    return mention.spans[0][0] - start, mention.spans[0][1] - start
