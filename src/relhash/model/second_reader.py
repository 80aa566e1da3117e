"""A shipped model with a second reader: the encoder's vote beside the classifier's (:mod:`relhash.language.encoder`).

Two files ship side by side and are made apart from one another: the model, and ``encoder.json`` with what both need together:
how much each vote counts, and calibration and threshold of their mean. So the probability of a pair means the same with the
second reader and without, and what the model has learned of rows of raw text holds for both. Together they are an ordinary
model with one feature part more and a committee of two; rows say so in the version of their model.
"""

from __future__ import annotations

import importlib.util
import json
import os
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from relhash.codec import InJson
from relhash.errors import ModelFileError
from relhash.language.encoder import OTHER_FILE, encoder_is_there
from relhash.learn.calibration import Calibration
from relhash.learn.committee import CommitteeClassifier, FittedCommittee, FittedMember
from relhash.learn.descriptors import EncoderPart
from relhash.learn.linear import FittedLinear, LinearClassifier
from relhash.learn.threshold import Threshold
from relhash.model.fitted import FittedModel
from relhash.model.prediction import ModelIdentity

FILE = "encoder.json"


@dataclass(frozen=True)
class SecondReader(InJson):
    """What a model and the encoder need to decide together.

    Attributes
    ----------
    encoder
        Version of the weights that all of this was fitted with.
    columns
        Numbers that the encoder gives of a pair; the first are log-odds by head.
    heads
        How much each of these log-odds counts.
    scales
        Spread of the log-odds of the model and of the encoder on pairs that neither has learned.
    weight
        How much the encoder counts; the model counts 1.
    slope, offset
        The line that turns the log-odds of their mean into those of a probability.
    threshold
        Which pairs of annotated entities are accepted.
    """

    encoder: str
    columns: int
    heads: tuple[float, ...]
    scales: tuple[float, float]
    weight: float
    slope: float
    offset: float
    threshold: Threshold

    @classmethod
    def read(cls, path: Path) -> SecondReader:
        try:
            return cls.from_dict(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError, ModelFileError) as error:
            raise ModelFileError(f"{path}: is no second reader ({error})") from error

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_dict(), indent=1) + "\n", encoding="utf-8")

    @property
    def card(self) -> dict[str, Any]:
        """What the card of a model says of it."""
        return {"second_reader": {"encoder": self.encoder, "weight": self.weight}}

    def beside(self, model: FittedModel) -> FittedModel:
        """The model with the encoder as a member of its committee."""
        own = model.decision
        width = sum(len(part.columns) for part in model.features.parts)
        weights = np.zeros(self.columns)
        weights[: len(self.heads)] = self.heads
        members = (
            FittedMember(own.kind, own.classifier, [slice(0, width)], 1.0, self.scales[0]),
            FittedMember(
                LinearClassifier.kind,
                FittedLinear(weights, 0.0),
                [slice(width, width + self.columns)],
                self.weight,
                self.scales[1],
            ),
        )
        features = copy(model.features)
        features.parts = [*model.features.parts, EncoderPart()]
        decision = replace(
            own,
            classifier=FittedCommittee(members, width + self.columns),
            kind=CommitteeClassifier.kind,
            calibration=Calibration.line(self.slope, self.offset),
            threshold=self.threshold,
            chosen=f"{own.chosen}; encoder {self.encoder}",
        )
        identity = model.identity or ModelIdentity()
        return replace(
            model,
            settings=replace(model.settings, parts=(*model.settings.parts, EncoderPart())),
            features=features,
            decision=decision,
            identity=replace(identity, version=f"{identity.version}+encoder"),
            card={**model.card, **self.card},
        )


def second_reader_of(path: Path, wanted: bool | None = None) -> SecondReader | None:
    """The second reader that ships with a model's file, unless somebody has named another encoder, or ``off``.

    ``wanted=None``: where the extra ``[encoder]`` is installed. Without it the same numbers take longer.
    """
    found = path.parent / FILE
    if wanted is None:
        wanted = importlib.util.find_spec("onnxruntime") is not None
    is_there = wanted and found.is_file() and not os.environ.get(OTHER_FILE) and encoder_is_there()
    return SecondReader.read(found) if is_there else None


def second_reader_card(path: Path) -> dict[str, Any]:
    """What the card of a model's file should say of its second reader."""
    second = second_reader_of(path)
    return {} if second is None else second.card
