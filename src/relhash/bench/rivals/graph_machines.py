"""Machines on all paths of a sentence's graphs: Airola et al. (2008) and Miwa et al. (2009).

*Airola et al. 2008, All-paths graph kernel for protein-protein interaction extraction with evaluation of cross-corpus learning;
Miwa et al. 2009, A rich feature vector for protein-protein interaction extraction from multiple corpora.*

A candidate is two directed graphs. In the *dependency graph* vertices are tokens (labelled by word and part of speech) and
dependencies (labelled by type), edges run from the head over the dependency to the dependent and weigh 0.9 on the shortest path
between the participants, 0.3 elsewhere; labels on that path are marked. In the *linear graph* tokens are labelled with whether
they stand before, between or after the participants, and each points to the next with weight 0.9. With adjacency matrix ``A``
and labels ``L`` (rows are labels, columns vertices) the candidate is the matrix ``G = L (Σ_{k≥1} A^k) Lᵀ`` of summed path
weights between labels, and ``K(G, H) = Σ_ij G_ij H_ij``: the inner product of the flattened matrices, which are sparse.

Departs: participants of several tokens are not joined to one vertex; sums below 0.01 are left out, and so are pairs of labels
that occur in one training sentence only, where they can tell nothing about another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import LinearOperator, cg

from relhash.bench.rivals.baseline import FoldedMachine, squeezed
from relhash.candidates.candidate import Candidate
from relhash.candidates.graph import Connection
from relhash.candidates.scene import Scene, scenes

Floats = NDArray[np.float64]
ON_PATH, OFF_PATH, NEXT = 0.9, 0.3, 0.9
MARK = "ip:"
"""Before the labels of what lies on the shortest path."""


@dataclass(frozen=True)
class LabelledGraph:
    """Summed weights of all paths between vertices, and the labels of each vertex."""

    sums: Floats
    labels: list[tuple[str, ...]]


@dataclass
class AllPathsGraphs:
    """From candidates to rows of a sparse matrix.

    Parameters
    ----------
    cut
        Summed path weights below this are left out.
    min_sentences
        In how many sentences a pair of labels must occur to be kept.
    """

    cut: float = 0.01
    min_sentences: int = 2
    _numbers: dict[str, int] = field(default_factory=dict, init=False, repr=False)
    _kept: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64), init=False, repr=False)

    def fit_transform(self, candidates: Sequence[Candidate]) -> sparse.csr_matrix:
        """Learn which pairs of labels there are, and give the rows of ``candidates``."""
        self._numbers = {}
        rows: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
        of_sentences = []
        for _, own in groupby(scenes(candidates), key=lambda scene: id(scene.stage)):
            found = [self._pairs(scene, lambda label: self._numbers.setdefault(label, len(self._numbers))) for scene in own]
            rows += found
            of_sentences.append(np.unique(np.concatenate([keys for keys, _ in found])))
        keys, counts = np.unique(np.concatenate(of_sentences), return_counts=True)
        self._kept = keys[counts >= self.min_sentences]
        return self._matrix(rows)

    def transform(self, candidates: Sequence[Candidate]) -> sparse.csr_matrix:
        return self._matrix([self._pairs(scene, lambda label: self._numbers.get(label, -1)) for scene in scenes(candidates)])

    def _pairs(self, scene: Scene, number_of: Callable[[str], int]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Pairs of labels, as one number each, with their summed path weights; a pair may occur several times."""
        keys, values = [], []
        for graph in (dependency_graph(scene), linear_graph(scene)):
            occurrences = [(v, number_of(label)) for v, labels in enumerate(graph.labels) for label in labels]
            known = np.array([one for one in occurrences if one[1] >= 0], np.int64).reshape(-1, 2)
            vertices, numbers = known[:, 0], known[:, 1]
            sums = graph.sums[np.ix_(vertices, vertices)]
            start, end = np.nonzero(sums >= self.cut)
            keys.append(numbers[start] << 32 | numbers[end])
            values.append(sums[start, end].astype(np.float32))
        return np.concatenate(keys), np.concatenate(values)

    def _matrix(self, rows: Sequence[tuple[NDArray[np.int64], NDArray[np.float32]]]) -> sparse.csr_matrix:
        indices, data, ends = [np.empty(0, np.int32)], [np.empty(0, np.float32)], [0]
        for keys, values in rows:
            columns = np.searchsorted(self._kept, keys)
            columns[columns == self._kept.size] = 0
            is_kept = self._kept[columns] == keys if self._kept.size else np.zeros(keys.size, bool)
            indices.append(columns[is_kept].astype(np.int32))
            data.append(values[is_kept])
            ends.append(ends[-1] + int(is_kept.sum()))
        matrix = sparse.csr_matrix((np.concatenate(data), np.concatenate(indices), ends), (len(rows), self._kept.size))
        matrix.sum_duplicates()
        return matrix


