"""From parsed sentences to relation candidates and the arrays that later rooms compute on."""

from relhash.structures.building import build_structures
from relhash.structures.candidates import Candidate, CandidatePolicy, candidates, parse_types
from relhash.structures.paths import PathSet, StructureSet
from relhash.structures.symbols import is_symbol
from relhash.structures.views import View, view

__all__ = [
    "Candidate", "CandidatePolicy", "PathSet", "StructureSet", "View", "build_structures", "candidates", "is_symbol",
    "parse_types", "view",
]  # fmt: skip
