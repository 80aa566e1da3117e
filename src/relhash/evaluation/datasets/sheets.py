"""Sheets of labels as people make them: some rows picked from a corpus, and text of another corpus to be read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relhash.errors import ParameterError
from relhash.evaluation.datasets.bionlp import development_documents
from relhash.evaluation.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.evaluation.protocols import AIMED, BIOINFER, HPRD50, Task
from relhash.learning.labels import draw_labelled
from relhash.models.reading.parse_settings import EMBEDDED, FILE
from relhash.structures.interactions.pairs_of_events import pairs_of_events

CORPORA = ("AIMed", "BioInfer", "HPRD50", "BioNLP")
"""The corpora in their order in the data set; BioNLP is the development set of 2013, its events as pairs of proteins."""
SOURCES = CORPORA[:2]
DRAWN = {"balanced": 0.5, "positives-heavy": 0.7, "random": None}
"""How rows are picked: the share of relations among them, or as they come."""


def sheet_dataset(root: Path, parses: str = EMBEDDED) -> Dataset:
    """All corpora, parsed by the pipeline that ships, as a sheet and raw text would be.

    With parses of the files, all but BioNLP, which has none.
    """
    files = [list(read_benchmark_corpus(root, name)) for name in (AIMED, BIOINFER, HPRD50)]
    others = [] if parses == FILE else [list(pairs_of_events(development_documents(root)))]
    return Dataset([*files, *others], parses=parses)


def sheet_tasks(dataset: Dataset) -> Iterator[Task]:
    """Rows of each source for each of the other corpora."""
    rows = {name: np.flatnonzero(dataset.corpus == number) for number, name in enumerate(CORPORA)}
    for source in SOURCES:
        for target in CORPORA:
            if target != source and rows[target].size:
                yield Task(f"{source}→{target}", 0, rows[source], rows[target])


def draw_sheet(y: NDArray[np.bool_], n: int, drawn: str, draw: int) -> NDArray[np.int64]:
    """The rows of a sheet.

    >>> y = np.arange(1000) < 200
    >>> [float(y[draw_sheet(y, 60, drawn, 0)].mean()) for drawn in ("balanced", "positives-heavy")]
    [0.5, 0.7]
    """
    if drawn not in DRAWN:
        raise ParameterError(f"drawn: choose one of {', '.join(DRAWN)}, not {drawn!r}")
    share = DRAWN[drawn]
    if share is None:
        return draw_labelled(y, n, draw)
    rng = np.random.default_rng([draw, n])
    wanted = round(share * n)
    related, unrelated = (rng.permutation(np.flatnonzero(y == sign)) for sign in (True, False))
    return np.sort(np.concatenate([related[:wanted], unrelated[: n - wanted]]))
