"""What ``relhash benchmark curate`` teaches: models of one corpus on another, and the shipped prior on text it never saw."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import relhash
from relhash.errors import ParameterError
from relhash.evaluation.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.evaluation.protocols import AIMED, BIOINFER, HPRD50
from relhash.learning.decision import Decision
from relhash.models.fitting.code_choice import fit_features
from relhash.models.presets import PRESETS
from relhash.models.prior import SHIPPED_PRIOR
from relhash.models.reading.parse_settings import EMBEDDED
from relhash.structures import Candidate
from relhash.structures.sentence_keys import sentence_hashes

CORPORA = {"AIMed": AIMED, "BioInfer": BIOINFER, "HPRD50": HPRD50}


@dataclass(frozen=True, eq=False)
class CurationSetting:
    """A model before any answer, and the target text with its gold labels.

    Attributes
    ----------
    before
        The decision of the model.
    rows, columns, codes
        Features and packed hashcodes of the target's candidates, made without its labels.
    fingerprint
        What results depend on.
    """

    direction: str
    before: Decision
    rows: Any
    columns: dict[str, slice]
    codes: NDArray[np.uint64]
    candidates: Sequence[Candidate]
    y: NDArray[np.bool_]
    documents: NDArray[Any]
    fingerprint: str


def curation_dataset(root: Path) -> Dataset:
    """The three corpora, parsed by the pipeline that ships."""
    return Dataset([list(read_benchmark_corpus(root, name)) for name in CORPORA.values()], parses=EMBEDDED)


def curation_settings(dataset: Dataset, *, progress: Callable[[str], None] | None = None) -> Iterator[CurationSetting]:
    """Prior → HPRD50, AIMed → BioInfer, BioInfer → AIMed, each made when it is asked for."""
    rows_of = {name: np.flatnonzero(dataset.corpus == number) for number, name in enumerate(CORPORA)}
    yield _prior(dataset, rows_of["HPRD50"])
    for source, target in (("AIMed", "BioInfer"), ("BioInfer", "AIMed")):
        if progress is not None:
            progress(f"learning from {source} for {target}")
        yield _taught_elsewhere(dataset, f"{source}→{target}", rows_of[source], rows_of[target])


def _taught_elsewhere(dataset: Dataset, direction: str, train: NDArray[np.int64], test: NDArray[np.int64]) -> CurationSetting:
    preset = PRESETS["best"]
    X = dataset.structures(preset.all_views)
    made = fit_features(preset, X[train], X[test], dataset.y[train], dataset.documents[train], n_jobs=1)
    decision = Decision.fit(
        made.settings.decision,
        made.rows,
        dataset.y[train],
        dataset.documents[train],
        target=made.target_rows,
        columns=made.features.columns,
        random_state=0,
        n_jobs=1,
    )
    return _setting(dataset, direction, test, decision, made.features, made.target_rows, X[test])


def _prior(dataset: Dataset, test: NDArray[np.int64]) -> CurationSetting:
    """The model ``ppi`` as it ships; an error if it was trained on sentences of the corpus."""
    model = relhash.load(SHIPPED_PRIOR)
    known = np.isin(np.unique(sentence_hashes([dataset.candidates[row] for row in test])), model.training_sentences)
    if known.any():
        raise ParameterError(f"{SHIPPED_PRIOR} knows {known.sum()} sentences of HPRD50: what it says of them proves nothing")
    X = dataset.structures(model.settings.all_views)[test]
    return _setting(dataset, "prior→HPRD50", test, model.decision, model.features, model.features.transform(X), X)


def _setting(
    dataset: Dataset, direction: str, test: NDArray[np.int64], before: Decision, features: Any, rows: Any, structures: Any
) -> CurationSetting:
    scores = before.classifier.scores(rows)
    known = hashlib.sha256(f"{direction} {dataset.parsed_by} {features.columns}".encode() + scores.round(6).tobytes())
    return CurationSetting(
        direction,
        before,
        rows,
        features.columns,
        features.code.learner.codes(structures),
        [dataset.candidates[row] for row in test],
        dataset.y[test],
        dataset.documents[test],
        known.hexdigest()[:16],
    )
