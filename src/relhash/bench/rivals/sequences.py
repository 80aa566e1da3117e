"""What a network reads of a candidate: the words of its sentence, or of its dependency path, as arrays.

Entities are blinded: a participant shows as its role (``<E1>``, ``<THEME>``), another entity as its type (``<PROTEIN>``),
several words of one entity as one. The trigger of an interaction keeps its word, and the sequence then begins with the type
that the candidate supposes, because the type is part of what is judged. A word stands for its (frozen) vector, so that a word
of the target text that no training sentence holds is read like any other; what has no vector (roles, entity types, edges,
unknown words) gets a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.candidates.scene import Scene, scenes
from relhash.candidates.symbols import is_symbol, type_symbol
from relhash.candidates.views import PATH_WITH_EDGES, sequence_view
from relhash.errors import ParameterError
from relhash.kernels import WordVectors

NOWHERE = -1
"""Place of a participant or a head that the sequence does not show."""
MAX_ANCHORS = 3
"""To how many participants (the trigger among them) positions are counted."""


@dataclass(frozen=True, slots=True)
class TokenSequence:
    """One candidate as a network reads it.

    Attributes
    ----------
    labels
        Words and symbols.
    anchors
        Where the participants stand in ``labels``: of a pair in surface order, of an interaction the trigger first and then by
        role. At most :data:`MAX_ANCHORS`.
    tags, heads, edges
        Part of speech, place of the head, and the label of the dependency on it for each token; empty without syntax.
    """

    labels: list[str]
    anchors: tuple[int, ...]
    tags: list[str]
    heads: list[int]
    edges: list[str]


def read_sequences(
    candidates: Iterable[Candidate], reading: str, *, context: int | None = None, syntax: bool = False
) -> list[TokenSequence]:
    """The sequences of candidates.

    Parameters
    ----------
    reading
        ``"sentence"``: the words of the sentence. ``"path"``: words and edges of the shortest dependency path; of an
        interaction the paths from the trigger to its participants, one after the other.
    context
        Of a sentence, how many tokens before the first and after the last participant are kept (``None``: all).
    syntax
        Also give part of speech and dependency head of each word of a sentence.
    """
    if reading not in ("sentence", "path"):
        raise ParameterError(f"reading={reading!r}: choose 'sentence' or 'path'")
    if reading == "path" and syntax:
        raise ParameterError("syntax=True belongs to the reading 'sentence'; a path shows its dependencies itself")
    read: Callable[[Scene], TokenSequence] = _path if reading == "path" else lambda scene: _sentence(scene, context, syntax)
    return [read(scene) for scene in scenes(candidates)]


def anchor_order(candidate: Candidate) -> list[int]:
    """Numbers of the participants to which positions are counted, the most telling first.

    >>> from relhash.corpus import Document, Mention
    >>> words = [Mention(f"T{n}", "x", ((n, n + 1),), "x") for n in range(3)]
    >>> anchor_order(Candidate(Document("d", "xxx"), 0, tuple(words), ("theme", "trigger", "cause")))
    [1, 2, 0]
    """
    numbers = range(len(candidate.roles))
    if TRIGGER not in candidate.roles:
        return list(numbers)[:MAX_ANCHORS]
    return sorted(numbers, key=lambda number: (candidate.roles[number] != TRIGGER, candidate.roles[number]))[:MAX_ANCHORS]


def _beginning(candidate: Candidate) -> list[str]:
    if TRIGGER not in candidate.roles:
        return []
    return [type_symbol(candidate.mentions[candidate.roles.index(TRIGGER)].type)]


def _sentence(scene: Scene, context: int | None, syntax: bool) -> TokenSequence:
    start, stop = 0, len(scene.stage.tokens)
    if context is not None:
        start = max(0, min(tokens[0] for tokens in scene.tokens) - context)
        stop = min(stop, max(tokens[-1] for tokens in scene.tokens) + 1 + context)
    labels = _beginning(scene.candidate)
    offset = len(labels)
    place = [NOWHERE] * len(scene.stage.tokens)
    members: list[list[int]] = []
    for token in range(start, stop):
        if token == start or not scene.in_one_mention(token - 1, token):
            labels.append(scene.shown_as(token))
            members.append([])
        members[-1].append(token)
        place[token] = len(labels) - 1
    anchors = tuple(place[scene.tokens[number][0]] for number in anchor_order(scene.candidate))
    if not syntax:
        return TokenSequence(labels, anchors, [], [], [])
    tags, heads, edges = [""] * offset, [NOWHERE] * offset, [""] * offset
    for own in members:
        tag, head, edge = _syntax_of(scene, own)
        tags.append(tag)
        heads.append(NOWHERE if head == NOWHERE else place[head])
        edges.append(edge)
    return TokenSequence(labels, anchors, tags, heads, edges)


def _syntax_of(scene: Scene, tokens: list[int]) -> tuple[str, int, str]:
    """Part of speech, head, and label of the dependency on it; of an entity of several words those of its head word."""
    graph = scene.stage.graph
    word = graph.heads_first(tokens)[0]
    outside = [head for head in graph.governors[word] if head not in tokens]
    tag = scene.stage.tokens[word].pos
    if not outside:
        return tag, NOWHERE, ""
    head = min(outside)  # a collapsed graph may give several
    return tag, head, graph.steps[word][head].strip("<>")


def _path(scene: Scene) -> TokenSequence:
    candidate = scene.candidate
    if TRIGGER in candidate.roles:
        # the views of roles all begin with the type and the trigger word: shown once
        labels: list[str] = []
        for role in sorted(role for role in candidate.roles if role != TRIGGER):
            along = sequence_view(f"role({role})").sequence(scene)
            labels += along if not labels else along[1:]
    else:
        labels = PATH_WITH_EDGES.sequence(scene)
    places = {symbol: labels.index(symbol) if symbol in labels else NOWHERE for symbol in scene.symbols}
    anchors = tuple(places[scene.symbols[number]] for number in anchor_order(candidate))
    return TokenSequence(labels, anchors, [], [], [])


MAX_DISTANCE = 30
"""Positions further from a participant than this count as this far."""
PADDING, UNKNOWN = 0, 1


@dataclass(frozen=True, eq=False)
class EncodedSequences:
    """Candidates as ragged arrays: tokens of candidate ``i`` are ``starts[i]`` to ``starts[i + 1]``.

    ``words`` number the rows of ``vectors`` and ``symbols``; both belong to these candidates only. A symbol number is 0 for a
    word with a vector.
    """

    starts: NDArray[np.int64]
    words: NDArray[np.int64]
    anchors: NDArray[np.int64]
    tags: NDArray[np.int64]
    edges: NDArray[np.int64]
    heads: NDArray[np.int64]
    vectors: NDArray[np.float32]
    symbols: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        return np.diff(self.starts)


@dataclass(frozen=True, eq=False)
class Encoding:
    """Numbers of symbols, tags and edges, learned from the text of both sides, never from labels."""

    vectors: WordVectors
    symbols: Mapping[str, int]
    tags: Mapping[str, int]
    edges: Mapping[str, int]
    n_anchors: int

    @classmethod
    def learn(cls, sequences: Sequence[TokenSequence], vectors: WordVectors) -> Encoding:
        """Number what ``sequences`` hold."""
        labels = {label for sequence in sequences for label in sequence.labels if is_symbol(label)}
        return cls(
            vectors,
            _numbered(labels),
            _numbered(tag for sequence in sequences for tag in sequence.tags),
            _numbered(edge for sequence in sequences for edge in sequence.edges),
            max((len(sequence.anchors) for sequence in sequences), default=0),
        )

    def encode(self, sequences: Sequence[TokenSequence]) -> EncodedSequences:
        """Arrays of ``sequences``; a candidate's arrays do not depend on the others."""
        lexicon: dict[str, int] = {}
        words = [lexicon.setdefault(label, len(lexicon)) for sequence in sequences for label in sequence.labels]
        vectors, symbols = self._looked_up(list(lexicon))
        lengths = [len(sequence.labels) for sequence in sequences]
        anchors = np.full((len(sequences), self.n_anchors), NOWHERE, np.int64)
        for row, sequence in enumerate(sequences):
            known = sequence.anchors[: self.n_anchors]
            anchors[row, : len(known)] = known
        return EncodedSequences(
            starts=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            words=np.array(words, np.int64),
            anchors=anchors,
            tags=np.array([self.tags.get(tag, UNKNOWN) for one in sequences for tag in one.tags], np.int64),
            edges=np.array([self.edges.get(edge, UNKNOWN) for one in sequences for edge in one.edges], np.int64),
            heads=np.array([head for one in sequences for head in one.heads], np.int64),
            vectors=vectors,
            symbols=symbols,
        )

    def _looked_up(self, labels: Sequence[str]) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        vectors = np.zeros((len(labels), self.vectors.dimensions), np.float32)
        symbols = np.zeros(len(labels), np.int64)
        for row, label in enumerate(labels):
            vector = None if is_symbol(label) else unit_vector(self.vectors, label)
            if vector is None:
                symbols[row] = self.symbols.get(label, UNKNOWN)
            else:
                vectors[row] = vector
        return vectors, symbols


@lru_cache(maxsize=200_000)
def unit_vector(vectors: WordVectors, word: str) -> NDArray[np.float32] | None:
    """The vector of a word at length 1, from its parts if need be; ``None`` if nothing is known of it."""
    vector = vectors.vector(word)
    length = 0.0 if vector is None else float(np.linalg.norm(vector))
    return None if vector is None or length == 0.0 else (vector / length).astype(np.float32)


def _numbered(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(sorted(set(names)), start=UNKNOWN + 1)}
