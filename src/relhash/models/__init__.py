"""The whole way from a corpus to scored relations.

>>> from relhash.models import PRESETS
>>> "best" in PRESETS
True
"""

from relhash.models.extractor import RelationExtractor
from relhash.models.fitted import FittedModel
from relhash.models.prediction import Prediction
from relhash.models.presets import PRESETS, Preset, preset
from relhash.models.shared_codes import SharedCodes

__all__ = ["PRESETS", "FittedModel", "Prediction", "Preset", "RelationExtractor", "SharedCodes", "preset"]
