"""What a user would try first today: the sentence embedding of a small pretrained model, and logistic regression.

The participants are named in the sentence by what they are (``protein1``, ``protein2``; on interactions by their roles, after
the interaction's type), other entities by their type, so that the model sees which pair is meant and no names. The vector is
the mean of the last layer over the words. The encoder is an installed package that carries its weights (extra ``contextual``);
nothing is downloaded. The strength C is chosen by average precision on folds of training documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.baselines.contract import Baseline, checked_labels, documents_of
from relhash.baselines.folds import best_held_out
from relhash.language.encoder import DEFAULT_ENCODER, SentenceEncoder
from relhash.structures.candidates import Candidate
from relhash.structures.contextual import blinded_text
from relhash.structures.roles import TRIGGER
from relhash.structures.scene import Scene, scenes
from relhash.structures.symbols import is_symbol

__all__ = ["SentenceEmbedding", "marked_sentence"]

Floats = NDArray[np.float64]


class SentenceEmbedding(Baseline):
    """Logistic regression on standardised sentence embeddings, classes weighted inversely to their frequency.

    Parameters
    ----------
    package
        The encoder (see :class:`~relhash.language.encoder.SentenceEncoder`).
    strengths
        Values of C to choose from.
    n_folds
        Folds of documents for that choice and for the held-out scores.
    random_state
        Draws the folds.
    n_jobs
        Accepted for the contract; one core is used.

    Attributes
    ----------
    C_
        The strength chosen.
    """

    def __init__(
        self,
        package: str = DEFAULT_ENCODER,
        strengths: Sequence[float] = (0.001, 0.01, 0.1),
        n_folds: int = 3,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.package = package
        self.strengths = strengths
        self.n_folds = n_folds
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, candidates: Sequence[Candidate], y: ArrayLike, *, target: Sequence[Candidate] | None = None) -> Self:
        labels = checked_labels(candidates, y)
        X = self._vectors(candidates)

        def scores_of(C: float, train: NDArray[np.int64], test: NDArray[np.int64]) -> Floats:
            return np.asarray(_machine(C).fit(X[train], labels[train]).predict_proba(X[test])[:, 1], np.float64)

        chosen = best_held_out(
            tuple(self.strengths), scores_of, labels, documents_of(candidates), n_folds=self.n_folds,
            random_state=self.random_state,
        )  # fmt: skip
        self.C_ = chosen.setting
        self.held_out_scores_, self.held_out_labels_ = chosen.scores, labels
        self.machine_ = _machine(self.C_).fit(X, labels)
        self.classes_ = np.array([False, True])
        return self

    def predict_proba(self, candidates: Sequence[Candidate]) -> Floats:
        if not len(candidates):
            return np.empty((0, 2))
        return np.asarray(self.machine_.predict_proba(self._vectors(candidates)), np.float64)

    def _vectors(self, candidates: Sequence[Candidate]) -> Floats:
        encoder = SentenceEncoder(self.package, layers=(-1,))
        known: dict[str, NDArray[np.float32]] = {}
        rows = []
        for scene in scenes(candidates):
            text = marked_sentence(scene)
            if text not in known:
                known[text] = encoder.encode(text, [])[-1]
            rows.append(known[text])
        return np.array(rows, np.float64).reshape(len(rows), encoder.width)


def marked_sentence(scene: Scene) -> str:
    """The sentence as the encoder reads it."""
    candidate = scene.candidate
    if TRIGGER not in candidate.roles:
        return blinded_text(scene)[0]
    shown = scene.shown(range(len(scene.labels)))
    words = (label.strip("<>").lower().replace("_", " ") if is_symbol(label) else label for label in shown)
    kind = candidate.mentions[candidate.roles.index(TRIGGER)].type
    return f"{kind.lower().replace('_', ' ')}: {' '.join(words)}"


def _machine(C: float) -> Any:
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), LogisticRegression(C=C, class_weight="balanced", max_iter=500))
