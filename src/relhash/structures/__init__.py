"""From parsed sentences to relation candidates and the arrays that later rooms compute on.

>>> from relhash.corpus import Document, Mention, Sentence, Token
>>> from relhash.structures import build_structures, candidates
>>> words = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
>>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
>>> document = Document("d1", "Ras binds Raf", (Sentence("s1", 0, 13, words),), names)
>>> pairs = list(candidates([document]))
>>> list(build_structures(pairs, views=["between"])["between"])
[['<E1>', 'binds', '<E2>']]

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
