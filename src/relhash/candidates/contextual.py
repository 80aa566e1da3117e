"""The contextual view: what a sentence encoder makes of a candidate's sentence (optional, extra ``[contextual]``).

The sentence is blinded as for the other views (``protein1``, ``protein2`` for the participants, ``protein`` for the rest), so
that the encoder sees roles and not names, and its vectors are averaged over the two participants, the words between them, the
words on the dependency path, and the whole sentence: five stretches, side by side.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.scene import Scene
from relhash.candidates.symbols import entity_class
from relhash.candidates.view import Collector, View
from relhash.corpus.document import Span
from relhash.language.encoder import Item, shared_encoder

CONTEXTUAL = "contextual"
"""Name of the view."""
AT_ONCE = 4096
"""Candidates that are encoded at a time: enough to find sentences of the same length, and what bounds the memory."""
STRETCHES = ("first", "second", "between", "path", "sentence")


@dataclass(frozen=True)
class ContextualView(View):
    """The dense view of the vectors; the encoder is loaded when rows are collected."""

    name: str = CONTEXTUAL
    needs_parse: bool = False
    is_dense: ClassVar[bool] = True

    def collector(self) -> Collector:
        return _Vectors()


class _Vectors:
    """What a sentence encoder says; half precision holds all of it that matters and half of the memory."""

    def __init__(self) -> None:
        self.encoder = shared_encoder()
        self.items: list[Item] = []
        self.blocks: list[NDArray[np.float16]] = []

    def add(self, scene: Scene) -> None:
        self.items.append(blinded_text(scene))
        if len(self.items) >= AT_ONCE:
            self._encode()

    def _encode(self) -> None:
        """:data:`STRETCHES` one after the other, each as long as the encoder's vectors."""
        width = len(STRETCHES) * self.encoder.width
        vectors = [own.ravel() for own in self.encoder.encode_all(self.items)]
        self.blocks.append(np.array(vectors, np.float32).reshape(len(vectors), width).astype(np.float16))
        self.items = []

    def build(self) -> NDArray[np.float32]:
        self._encode()
        return np.concatenate(self.blocks).astype(np.float32)


def blinded_text(scene: Scene) -> tuple[str, list[list[Span]]]:
    """The sentence with entities replaced, and where in it the first four stretches lie.

    Of a discontinuous participant the first span is replaced; of entities that overlap, only one is (participants first).
    """
    stage, (first, second) = scene.stage, scene.candidate.mentions[:2]
    replacements: dict[Span, str] = {}
    for number, mention in enumerate((first, second), start=1):
        _replace(replacements, mention.spans[0], f"{entity_class(mention.type)}{number}")
    for mention in stage.mentions:
        _replace(replacements, mention.spans[0], entity_class(mention.type))
    moved = _Moved(stage.document.text, stage.start, stage.end, replacements)
    between = (min(first.end, second.start), second.start)
    path = scene.paths[0].tokens if stage.is_parsed else ()
    on_path = [(stage.tokens[token].start, stage.tokens[token].end) for token in path]
    stretches = [
        [moved.span(first.spans[0])],
        [moved.span(second.spans[0])],
        [moved.span(between)],
        list(map(moved.span, on_path)),
    ]
    return moved.text, stretches


def _replace(replacements: dict[Span, str], span: Span, word: str) -> None:
    if not any(start < span[1] and span[0] < end for start, end in replacements):
        replacements[span] = word


class _Moved:
    """A text with some spans replaced, and where its characters have moved."""

    def __init__(self, text: str, start: int, end: int, replacements: dict[Span, str]) -> None:
        self.old: list[int] = [start]  # pieces of the old text start here …
        self.new: list[int] = [0]  # … and here in the new one
        parts: list[str] = []
        length = 0
        edges = sorted(span for span in replacements if start <= span[0] and span[1] <= end)
        for before, span in pairwise([(start, start), *edges]):
            for piece, old_end in ((text[before[1] : span[0]], span[0]), (replacements[span], span[1])):
                parts.append(piece)
                length += len(piece)
                self.old.append(old_end)
                self.new.append(length)
        parts.append(text[self.old[-1] : end])
        self.text = "".join(parts)

    def span(self, span: Span) -> Span:
        start, end = self._position(span[0], False), self._position(max(span[0], span[1] - 1), True)
        return start, max(start, end) if span[1] > span[0] else start

    def _position(self, character: int, after: bool) -> int:
        """Where a character of the old text now begins, or ends; anything inside a replaced span has become all of it."""
        piece = max(bisect_right(self.old, character) - 1, 0)
        is_replaced = piece % 2 == 1  # kept and replaced pieces alternate
        if is_replaced:
            return self.new[piece + after]
        return self.new[piece] + character - self.old[piece] + after
