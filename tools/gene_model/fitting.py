"""Weights of the chain by stochastic gradient steps on the exact likelihood (AdaGrad), one sentence at a time, compiled.

Sentences may be labelled in part: what the annotation leaves open counts for no label. Of the features of a token a share is
dropped at random at each visit, so that no single one (its own spelling above all) carries the decision; the weights of the
last epochs are averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from relhash.biomed.genes.chain import forward_backward
from relhash.biomed.genes.tagger import OFFSETS, borders

CENTRE = OFFSETS.index(0)


def allowed_steps(labels: Sequence[str]) -> NDArray[np.bool_]:
    """Which label may follow which."""
    kinds = [label.rpartition(" ")[2] for label in labels]
    goes_on = [label.startswith(("begin", "inside")) for label in labels]
    return np.array([
        [
            (kinds[x] == kinds[y] and labels[y].startswith(("inside", "end"))) if goes_on[x]
            else labels[y].startswith(("outside", "begin", "single"))
            for y in range(len(labels))
        ]
        for x in range(len(labels))
    ])  # fmt: skip


@dataclass
class Problem:
    """Tokens of all sentences in a row; sentence ``i`` is ``bounds[i]:bounds[i + 1]``. Lists of features are (ends, rows)."""

    bounds: NDArray[np.int64]
    spelling: NDArray[np.int32]
    """Of each token; the last spelling is the border of a sentence."""
    own: tuple[NDArray[np.int64], NDArray[np.int32]]
    wide: tuple[NDArray[np.int64], NDArray[np.int32]]
    places: tuple[NDArray[np.int64], NDArray[np.int32]]
    allowed: NDArray[np.bool_]
    """(tokens, labels): the labels that the annotation leaves open; one where it is complete."""
    guideline: NDArray[np.int64]
    """Of each sentence."""
    importance: NDArray[np.float64]
    """Of each sentence."""
    wide_is_specific: NDArray[np.bool_]
    place_is_specific: NDArray[np.bool_]
    """Rows of features that one guideline has for itself."""
    marked: NDArray[np.float64]
    """(guidelines, labels): 1 for labels of the types that a guideline marks. Only these have weights of its own: of what it
    does not mark it can say nothing."""


@dataclass
class Weights:
    own: NDArray[np.float32]
    wide: NDArray[np.float32]
    places: NDArray[np.float32]
    steps: NDArray[np.float32]
    """(1 + guidelines, labels, labels): what all share, then what each guideline adds."""

    @classmethod
    def zeros(cls, n_own: int, n_wide: int, n_places: int, n_guidelines: int, n_labels: int) -> Weights:
        n = n_labels
        shapes = (n_own, n), (n_wide, len(OFFSETS), n), (n_places, n), (1 + n_guidelines, n, n)
        return cls(*(np.zeros(shape, np.float32) for shape in shapes))

    @property
    def parts(self) -> tuple[NDArray[np.float32], ...]:
        return self.own, self.wide, self.places, self.steps


@njit(cache=True)
def _score(a, b, spelling, own_ends, own, wide_ends, wide, place_ends, places, kept, w_own, w_wide, w_places, out):
    """Scores of a sentence; ``kept`` is drawn from, feature by feature, in the order of :func:`_move`."""
    border = len(own_ends) - 2
    N = w_own.shape[1]
    drawn = 0
    for t in range(a, b):
        row = out[t - a]
        row[:] = 0.0
        for k in range(5):
            at = t + k - 2
            form = spelling[at] if a <= at < b else border
            for i in range(wide_ends[form], wide_ends[form + 1]):
                if kept[drawn % len(kept)]:
                    for y in range(N):
                        row[y] += w_wide[wide[i], k, y]
                drawn += 1
        form = spelling[t]
        for i in range(own_ends[form], own_ends[form + 1]):
            if kept[drawn % len(kept)]:
                for y in range(N):
                    row[y] += w_own[own[i], y]
            drawn += 1
        for i in range(place_ends[t], place_ends[t + 1]):
            if kept[drawn % len(kept)]:
                for y in range(N):
                    row[y] += w_places[places[i], y]
            drawn += 1


@njit(cache=True)
def _step(w, squares, gradient, rate, mine):
    for y in range(len(w)):
        g = gradient[y] * mine[y]
        if g != 0.0:
            squares[y] += g * g
            w[y] -= rate * g / np.sqrt(squares[y])


@njit(cache=True)
def _move(
    a, b, spelling, own_ends, own, wide_ends, wide, place_ends, places, kept, gradient, rate,
    w_own, w_wide, w_places, s_own, s_wide, s_places, wide_is_specific, place_is_specific, whole, mine,
):  # fmt: skip
    border = len(own_ends) - 2
    N = w_own.shape[1]
    drawn = 0
    for t in range(a, b):
        g = gradient[t - a]
        largest = 0.0
        for y in range(N):
            largest = max(largest, abs(g[y]))
        moves = largest > 1e-4
        for k in range(5):
            at = t + k - 2
            form = spelling[at] if a <= at < b else border
            for i in range(wide_ends[form], wide_ends[form + 1]):
                if moves and kept[drawn % len(kept)]:
                    _step(w_wide[wide[i], k], s_wide[wide[i], k], g, rate, mine if wide_is_specific[wide[i]] else whole)
                drawn += 1
        form = spelling[t]
        for i in range(own_ends[form], own_ends[form + 1]):
            if moves and kept[drawn % len(kept)]:
                _step(w_own[own[i]], s_own[own[i]], g, rate, whole)
            drawn += 1
        for i in range(place_ends[t], place_ends[t + 1]):
            if moves and kept[drawn % len(kept)]:
                _step(w_places[places[i]], s_places[places[i]], g, rate, mine if place_is_specific[places[i]] else whole)
            drawn += 1


@njit(cache=True)
def _epoch(
    order, bounds, spelling, own_ends, own, wide_ends, wide, place_ends, places, allowed, guideline, importance, masks, rate,
    permitted, begins, ends, w_own, w_wide, w_places, w_steps, s_own, s_wide, s_places, s_steps,
    wide_is_specific, place_is_specific, marked,
):  # fmt: skip
    """One pass over the sentences in this order; returns the log-likelihood met on the way."""
    total = 0.0
    N = w_steps.shape[1]
    whole = np.ones(N)
    for place in range(len(order)):
        i = order[place]
        a, b = bounds[i], bounds[i + 1]
        n = b - a
        g = guideline[i]
        kept = masks[place % len(masks)]
        steps = np.full((N, N), -np.inf)
        for x in range(N):
            for y in range(N):
                if permitted[x, y]:
                    steps[x, y] = w_steps[0, x, y] + w_steps[1 + g, x, y]
        jumps = np.exp(steps)
        values, gradient, step_gradient = np.empty((n, N)), np.zeros((n, N)), np.zeros((N, N))
        potentials, forward, backward = np.empty((n, N)), np.empty((n, N)), np.empty((n, N))
        _score(a, b, spelling, own_ends, own, wide_ends, wide, place_ends, places, kept, w_own, w_wide, w_places, values)
        for side in range(2):
            sign = importance[i] if side == 0 else -importance[i]
            if side == 1:
                for t in range(n):
                    for y in range(N):
                        if not allowed[a + t, y]:
                            values[t, y] = -np.inf
            total -= sign * forward_backward(values, steps, begins, ends, potentials, forward, backward)
            for t in range(n):
                for y in range(N):
                    gradient[t, y] += sign * forward[t, y] * backward[t, y]
                    if t + 1 < n:
                        for z in range(N):
                            follows = jumps[y, z] * potentials[t + 1, z] * backward[t + 1, z]
                            step_gradient[y, z] += sign * forward[t, y] * follows
        _move(
            a, b, spelling, own_ends, own, wide_ends, wide, place_ends, places, kept, gradient, rate,
            w_own, w_wide, w_places, s_own, s_wide, s_places, wide_is_specific, place_is_specific, whole, marked[g],
        )  # fmt: skip
        for x in range(N):
            _step(w_steps[0, x], s_steps[0, x], step_gradient[x], rate, whole)
            if marked[g, x] > 0:
                _step(w_steps[1 + g, x], s_steps[1 + g, x], step_gradient[x], rate, whole)
            else:
                _step(w_steps[1 + g, x], s_steps[1 + g, x], step_gradient[x], rate, marked[g])
    return total


def fitted(
    problem: Problem,
    weights: Weights,
    labels: Sequence[str],
    *,
    epochs: int,
    averaged: int,
    rate: float,
    dropped: float,
    decay: float,
    seed: int,
) -> Weights:
    """Weights after ``epochs`` passes, the mean over the last ``averaged`` of them; ``weights``, where it starts, is changed.

    ``dropped`` is the share of features that a visit leaves out; after each pass all weights lose the share ``decay``. Whoever
    uses the weights with all features multiplies them by ``1 - dropped``.
    """
    random = np.random.default_rng(seed)
    permitted = allowed_steps(labels)
    squares = [np.full_like(part, 0.1) for part in weights.parts]
    mean = [np.zeros_like(part) for part in weights.parts]
    sentences = np.flatnonzero(np.diff(problem.bounds))
    for epoch in range(epochs):
        masks = random.random((64, 8191)) >= dropped
        value = _epoch(
            random.permutation(sentences), problem.bounds, problem.spelling, *problem.own, *problem.wide, *problem.places,
            problem.allowed, problem.guideline, problem.importance, masks, rate, permitted, *borders(labels),
            *weights.parts, *squares, problem.wide_is_specific, problem.place_is_specific, problem.marked,
        )  # fmt: skip
        for part in weights.parts:
            part *= 1 - decay
        if epoch >= epochs - averaged:
            for total, part in zip(mean, weights.parts, strict=True):
                total += part / averaged
        print(f"  epoch {epoch + 1}: log-likelihood {value:.0f}", flush=True)
    return Weights(*mean)
