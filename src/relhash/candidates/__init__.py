"""From parsed sentences to relation candidates and the arrays that later rooms compute on.

>>> from relhash.corpus import Document, Mention, Sentence, Token
>>> from relhash.candidates import build_structures, candidates
>>> words = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
>>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
>>> document = Document("d1", "Ras binds Raf", (Sentence("s1", 0, 13, words),), names)
>>> pairs = list(candidates([document]))
>>> list(build_structures(pairs, views=["between"])["between"])
[['<E1>', 'binds', '<E2>']]

What is listed here is public. Interactions, with a trigger and roles, are a wing: :mod:`relhash.candidates.statements`.
"""

from relhash.candidates.candidate import Candidate
from relhash.candidates.descriptors import descriptors
from relhash.candidates.evidence import Evidence
from relhash.candidates.pairs import PairPolicy, candidates, parse_types
from relhash.candidates.paths import PathSet
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.scene import Scene, scenes
from relhash.candidates.structure_set import DEFAULT_VIEWS, StructureSet, build_structures
from relhash.candidates.symbols import is_symbol
from relhash.candidates.view import SequenceView, TableView, View
from relhash.candidates.views import VIEWS, view

__all__ = [
    "DEFAULT_VIEWS", "VIEWS", "Candidate", "CandidatePolicy", "Evidence", "PairPolicy", "PathSet", "Scene", "SequenceView",
    "StructureSet", "TableView", "View", "build_structures", "candidates", "descriptors", "is_symbol", "parse_types", "scenes",
    "view",
]  # fmt: skip
