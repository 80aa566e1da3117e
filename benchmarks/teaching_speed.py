"""How long does a refit take after an answer? ``python benchmarks/teaching_speed.py [CANDIDATES]``

Features of the size that the default preset has on that many candidates, made up; answers from 10 to 500.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from scipy import sparse

from relhash.hashing.hamming import pack
from relhash.learn import LinearClassifier
from relhash.learn.decision import Decision, DecisionSettings
from relhash.learn.lesson import Lesson
from relhash.model.answers.questions import Queue

COLUMNS = {"coordinates": slice(0, 120), "descriptors": slice(120, 400), "ngrams": slice(400, 5400)}


def main(n: int) -> None:
    rng = np.random.default_rng(0)
    blocks = [rng.normal(size=(n, 120)), sparse.random(n, 280, 0.3, rng=rng), sparse.random(n, 5000, 0.006, rng=rng)]
    X = sparse.csr_matrix(sparse.hstack([sparse.csr_matrix(block) for block in blocks], format="csr"))
    y = np.asarray(X[:, :3].sum(axis=1)).ravel() + rng.normal(size=n) > 1.5
    documents = np.arange(n) // 12
    settings = DecisionSettings((LinearClassifier(),))
    before = Decision.fit(settings, X[:1000], y[:1000], documents[:1000], columns=COLUMNS)
    lesson = Lesson(before, X, COLUMNS)
    queue = Queue([None] * n, pack(rng.integers(0, 2, (n, 125))))  # type: ignore[list-item]
    print(f"{n} candidates\nanswers  refit (ms)  next question (ms), CPU time, best of three")
    for answers in (10, 50, 100, 200, 500):
        rows = rng.choice(n, answers, replace=False)
        lesson.learn(rows[:-1], y[rows[:-1]])  # on the page all answers but the last were learned before
        refits, asked = [], []
        for _ in range(3):
            start = time.process_time()
            learned = lesson.learn(rows, y[rows])
            refits.append(time.process_time() - start)
            start = time.process_time()
            queue.next(learned.probabilities, rows.tolist())
            asked.append(time.process_time() - start)
        print(f"{answers:7d}  {1000 * min(refits):10.0f}  {1000 * min(asked):18.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
