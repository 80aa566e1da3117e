"""spaCy's transition-based parser, its steps in compiled code: the same parses in a fraction of the time.

A parser of spaCy takes two steps a word. Each adds up what the network has worked out in advance for eight words of the state
(on the buffer, on the stack, their outermost children), scores all moves and makes the best one that is valid: SHIFT, REDUCE,
LEFT or RIGHT with a label, BREAK. spaCy calls a library for matrices in each step, which takes ten times as long as the sums
themselves. Here a document's steps are one compiled loop; sums run in one order, whatever else is parsed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled

SHIFT, REDUCE, LEFT, RIGHT, BREAK = range(5)
N_WORDS = 8
"""Words of a state that spaCy's network looks at."""
_LANES = 16
"""Scores are computed this many at a time."""

Integers = NDArray[np.int32]
Floats = NDArray[np.float32]


class Affine(NamedTuple):
    """A linear layer: weights (outputs × inputs) and what is added."""

    weights: Floats
    bias: Floats

    def __call__(self, vectors: Floats) -> Floats:
        found: Floats = np.dot(vectors, self.weights.T) + self.bias
        return found


class Trees(NamedTuple):
    """Of each word its head (a root has itself) and its label; and the words that start a sentence."""

    heads: list[int]
    labels: list[str]
    starts: list[int]


