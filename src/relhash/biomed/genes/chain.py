"""A linear-chain conditional random field over few labels: probabilities of labels and the best sequence, compiled.

Plain functions over arrays. ``scores[t, y]`` is the score of label ``y`` at token ``t``; ``steps[x, y]`` that of ``y`` right
after ``x``; ``-inf`` in ``steps`` forbids a step, ``begins`` and ``ends`` do the same at the borders of a sentence. Everything
is scaled token by token, so that a sentence of ten thousand tokens neither under- nor overflows.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from relhash.compilation import compiled

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def _seconds(scores: Floats, *_: Floats) -> float:
    return 2.5e-7 * len(scores) * scores.shape[1] ** 2


@compiled(seconds=_seconds)
def forward_backward(
    scores: Floats, steps: Floats, begins: Floats, ends: Floats, potentials: Floats, forward: Floats, backward: Floats
) -> float:
    """Fill ``potentials``, ``forward`` and ``backward`` (all shaped as ``scores``) and return the logarithm of the normaliser.

    ``forward[t] * backward[t]`` are the probabilities of the labels at ``t``; ``potentials[t]`` is ``exp(scores[t])`` divided
    by what makes the forward values of ``t`` sum to one, so that the probability of ``x`` at ``t`` and ``y`` at ``t + 1`` is
    ``forward[t, x] * exp(steps[x, y]) * potentials[t + 1, y] * backward[t + 1, y]``.
    """
    n_tokens, n_labels = scores.shape
    jumps = np.empty((n_labels, n_labels), np.float64)
    for x in range(n_labels):
        for y in range(n_labels):
            jumps[x, y] = math.exp(steps[x, y])
    log_normaliser = 0.0
    for t in range(n_tokens):
        highest = scores[t, 0]
        for y in range(1, n_labels):
            highest = max(highest, scores[t, y])
        total = 0.0
        for y in range(n_labels):
            potentials[t, y] = math.exp(scores[t, y] - highest)
            if t == 0:
                arriving = math.exp(begins[y])
            else:
                arriving = 0.0
                for x in range(n_labels):
                    arriving += forward[t - 1, x] * jumps[x, y]
            forward[t, y] = arriving * potentials[t, y]
            total += forward[t, y]
        for y in range(n_labels):
            forward[t, y] /= total
            potentials[t, y] /= total
        log_normaliser += highest + math.log(total)
    total = 0.0
    for y in range(n_labels):
        total += forward[n_tokens - 1, y] * math.exp(ends[y])
    for y in range(n_labels):
        backward[n_tokens - 1, y] = math.exp(ends[y]) / total
    for t in range(n_tokens - 2, -1, -1):
        for x in range(n_labels):
            leaving = 0.0
            for y in range(n_labels):
                leaving += jumps[x, y] * potentials[t + 1, y] * backward[t + 1, y]
            backward[t, x] = leaving
    return float(log_normaliser + math.log(total))


@compiled(seconds=_seconds)
def best_labels(scores: Floats, steps: Floats, begins: Floats, ends: Floats) -> Integers:
    """The sequence of labels with the highest score (Viterbi); of equal ones that with the lower labels at the end."""
    n_tokens, n_labels = scores.shape
    best = np.empty((n_tokens, n_labels), np.float64)
    previous = np.zeros((n_tokens, n_labels), np.int64)
    for y in range(n_labels):
        best[0, y] = begins[y] + scores[0, y]
    for t in range(1, n_tokens):
        for y in range(n_labels):
            chosen, highest = 0, best[t - 1, 0] + steps[0, y]
            for x in range(1, n_labels):
                value = best[t - 1, x] + steps[x, y]
                if value > highest:
                    chosen, highest = x, value
            best[t, y] = highest + scores[t, y]
            previous[t, y] = chosen
    labels = np.empty(n_tokens, np.int64)
    chosen, highest = 0, best[n_tokens - 1, 0] + ends[0]
    for y in range(1, n_labels):
        if best[n_tokens - 1, y] + ends[y] > highest:
            chosen, highest = y, best[n_tokens - 1, y] + ends[y]
    for t in range(n_tokens - 1, -1, -1):
        labels[t] = chosen
        chosen = previous[t, chosen]
    return labels


@compiled(seconds=lambda weights, ends, n_strict, steps, *_: 2.5e-7 * len(weights) * steps.shape[1] ** 2)
def labelled(
    weights: Floats, ends: Integers, n_strict: int, steps: Floats, begins: Floats, closes: Floats
) -> tuple[Integers, Floats, Integers]:
    """The best labels of the tokens of several sentences, what is probable where they say something, and which sentences those
    are.

    Sentences end before the tokens ``ends``. ``weights`` are the scores of all labels by the first ``steps``, then those of the
    first ``n_strict`` labels by the second, of which the probabilities are.
    """
    n_labels = steps.shape[1]
    labels, probable = np.zeros(len(weights), np.int64), np.empty((len(weights), n_labels), np.float64)
    named = np.empty(len(ends), np.int64)
    count, first = 0, 0
    for sentence in range(len(ends)):
        after = ends[sentence]
        scores = weights[first:after, :n_labels].copy()
        own = best_labels(scores, steps[0], begins, closes)
        if own.any():
            labels[first:after] = own
            scores[:, :n_strict] = weights[first:after, n_labels:]
            potentials, forward, backward = np.empty_like(scores), np.empty_like(scores), np.empty_like(scores)
            forward_backward(scores, steps[1], begins, closes, potentials, forward, backward)
            probable[first:after] = forward * backward
            named[count] = sentence
            count += 1
        first = after
    return labels, probable, named[:count]
