"""From the numbers of a sighting to a probability that the claim is what the sentence says, and to a verdict in words."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from relhash.errors import ModelFileError
from relhash.resources import resource_path

SCHEMA = 1
SUPPORTED, UNSUPPORTED, LOOK, CANNOT_TELL = "supported", "unsupported", "look", "cannot tell"
VERDICTS = (SUPPORTED, LOOK, UNSUPPORTED, CANNOT_TELL)


@dataclass(frozen=True, slots=True)
class Judge:
    """A weighted sum of named numbers, its log-odds, and the probabilities from which on a claim counts as supported or not.

    Attributes
    ----------
    weights
        Of the features (:mod:`relhash.model.checking.features`).
    bounds
        The least and the greatest value of a feature that counts, where it has bounds.
    accept, reject
        Probabilities from which on a claim is supported, and up to which it is not; a person has to look at those between.
    precision
        Pairs of a probability and the share of right claims from it on, on the rows that the judge was measured on.
    """

    bias: float
    weights: Mapping[str, float]
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    slope: float = 1.0
    accept: float = 0.65
    reject: float = 0.4
    precision: Sequence[tuple[float, float]] = ()
    made_from: str = ""

    def log_odds(self, numbers: Mapping[str, float]) -> float:
        total = self.bias
        for name, weight in self.weights.items():
            value = numbers.get(name, 0.0)
            if name in self.bounds:
                low, high = self.bounds[name]
                value = min(max(value, low), high)
            total += weight * value
        return self.slope * total

    def probability(self, numbers: Mapping[str, float]) -> float:
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, self.log_odds(numbers)))))

    def accepting(self, precision: float) -> Judge:
        """The judge that calls supported what was right in so many cases, on the rows that it was measured on."""
        from dataclasses import replace

        enough = [probability for probability, share in self.precision if share >= precision]
        return replace(self, accept=min(enough, default=1.0))

    def save(self, path: Path) -> None:
        from relhash.files import replacing

        own = {"schema": SCHEMA, **{name: getattr(self, name) for name in self.__dataclass_fields__}}
        with replacing(path, "wb") as handle:
            handle.write(json.dumps(own, indent=1, sort_keys=True).encode())

    @classmethod
    def load(cls, path: Path) -> Judge:
        try:
            given: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if given.pop("schema") != SCHEMA:
                raise ModelFileError(f"{path}: made by another version of RelHash; make it again with relhash check --fit")
            given["bounds"] = {name: (float(low), float(high)) for name, (low, high) in given["bounds"].items()}
            given["precision"] = tuple((float(p), float(share)) for p, share in given["precision"])
            return cls(**given)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ModelFileError(f"{path}: not a judge ({error}); relhash check --fit JUDGED -o my.judge makes one") from error


@cache
def shipped_judge() -> Judge:
    """The judge that ships."""
    return Judge.load(resource_path("statements", "judge.json"))