class ArcEagerParser:
    """Vectors of the words of a text, and where sentences start as far as it is given (1 or -1), → trees.

    ``hidden`` makes of a vector what ``roles`` (words of a state × hidden units × pieces × inputs) and ``bias`` weigh,
    ``absent`` stands for a word that is not there, ``scores`` gives a score to each of ``moves``: a kind and its label.
    """

    def __init__(
        self, hidden: Affine, roles: Floats, bias: Floats, absent: Floats, scores: Affine, moves: Sequence[tuple[int, str]]
    ) -> None:
        self._hidden, self._roles, self._absent = hidden, roles.reshape(-1, roles.shape[-1]), absent.reshape(-1)
        self._bias, self._n_pieces = np.ascontiguousarray(bias).ravel(), bias.shape[1]
        width = -(-len(moves) // _LANES) * _LANES
        self._weights = np.zeros((scores.weights.shape[1], width), np.float32)
        self._weights[:, : len(moves)] = scores.weights.T
        self._offsets = np.zeros(width, np.float32)
        self._offsets[: len(moves)] = scores.bias
        self._moves = np.array([kind for kind, _ in moves], np.int8)
        self._labels = [*(label for _, label in moves), "ROOT"]

    def __call__(self, vectors: Floats, starts: NDArray[np.int8]) -> Trees:
        seen = np.empty((len(vectors) + 1, len(self._roles)), np.float32)
        np.dot(self._hidden(vectors), self._roles.T, out=seen[1:])
        seen[0] = self._absent
        heads, moves, firsts = (np.empty(len(vectors), np.int32) for _ in range(3))
        _parse(
            seen.reshape(len(seen), N_WORDS, -1), self._bias, self._n_pieces, self._weights, self._offsets, self._moves, starts,
            heads, moves, firsts,
        )  # fmt: skip
        labels = self._labels
        is_root = heads == np.arange(len(heads))
        return Trees(heads.tolist(), [labels[move] for move in moves.tolist()], sorted(set(firsts[is_root].tolist())))


def _best_in_numpy(
    seen: Floats, words: Integers, bias: Floats, n_pieces: int, weights: Floats, offsets: Floats, moves: NDArray[np.int8],
    is_valid: NDArray[np.bool_], summed: Floats, scores: Floats,
) -> int:  # fmt: skip
    total = seen[words[0] + 1, 0]
    for role in range(1, N_WORDS):
        total = total + seen[words[role] + 1, role]
    highest = (total + bias).reshape(-1, n_pieces).max(axis=1)
    scored = (np.add.reduce(highest[:, None] * weights, axis=0) + offsets)[: moves.size]
    allowed = is_valid[moves]
    return int(np.where(allowed, scored, -np.inf).argmax()) if allowed.any() else -1


@compiled(plain=_best_in_numpy)
def _best_move(
    seen: Floats, words: Integers, bias: Floats, n_pieces: int, weights: Floats, offsets: Floats, moves: NDArray[np.int8],
    is_valid: NDArray[np.bool_], summed: Floats, scores: Floats,
) -> int:  # fmt: skip  # pragma: no cover
    """The valid move with the highest score, the first of equals, or -1; ``summed`` and ``scores`` are for working in."""
    for role in range(N_WORDS):
        own = seen[words[role] + 1, role]
        for k in range(summed.size):
            summed[k] = summed[k] + own[k] if role else own[k]
    for k in range(summed.size):
        summed[k] += bias[k]
    for k in range(scores.size):
        scores[k] = np.float32(0.0)
    for hidden in range(weights.shape[0]):
        highest = summed[hidden * n_pieces]
        for piece in range(1, n_pieces):
            highest = max(highest, summed[hidden * n_pieces + piece])
        row = weights[hidden]
        for k in range(scores.size):
            scores[k] += highest * row[k]
    best = -1
    for k in range(moves.size):
        if is_valid[moves[k]] and (best == -1 or scores[k] + offsets[k] > scores[best] + offsets[best]):
            best = k
    return best


@compiled(seconds=lambda seen, *_: 2.5e-4 * len(seen))
def _parse(
    seen: Floats,
    bias: Floats,
    n_pieces: int,
    weights: Floats,
    offsets: Floats,
    moves: NDArray[np.int8],
    starts: NDArray[np.int8],
    heads: Integers,
    labels: Integers,
    firsts: Integers,
) -> None:  # pragma: no cover
    """Make move after move until all words are read; ``heads`` and ``labels`` (the number of a move) of all words, and in
    ``firsts`` the first word that hangs on each.

    ``seen[i + 1, f]`` is what word ``i`` adds to the hidden layer in role ``f``, ``seen[0, f]`` what no word adds.
    """
    n = starts.size
    stack, n_stack = np.empty(n + 1, np.int32), 0
    given_back, n_back = np.empty(n + 1, np.int32), 0
    following = 0
    begins = starts == 1
    was_given_back = np.zeros(n, np.bool_)
    # the child that was attached last on either side of a head, and the one before it
    last_left, last_right = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    before = np.full(n, -1, np.int32)
    words = np.empty(N_WORDS, np.int32)
    summed = np.empty(bias.size, np.float32)
    scores = np.empty(offsets.size, np.float32)
    is_valid = np.empty(5, np.bool_)
    for word in range(n):
        heads[word], labels[word] = -1, moves.size  # of a root
    while n_stack or n_back or following < n:
        left = n - following + n_back
        first = given_back[n_back - 1] if n_back else (following if following < n else -1)
        if n_back > 1:
            second = given_back[n_back - 2]
        else:
            at = following + 1 - n_back
            second = at if at < n else -1
        top = stack[n_stack - 1] if n_stack else -1
        words[0], words[1], words[2] = first, second, top
        words[3] = stack[n_stack - 2] if n_stack > 1 else -1
        words[4] = stack[n_stack - 3] if n_stack > 2 else -1
        words[5] = last_left[first] if first >= 0 else -1
        words[6] = last_left[top] if top >= 0 else -1
        words[7] = last_right[top] if top >= 0 else -1
        starts_sentence = first >= 0 and begins[first]
        is_valid[SHIFT] = n_stack == 0 or not (left < 2 or starts_sentence or (first >= 0 and was_given_back[first]))
        is_valid[REDUCE] = n_stack > 0 and (left == 0 or not (n_stack == 1 and first >= 0 and starts[first] == -1))
        is_valid[LEFT] = is_valid[RIGHT] = n_stack > 0 and left > 0 and not starts_sentence
        is_valid[BREAK] = left >= 2 and second == first + 1 and not begins[second] and starts[second] != -1
        best = _best_move(seen, words, bias, n_pieces, weights, offsets, moves, is_valid, summed, scores)
        if best == -1:
            break
        move = moves[best]
        if move == BREAK:
            begins[second] = True
            continue
        if move in (LEFT, RIGHT):
            head, child = (first, top) if move == LEFT else (top, first)
            old = heads[child]
            if old > child and last_left[old] == child:
                last_left[old] = before[child]
            elif 0 <= old < child and last_right[old] == child:
                last_right[old] = before[child]
            if move == LEFT:
                before[child], last_left[head] = last_left[head], child
            else:
                before[child], last_right[head] = last_right[head], child
            heads[child], labels[child] = head, best
        if move == LEFT:
            was_given_back[first] = False
            n_stack -= 1
        elif move == REDUCE:
            n_stack -= 1
            if heads[top] < 0 and n_stack:
                was_given_back[top] = True
                given_back[n_back] = top
                n_back += 1
        else:
            stack[n_stack] = first
            n_stack += 1
            if n_back:
                n_back -= 1
            else:
                following += 1
    for word in range(n):
        firsts[word] = word
        if heads[word] < 0:
            heads[word] = word
    for word in range(n):  # arcs do not cross: what hangs on a word before its head is complete when it is met
        firsts[heads[word]] = min(firsts[heads[word]], firsts[word])
