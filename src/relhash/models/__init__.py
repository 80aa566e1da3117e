"""The whole way from a corpus to scored relations.

>>> from relhash.models import PRESETS
>>> "best" in PRESETS
True
"""

from relhash.learning.decision import ClassifierSpec, Head, HeadSettings
from relhash.learning.metrics import Metrics, measure
from relhash.models.extractor import RelationExtractor
from relhash.models.prediction import Prediction
from relhash.models.presets import PRESETS, Preset, preset

__all__ = [
    "PRESETS", "ClassifierSpec", "Head", "HeadSettings", "Metrics", "Prediction", "Preset", "RelationExtractor", "measure",
    "preset",
]  # fmt: skip
