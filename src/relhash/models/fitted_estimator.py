"""An estimator that has been fitted asks its model: the methods that both have, so that either can be used."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from relhash.corpus import Document
from relhash.corpus.corpora import CorpusLike
from relhash.errors import ParameterError
from relhash.learning.metrics import Metrics
from relhash.models.fitted import FittedModel
from relhash.models.prediction import Prediction


class FittedEstimator:
    """What is asked of the model once ``model_`` is there; an error before."""

    model_: FittedModel

    @property
    def fitted(self) -> FittedModel:
        """The model, or an error that says how to get one."""
        if not hasattr(self, "model_"):
            raise ParameterError("this RelationExtractor is not fitted; call fit, or relhash.load a model file")
        return self.model_

    def predict(self, corpus: CorpusLike, *, all_candidates: bool = False) -> list[Prediction]:
        """See :meth:`FittedModel.predict <relhash.models.fitted.FittedModel.predict>`, as for all methods below."""
        return self.fitted.predict(corpus, all_candidates=all_candidates)

    def predict_proba(self, corpus: CorpusLike) -> NDArray[np.float64]:
        return self.fitted.predict_proba(corpus)

    def scores(self, corpus: CorpusLike) -> NDArray[np.float64]:
        return self.fitted.scores(corpus)

    def annotate(
        self, documents: Iterable[Document], *, all_candidates: bool = False
    ) -> Iterator[tuple[Document, list[Prediction]]]:
        return self.fitted.annotate(documents, all_candidates=all_candidates)

    def hashcodes(self, corpus: CorpusLike) -> NDArray[np.uint64]:
        return self.fitted.hashcodes(corpus)

    def evaluate(self, corpus: CorpusLike) -> Metrics:
        return self.fitted.evaluate(corpus)

    def save(self, path: str | os.PathLike[str]) -> None:
        self.fitted.save(path)
