"""From parsed sentences to relation candidates and the arrays that later rooms compute on."""

from relhash.structures.building import DEFAULT_VIEWS, build_structures
from relhash.structures.candidates import Candidate, CandidatePolicy, PairPolicy, candidates, parse_types
from relhash.structures.descriptors import descriptors
from relhash.structures.paths import PathSet
from relhash.structures.structure_set import StructureSet
from relhash.structures.symbols import is_symbol
from relhash.structures.views import View, view

__all__ = [
    "DEFAULT_VIEWS", "Candidate", "CandidatePolicy", "PairPolicy", "PathSet", "StructureSet", "View", "build_structures",
    "candidates",
    "descriptors", "is_symbol", "parse_types", "view",
]  # fmt: skip
