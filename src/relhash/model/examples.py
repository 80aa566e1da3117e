"""Labelled sentences that ship: what a model has learned from, as far as the licences of its corpora allow to show it.

A model file holds codes and labels of its training text, no sentences. A few thousand pairs of BioInfer, BioNLP and ExTRI ship
beside the models, with the sequences that the kernels compare, so that nothing has to be parsed. A model is shown only those
whose sentence it has learned.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate, PathSet, StructureSet, build_structures
from relhash.candidates.scene import Scene
from relhash.hashing.search import similarities
from relhash.model.answers.alike import views_to_compare
from relhash.model.fitted import FittedModel
from relhash.model.index import VIEWS
from relhash.resources import resource_path


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled pair: its marked sentence, whether it is related, and the corpus that says so."""

    marked: str
    is_related: bool
    source: str


@cache
def shipped_examples() -> tuple[tuple[Example, ...], NDArray[np.uint64], StructureSet]:
    """All of them, the hash of each sentence, and what the kernels compare."""
    with gzip.open(resource_path("examples", "labelled.jsonl.gz"), "rt", encoding="utf-8") as handle:
        rows = [json.loads(line) for line in handle]
    views = {view: PathSet.from_sequences([row["views"][place] for row in rows]) for place, view in enumerate(VIEWS)}
    examples = tuple(Example(row["marked"], row["related"], row["source"]) for row in rows)
    return examples, np.array([int(row["sentence"], 16) for row in rows], np.uint64), StructureSet(views)


def learned_examples(model: FittedModel, queries: Sequence[Candidate | Scene], n: int) -> list[list[tuple[Example, float]]]:
    """For each query the ``n`` examples that the model has learned from and are most like it, with their similarity."""
    kernels = {view: kernel for view, kernel in views_to_compare(model).items() if view in VIEWS}
    examples, hashes, structures = shipped_examples()
    known = np.flatnonzero(np.isin(hashes, model.training_sentences))
    if not known.size or not kernels:
        return []
    values = similarities(kernels, structures[known], build_structures(queries, list(kernels))).T
    best = np.argsort(-values, axis=1, kind="stable")[:, :n]
    return [[(examples[known[row]], float(own[row])) for row in rows.tolist()] for own, rows in zip(values, best, strict=True)]
