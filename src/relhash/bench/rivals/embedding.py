"""What a user would try first today: the sentence embedding of a small pretrained model, and logistic regression.

The participants are named in the sentence by what they are (``protein1``, ``protein2``; on interactions by their roles, after
the interaction's type), other entities by their type, so that the model sees which pair is meant and no names. The vector is
the mean of the last layer over the words. The encoder is an installed package that carries its weights (extra ``contextual``);
nothing is downloaded. The strength C is chosen by average precision on folds of training documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.bench.rivals.baseline import VectorMachine
from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.candidates.contextual import blinded_text
from relhash.candidates.scene import Scene, scenes
from relhash.candidates.symbols import is_symbol
from relhash.language.encoder import DEFAULT_ENCODER, shared_encoder

Floats = NDArray[np.float64]


class SentenceEmbedding(VectorMachine):
    """Logistic regression on standardised sentence embeddings, classes weighted inversely to their frequency.

    Parameters
    ----------
    package
        The encoder (see :class:`~relhash.language.encoder.SentenceEncoder`).
    strengths
        Values of C to choose from.
    n_folds, random_state, n_jobs
        Of :class:`~relhash.bench.rivals.baseline.FoldedMachine`.
    """

    def __init__(
        self,
        package: str = DEFAULT_ENCODER,
        strengths: Sequence[float] = (0.001, 0.01, 0.1),
        n_folds: int = 3,
        random_state: int = 0,
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(n_folds, random_state, n_jobs)
        self.package = package
        self.strengths = strengths

    def _settings(self) -> Sequence[float]:
        return self.strengths

    def _rows(self, candidates: Sequence[Candidate]) -> Floats:
        encoder = shared_encoder((-1,), self.package)
        rows = [vectors[-1] for vectors in encoder.encode_all([(marked_sentence(scene), ()) for scene in scenes(candidates)])]
        return np.array(rows, np.float64).reshape(len(rows), encoder.width)

    def _trained(self, setting: float, X: Floats, y: NDArray[np.bool_]) -> Any:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        regression = LogisticRegression(C=setting, class_weight="balanced", max_iter=500)
        return make_pipeline(StandardScaler(), regression).fit(X, y)

    def _scores(self, machine: Any, X: Floats) -> Floats:
        return np.asarray(machine.predict_proba(X)[:, 1], np.float64)


def marked_sentence(scene: Scene) -> str:
    """The sentence as the encoder reads it."""
    candidate = scene.candidate
    if TRIGGER not in candidate.roles:
        return blinded_text(scene)[0]
    shown = scene.shown(range(len(scene.stage.tokens)))
    words = (label.strip("<>").lower().replace("_", " ") if is_symbol(label) else label for label in shown)
    kind = candidate.mentions[candidate.roles.index(TRIGGER)].type
    return f"{kind.lower().replace('_', ' ')}: {' '.join(words)}"
