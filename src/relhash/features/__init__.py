"""What a classifier sees of a candidate: feature parts, one per file, side by side in a feature map.

==================  ===================================================================================================
``bits``            the hashcode: one column per hash function
``nearest``         the α-way code: which reference of each function is nearest, one-hot
``coordinates``     where the candidate lies in kernel space, seen from the references of all functions
``descriptors``     plain facts about the candidate, each column as bits "greater than" (for linear models)
``raw-descriptors`` the same as they are (for forests)
``ngrams``          runs of tokens in some sequence views
``clues``           how likely the parts of an interaction are, and what competes with them
``contextual``      components of what a sentence encoder says (if one is installed)
==================  ===================================================================================================

>>> from relhash.features import FEATURE_PARTS
>>> list(FEATURE_PARTS)[:8]                       # later rooms and other packages add theirs
['clues', 'bits', 'nearest', 'contextual', 'coordinates', 'descriptors', 'raw-descriptors', 'ngrams']
"""

from relhash.features.clues import CluesPart
from relhash.features.codes import BitsPart, Code, CodeSettings, NearestPart
from relhash.features.contextual import ContextualPart
from relhash.features.coordinates import CoordinatesPart
from relhash.features.descriptors import DescriptorBitsPart, RawDescriptorsPart
from relhash.features.feature_map import FeatureMap
from relhash.features.ngrams import NgramPart
from relhash.features.part import FEATURE_PARTS, FeaturePart, Text, to_part, to_parts

__all__ = [
    "FEATURE_PARTS", "BitsPart", "CluesPart", "Code", "CodeSettings", "ContextualPart", "CoordinatesPart",
    "DescriptorBitsPart", "FeatureMap", "FeaturePart", "NearestPart", "NgramPart", "RawDescriptorsPart", "Text", "to_part",
    "to_parts",
]  # fmt: skip
