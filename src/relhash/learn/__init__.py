"""From labels to a decision: classifiers, their choice by held-out documents, calibration, threshold.

>>> from relhash.learn import CLASSIFIERS
>>> sorted(CLASSIFIERS)
['boosted', 'committee', 'correction', 'forest', 'linear', 'mixture', 'neighbours']

What a classifier sees of a candidate: feature parts, one per file, side by side in a feature map.

==================  ===================================================================================================
``bits``            the hashcode: one column per hash function
``nearest``         the α-way code: which reference of each function is nearest, one-hot
``coordinates``     where the candidate lies in kernel space, seen from the references of all functions
``descriptors``     plain facts about the candidate, each column as bits "greater than" (for linear models)
``raw-descriptors`` the same as they are (for forests)
``ngrams``          runs of tokens in some sequence views
``clues``           how likely the parts of an interaction are, and what competes with them
``encoder``         what the shipped transformer says: log-odds by each definition that it has learned, and a vector
==================  ===================================================================================================

>>> from relhash.learn import FEATURE_PARTS
>>> list(FEATURE_PARTS)[:7]                       # later rooms and other packages add theirs
['bits', 'coordinates', 'clues', 'encoder', 'descriptors', 'raw-descriptors', 'ngrams']
"""

from relhash.learn.classifier import CLASSIFIERS, Classifier, FittedClassifier
from relhash.learn.codes import BitsPart, Code, FeatureMap
from relhash.learn.committee import CommitteeClassifier, Member, MixtureClassifier
from relhash.learn.coordinates import CoordinatesPart
from relhash.learn.correction import CorrectionClassifier
from relhash.learn.descriptors import CluesPart, DescriptorBitsPart, EncoderPart, RawDescriptorsPart
from relhash.learn.forest import BoostedClassifier, ForestClassifier
from relhash.learn.linear import LinearClassifier
from relhash.learn.neighbours import NeighbourClassifier
from relhash.learn.ngrams import NgramPart
from relhash.learn.part import FEATURE_PARTS, FeaturePart, Text, to_part, to_parts
from relhash.learn.threshold import THRESHOLD_RULES, Put, Scored, ThresholdRule, put_share

__all__ = [
    "CLASSIFIERS",
    "FEATURE_PARTS",
    "THRESHOLD_RULES",
    "BitsPart",
    "BoostedClassifier",
    "Classifier",
    "CluesPart",
    "Code",
    "CommitteeClassifier",
    "CoordinatesPart",
    "CorrectionClassifier",
    "DescriptorBitsPart",
    "EncoderPart",
    "FeatureMap",
    "FeaturePart",
    "FittedClassifier",
    "ForestClassifier",
    "LinearClassifier",
    "Member",
    "MixtureClassifier",
    "NeighbourClassifier",
    "NgramPart",
    "Put",
    "RawDescriptorsPart",
    "Scored",
    "Text",
    "ThresholdRule",
    "put_share",
    "to_part",
    "to_parts",
]
