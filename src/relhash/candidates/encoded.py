"""The view ``encoder``: what the shipped transformer says of a pair (:mod:`relhash.language.encoder`).

Log-odds that the two are related, by each definition that it has learned, and a vector. All entities of a sentence show as
their class, so that it is read once for all its pairs. Of a discontinuous mention the first span counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.scene import Scene, Stage
from relhash.candidates.symbols import entity_class
from relhash.candidates.view import Collector, View
from relhash.language.encoder import Pair, Sentence, shared_encoder

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
        self.blocks: list[NDArray[np.float32]] = [np.empty((0, len(self.encoder.columns)), np.float32)]

    def add(self, scene: Scene) -> None:
        if scene.stage is not self.stage:
            if self.waiting >= AT_ONCE:
                self._encode()
            self.stage = stage = scene.stage
            entities = [
                ((m.spans[0][0] - stage.start, m.spans[0][1] - stage.start), entity_class(m.type)) for m in stage.mentions
            ]
            self.number = {mention.id: number for number, mention in enumerate(stage.mentions)}
            self.sentences.append(Sentence(stage.document.text[stage.start : stage.end], entities, []))
        numbers = [self.number[mention.id] for mention in scene.candidate.mentions if not mention.is_trigger]
        self.sentences[-1].pairs.append(Pair(numbers[0], numbers[-1]))
        self.waiting += 1

    def _encode(self) -> None:
        self.blocks += self.encoder.encode(self.sentences)
        self.sentences, self.waiting = [], 0

    def build(self) -> NDArray[np.float32]:
        self._encode()
        self.stage = None
        return np.concatenate(self.blocks)
