"""Bag of words, shortest-path walks and all-paths graph in one feature vector for an L2-SVM (Miwa et al. 2009).

*A rich feature vector for protein-protein interaction extraction from multiple corpora. EMNLP 2009.*

Three groups of features, each normalised by itself so that none drowns the others: words before, between and after the
participants; *walks* on the shortest path (vertex, edge, vertex; and edge, vertex, edge); and the graph features of
:mod:`relhash.bench.rivals.all_paths`. The learner is a linear support vector machine with squared hinge loss and classes
weighted inversely to their frequency. Departs: one parse instead of two parsers, words instead of lemmas, no labelled target
corpus (the paper's corpus weighting needs one); C is chosen by average precision on folds of training documents.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.bench.rivals.all_paths import AllPathsGraphs, unit_rows
from relhash.bench.rivals.baseline import VectorMachine, squeezed
from relhash.candidates.candidate import Candidate
from relhash.candidates.graph import Connection
from relhash.candidates.scene import Scene, scenes

Floats = NDArray[np.float64]


class RichFeatureVector(VectorMachine):
    """Linear support vector machine on three groups of features; ``random_state`` also draws the order of the solver."""

    own_strengths: ClassVar[Sequence[float]] = (0.1, 0.3, 1.0, 3.0)

    def _learned_rows(self, candidates: Sequence[Candidate]) -> sparse.csr_matrix:
        from sklearn.feature_extraction import DictVectorizer

        self.words_, self.walks_ = DictVectorizer(), DictVectorizer()
        self.graphs_ = AllPathsGraphs()
        words, walks = _counted(candidates)
        return _stacked(
            self.words_.fit_transform(words), self.walks_.fit_transform(walks), self.graphs_.fit_transform(candidates)
        )

    def _rows(self, candidates: Sequence[Candidate]) -> sparse.csr_matrix:
        words, walks = _counted(candidates)
        return _stacked(self.words_.transform(words), self.walks_.transform(walks), self.graphs_.transform(candidates))

    def _trained(self, setting: float, X: sparse.csr_matrix, y: NDArray[np.bool_]) -> Any:
        from sklearn.svm import LinearSVC

        # the dual costs one pass over the rows an iteration, whatever the number of features
        machine = LinearSVC(
            C=setting, class_weight="balanced", dual=True, tol=1e-2, max_iter=300, random_state=self.random_state
        )
        return machine.fit(X, y)

    def _scores(self, machine: Any, X: sparse.csr_matrix) -> Floats:
        return squeezed(machine.decision_function(X))


def placed_words(scene: Scene) -> Iterator[str]:
    """Each word with whether it stands before, between or after the participants."""
    first, last = scene.tokens[0][0], max(tokens[-1] for tokens in scene.tokens)
    for token in range(len(scene.stage.tokens)):
        if scene.participant_of(token) is None:
            yield f"{'before' if token < first else 'after' if token > last else 'between'} {scene.shown_as(token)}"


def path_walks(scene: Scene) -> Iterator[str]:
    """Vertex walks and edge walks along the shortest paths, and where there is none, that there is none.

    Both ways of reading a walk are one: an edge knows its direction.
    """
    for path in scene.paths:
        if path.connection is not Connection.PATH:
            yield str(path.connection)
            continue
        shown = [scene.shown_as(token) for token in path.tokens]
        for number, edge in enumerate(path.edges):
            yield f"v {shown[number]} {edge} {shown[number + 1]}"
            if number:
                yield f"e {path.edges[number - 1]} {shown[number]} {edge}"


def _counted(candidates: Sequence[Candidate]) -> tuple[list[Counter[str]], list[Counter[str]]]:
    """Counts of placed words and of walks."""
    words, walks = [], []
    for scene in scenes(candidates):
        words.append(Counter(placed_words(scene)))
        walks.append(Counter(path_walks(scene)))
    return words, walks


def _stacked(*groups: Any) -> sparse.csr_matrix:
    return sparse.csr_matrix(sparse.hstack([unit_rows(sparse.csr_matrix(group)) for group in groups]))
