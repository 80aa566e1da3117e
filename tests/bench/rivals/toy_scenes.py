"""Scenes of one pair, from words and arcs."""

from __future__ import annotations

from dataclasses import replace

from relhash.candidates.scene import Scene, scenes
from relhash.corpus import Dependency
from tests.bench.rivals.toy_candidates import pair


def scene_of(words: str, arcs: list[tuple[int, int, str]] | None = None) -> Scene:
    candidate = pair(0, words.split())
    if arcs is not None:
        sentence = replace(candidate.document.sentences[0], dependencies=tuple(Dependency(*arc) for arc in arcs))
        candidate = replace(candidate, document=replace(candidate.document, sentences=(sentence,)))
    (scene,) = scenes([candidate])
    return scene
