"""Data sets of interactions with types and roles.

What a candidate is, and when it is valid, is said in :mod:`relhash.structures.interactions.gold`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from relhash.corpus import Document
from relhash.evaluation.datasets.dataset import Dataset
from relhash.structures.candidate import Candidate
from relhash.structures.interactions import participants
from relhash.structures.policies import CandidatePolicy


class InteractionDataset(Dataset):
    """Interaction candidates, each with the pair of participants that it joins, whatever their roles and the type."""

    def __init__(
        self,
        corpora: Sequence[Iterable[Document]],
        policy: CandidatePolicy,
        notes: Iterable[str] = (),
        *,
        learned_from: Sequence[int] = (),
    ) -> None:
        super().__init__(corpora, policy, learned_from=learned_from)
        self.notes = list(notes)
        numbers: dict[tuple[object, ...], int] = {}
        self.pairs = np.array(
            [
                numbers.setdefault((corpus, *_pair(candidate)), len(numbers))
                for corpus, candidate in zip(self.corpus, self.candidates, strict=True)
            ]
        )


def _pair(candidate: Candidate) -> tuple[object, ...]:
    """Document, sentence and participants without order: a cause and a theme, or two themes."""
    members = sorted(mention.id for mention in participants(candidate).values())
    return candidate.document.id, candidate.sentence, *members