def dependency_graph(scene: Scene) -> LabelledGraph:
    """Tokens, then dependencies, with the sums of all paths over the parse."""
    arcs = [arc for arc in scene.stage.graph.arcs if arc.head != arc.dependent]
    n_tokens = len(scene.stage.tokens)
    on_path, steps = _shortest(scene)
    is_step = np.array([(min(arc.head, arc.dependent), max(arc.head, arc.dependent)) in steps for arc in arcs], bool)
    weights = np.where(is_step, ON_PATH, OFF_PATH)
    heads = np.array([arc.head for arc in arcs], np.int64)
    dependents = np.array([arc.dependent for arc in arcs], np.int64)
    # a dependency has one edge in and one out, so paths between tokens are enough; the rest follows from them
    steps_between = np.zeros((n_tokens, n_tokens))
    np.add.at(steps_between, (heads, dependents), weights**2)
    between = _closure(steps_between)  # with the empty path
    out_of = weights[:, None] * between[dependents]
    sums = np.block(
        [[between - np.eye(n_tokens), between[:, heads] * weights], [out_of, out_of[:, heads] * weights]]
    )  # from token to token, to dependency; from dependency to token, to dependency
    labels = [
        tuple(MARK + label if token in on_path else label for label in _token_labels(scene, token)) for token in range(n_tokens)
    ]
    labels += [(f"{MARK if step else ''}{arc.label}>",) for arc, step in zip(arcs, is_step, strict=True)]
    return LabelledGraph(sums, labels)


def linear_graph(scene: Scene) -> LabelledGraph:
    """Tokens in their order, each marked by where it stands."""
    n_tokens = len(scene.stage.tokens)
    first, last = scene.tokens[0][0], max(tokens[-1] for tokens in scene.tokens)
    labels = []
    for token in range(n_tokens):
        place = "b:" if token < first else "a:" if token > last else "m:"
        mark = place if scene.participant_of(token) is None else ""  # a participant is its own place
        labels.append(tuple(mark + label for label in _token_labels(scene, token)))
    return LabelledGraph(_sums_in_order(n_tokens), labels)


