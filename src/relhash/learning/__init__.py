"""From labels to a decision: classifiers, their choice by held-out documents, calibration, threshold.

>>> from relhash.learning import CLASSIFIERS
>>> list(CLASSIFIERS)
['blend', 'boosted', 'committee', 'forest', 'linear', 'mixture', 'neighbours', 'taught']
"""

from relhash.learning.blend import BlendClassifier
from relhash.learning.boosting import BoostedClassifier
from relhash.learning.classifier import CLASSIFIERS, Classifier, FittedClassifier
from relhash.learning.committee import CommitteeClassifier, Member
from relhash.learning.forest import ForestClassifier
from relhash.learning.linear import LinearClassifier
from relhash.learning.mixture import MixtureClassifier
from relhash.learning.neighbours import NeighbourClassifier
from relhash.learning.taught import TaughtClassifier
from relhash.learning.threshold_rules import THRESHOLD_RULES, Put, Scored, ThresholdRule, put_share

__all__ = [
    "CLASSIFIERS", "THRESHOLD_RULES", "BlendClassifier", "BoostedClassifier", "Classifier", "CommitteeClassifier",
    "FittedClassifier", "ForestClassifier", "LinearClassifier", "Member", "MixtureClassifier", "NeighbourClassifier", "Put",
    "Scored", "TaughtClassifier", "ThresholdRule", "put_share",
]  # fmt: skip
