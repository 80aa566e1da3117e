"""From parsed sentences to relation candidates and the arrays that later rooms compute on.

What is listed here is public. Interactions, with a trigger and roles, are a wing: :mod:`relhash.structures.interactions`.
"""

from relhash.structures.building import DEFAULT_VIEWS, build_structures
from relhash.structures.candidate import Candidate
from relhash.structures.candidates import candidates
from relhash.structures.descriptors import descriptors
from relhash.structures.evidence import Evidence
from relhash.structures.pairs import PairPolicy, parse_types
from relhash.structures.paths import PathSet
from relhash.structures.policies import CandidatePolicy
from relhash.structures.scene import Scene, scenes
from relhash.structures.structure_set import StructureSet
from relhash.structures.symbols import is_symbol
from relhash.structures.view import SequenceView, TableView, View
from relhash.structures.views import VIEWS, view

__all__ = [
    "DEFAULT_VIEWS", "VIEWS", "Candidate", "CandidatePolicy", "Evidence", "PairPolicy", "PathSet", "Scene", "SequenceView",
    "StructureSet", "TableView", "View", "build_structures", "candidates", "descriptors", "is_symbol", "parse_types", "scenes",
    "view",
]  # fmt: skip