def unit_rows(X: sparse.csr_matrix) -> sparse.csr_matrix:
    """Rows of unit length, so that a candidate has kernel 1 with itself; an empty row stays empty.

    >>> unit_rows(sparse.csr_matrix([[3.0, 4.0], [0.0, 0.0]])).toarray().round(3).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    X = X.astype(np.float64)
    lengths = np.sqrt(np.asarray(X.multiply(X).sum(axis=1))).ravel()
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return sparse.csr_matrix(sparse.diags(inverse) @ X)


def _closure(steps: Floats) -> Floats:
    """``Σ_{k≥0} A^k``; where cycles make it diverge (collapsed parses may have some), A is scaled until it does not."""
    identity = np.eye(len(steps))
    try:
        closed: Floats = np.linalg.inv(identity - steps).astype(np.float64)
    except np.linalg.LinAlgError:
        closed = -identity
    if closed.size and closed.min() < -1e-9:  # of a matrix without negative entries, exactly when its radius is 1 or more
        radius = float(np.abs(np.linalg.eigvals(steps)).max())
        closed = np.linalg.inv(identity - steps * (ON_PATH / radius)).astype(np.float64)
    return closed


@lru_cache(maxsize=512)
def _sums_in_order(n_tokens: int) -> Floats:
    """Weights of the one path from each token to each later one."""
    distance = np.arange(n_tokens)[None, :] - np.arange(n_tokens)[:, None]
    return np.where(distance > 0, NEXT ** np.maximum(distance, 0), 0.0)


def _shortest(scene: Scene) -> tuple[set[int], set[tuple[int, int]]]:
    """Tokens on the shortest paths between the participants, and the pairs of tokens that their steps join."""
    tokens: set[int] = set()
    steps: set[tuple[int, int]] = set()
    for path in scene.paths:
        if path.connection is Connection.PATH:
            tokens.update(path.tokens)
            steps.update((min(pair), max(pair)) for pair in zip(path.tokens, path.tokens[1:]))
    return tokens, steps


def _token_labels(scene: Scene, token: int) -> Iterator[str]:
    """The word (blinded if an entity) and, of a word, its part of speech."""
    yield scene.shown_as(token)
    pos = scene.stage.tokens[token].pos
    if pos and scene.is_free(token):
        yield f"<pos:{pos}>"


class AllPathsGraphKernel(FoldedMachine):
    """Regularised least squares on the normalised all-paths graph kernel; ``strengths`` are values of λ.

    As kernel values are inner products of sparse vectors, the dual system ``(K + λI) a = y`` is solved by conjugate gradients
    without ever computing K. Departs: λ is chosen by average precision instead of AUC; a constant is added to the kernel in
    the place of a threshold of the learner's own.
    """

    def _learned(self, candidates: Sequence[Candidate], y: NDArray[np.bool_]) -> sparse.csr_matrix:
        self.graphs_ = AllPathsGraphs()
        return unit_rows(self.graphs_.fit_transform(candidates))

    def _prepared(self, candidates: Sequence[Candidate]) -> sparse.csr_matrix:
        return unit_rows(self.graphs_.transform(candidates))

    def _trained(self, strength: float, X: Any, y: NDArray[np.bool_], rows: NDArray[np.int64]) -> tuple[Floats, float]:
        return least_squares(X[rows], y[rows], strength)

    def _scores(self, machine: tuple[Floats, float], X: Any, rows: NDArray[np.int64]) -> Floats:
        weights, intercept = machine
        return squeezed(np.asarray(X[rows] @ weights, np.float64) + intercept)


def least_squares(X: sparse.csr_matrix, y: NDArray[np.bool_], penalty: float) -> tuple[Floats, float]:
    """Weights and constant of the least-squares fit to labels of ±1 with the penalty ``λ (|w|² + b²)``.

    >>> X = sparse.csr_matrix([[1.0, 0.0], [0.0, 1.0]])
    >>> weights, constant = least_squares(X, np.array([True, False]), 1.0)
    >>> weights.round(3).tolist(), round(constant, 3)
    ([0.5, -0.5], 0.0)
    """
    across = X.T.tocsr()

    def gram_times(a: Floats) -> Floats:
        product: Floats = X @ (across @ a) + a.sum() + penalty * a
        return product

    operator: Any = LinearOperator((len(y), len(y)), matvec=gram_times, dtype=np.float64)
    dual, _ = cg(operator, np.where(y, 1.0, -1.0), rtol=1e-4, maxiter=500)
    return np.asarray(across @ dual, np.float64), float(dual.sum())


class RichFeatureVector(FoldedMachine):
    """Linear support vector machine with squared hinge loss on three groups of features, each normalised by itself so that none
    drowns the others: words before, between and after the participants; *walks* on the shortest path (vertex, edge, vertex;
    and edge, vertex, edge); and the all-paths graph.

    Classes weigh inversely to their frequency; ``random_state`` also draws the order of the solver. Departs: one parse instead
    of two parsers, words instead of lemmas, no labelled target corpus (the paper's corpus weighting needs one).
    """

    def _learned(self, candidates: Sequence[Candidate], y: NDArray[np.bool_]) -> sparse.csr_matrix:
        from sklearn.feature_extraction import DictVectorizer

        self.words_, self.walks_ = DictVectorizer(), DictVectorizer()
        self.graphs_ = AllPathsGraphs()
        words, walks = _counted(candidates)
        return _stacked(
            self.words_.fit_transform(words), self.walks_.fit_transform(walks), self.graphs_.fit_transform(candidates)
        )

    def _prepared(self, candidates: Sequence[Candidate]) -> sparse.csr_matrix:
        words, walks = _counted(candidates)
        return _stacked(self.words_.transform(words), self.walks_.transform(walks), self.graphs_.transform(candidates))

    def _trained(self, strength: float, X: Any, y: NDArray[np.bool_], rows: NDArray[np.int64]) -> Any:
        from sklearn.svm import LinearSVC

        # the dual costs one pass over the rows an iteration, whatever the number of features
        machine = LinearSVC(
            C=strength, class_weight="balanced", dual=True, tol=1e-2, max_iter=300, random_state=self.random_state
        )
        return machine.fit(X[rows], y[rows])

    def _scores(self, machine: Any, X: Any, rows: NDArray[np.int64]) -> Floats:
        return squeezed(machine.decision_function(X[rows]))


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
