"""Is this what the sentence says? Extracted statements, judged against the sentence that is said to state them.

>>> from relhash.model.checking import Checker
>>> row = {"sentence": "RAF1 phosphorylates MEK1.", "subject": "RAF1", "object": "MAP2K1", "type": "Phosphorylation"}
>>> [one.verdict for one in Checker.shipped().check([row])]
['supported']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from relhash.candidates.statements.types import shipped_types
from relhash.model.checking.checked import BATCH, Checked, checked
from relhash.model.checking.features import features, words
from relhash.model.checking.judge import Judge, shipped_judge
from relhash.model.checking.rows import Claim, claims_of
from relhash.model.checking.sighting import Examiner, Sighting
from relhash.model.fitted import FittedModel

__all__ = ["Checked", "Checker", "Claim", "Judge"]


@dataclass(frozen=True, slots=True)
class Checker:
    """Judges claims: what looks at their sentences, and the judge of what it saw."""

    examiner: Examiner
    judge: Judge

    @classmethod
    def shipped(
        cls,
        *,
        judge: Path | Judge | None = None,
        types: Path | None = None,
        precision: float | None = None,
        model: FittedModel | None = None,
    ) -> Checker:
        """The models that ship; with a judge of your own, more types, or another share of right rows among the supported.

        ``model`` takes the place of the shipped model of its kind: of pairs, or of interactions.
        """
        own = shipped_judge() if judge is None else judge if isinstance(judge, Judge) else Judge.load(judge)
        table = shipped_types() if types is None else shipped_types().extended(types)
        of_statements = model is not None and model.policy.has_roles
        pairs = model if model is not None and not of_statements else FittedModel.load("ppi", cache=False, encoder=False)
        statements = model if model is not None and of_statements else FittedModel.load("events", cache=False, encoder=False)
        return cls(Examiner(pairs, statements, table), own if precision is None else own.accepting(precision))

    def check(self, rows: Iterable[Mapping[str, Any] | Claim]) -> list[Checked]:
        """The verdicts on claims, or on records with ``sentence``, ``subject``, ``object`` and ``type``, in order."""
        claims = [claim for one in rows for claim in ([one] if isinstance(one, Claim) else claims_of([one]))]
        return list(checked(claims, self.examiner, self.judge))

    def fitted(self, claims: Sequence[Claim], right: Sequence[bool], papers: Sequence[str]) -> Judge:
        """The judge, fitted to claims with verdicts; ``papers`` are held out together."""
        return self.judge.fitted([self.numbers_of(one) for one in self.sightings(claims)], right, papers)

    def sightings(self, claims: Sequence[Claim]) -> list[Sighting]:
        """What the sentences have to say on the claims."""
        starts = range(0, len(claims), BATCH)
        return [one for first in starts for one in self.examiner.examine(claims[first : first + BATCH])]

    def numbers_of(self, sighting: Sighting) -> dict[str, float]:
        """What a judge sees of a claim, words included."""
        return features(sighting, self.examiner.names) | words(sighting)

    def check_groups(self, groups: Iterable[Sequence[Claim]]) -> Iterator[Checked]:
        """One verdict per group of claims: the best of them."""
        waiting = iter(groups)
        while batch := list(islice(waiting, BATCH)):
            said = checked((claim for group in batch for claim in group), self.examiner, self.judge)
            for group in batch:
                yield max(islice(said, len(group)), key=lambda one: one.probability)
