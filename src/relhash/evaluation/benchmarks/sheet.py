"""``relhash benchmark sheet``: what each threshold rule makes of a sheet of picked labels, beside the oracle threshold.

The classifier is that of ``best``. Codes and other features are made once for each pair of corpora, with one seed; a draw
refits the classifier alone. The scores of each draw are kept, so that an interrupted run goes on where it stopped, and a new
rule costs nothing. A prior is just another array of scores for the same text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.errors import ParameterError
from relhash.evaluation.bench import Bench, Features
from relhash.evaluation.benchmarks.sheet_rules import RULES, PriorView, Sheet
from relhash.evaluation.benchmarks.sheet_tables import JudgedSheet, SheetScores
from relhash.evaluation.cell_keys import program_digest
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.datasets.sheets import DRAWN, draw_sheet, sheet_tasks
from relhash.evaluation.protocols import Task
from relhash.evaluation.systems.prior_votes import PriorVotes
from relhash.files import replacing
from relhash.learning.decision import Decision
from relhash.learning.metrics import oracle_threshold, precision_recall_f1
from relhash.models.presets import PRESETS

SIZES = (30, 60, 120, 240)
DRAWS = 20


def judged_sheets(
    dataset: Dataset,
    *,
    draws: int = DRAWS,
    sizes: Sequence[int] = SIZES,
    out: Path | None = None,
    tasks: Sequence[Task] | None = None,
    priors: Mapping[str, PriorView] | None = None,
    progress: Callable[[str], None] | None = None,
) -> Iterator[JudgedSheet]:
    """Every sheet under every rule.

    Parameters
    ----------
    out
        Folder for the scores of finished draws; without it nothing is kept.
    priors
        What a prior model says of the test text, by direction.
    """
    for task in sheet_tasks(dataset) if tasks is None else tasks:
        store = _Scores(None if out is None else out / "sheet.scores", dataset, task)
        gold = dataset.y[task.test]
        beside: dict[str, Any] = {"prior": (priors or {}).get(task.direction), "true_share": float(gold.mean())}
        for size in sizes:
            for drawn in DRAWN:
                for draw in range(draws):
                    rows = draw_sheet(dataset.y[task.train], size, drawn, draw)
                    sheet = replace(store.sheet(size, drawn, draw), rows=rows, **beside)
                    if progress is not None:
                        progress(f"{task.direction} {size} {drawn} {draw}")
                    for name, rule in RULES.items():
                        if decided := rule(sheet):
                            yield JudgedSheet(task.direction, drawn, size, draw, name, _judged(gold, *decided))


def prior_views(dataset: Dataset, read: Dataset, votes: PriorVotes) -> dict[str, PriorView]:
    """What the prior of the protocol says of both texts of each direction.

    The prior has ``read`` the text in parses of its own. The data set may have others, but its candidates are the first of
    these.
    """
    own = [candidate.key for candidate in dataset.candidates]
    if own != [candidate.key for candidate in read.candidates[: len(own)]]:
        raise ParameterError("the prior has read other candidates than those of the sheets")
    scores = np.asarray(special.expit(votes.log_odds))
    return {
        task.direction: PriorView(scores[task.test], votes.probabilities[task.test], scores[task.train])
        for task in sheet_tasks(dataset)
    }


def _judged(gold: NDArray[np.bool_], scores: NDArray[np.float64], accepted: NDArray[np.bool_]) -> SheetScores:
    cut, best = oracle_threshold(gold, scores)
    precision, recall, f1 = precision_recall_f1(gold, accepted)
    of_oracle = precision_recall_f1(gold, scores >= cut)[0]
    share = float(accepted.mean())
    return SheetScores(f1, precision, recall, share, best, of_oracle, float(precision < 0.4 <= of_oracle))


class _Scores:
    """Scores of sheets on the text of one task, each from its file or made now."""

    def __init__(self, folder: Path | None, dataset: Dataset, task: Task) -> None:
        self.dataset, self.task = dataset, task
        self.folder = None if folder is None else folder / task.direction.replace("→", "-")
        self.preset = PRESETS["best"]
        known = [program_digest(), dataset.parsed_by, repr(self.preset), task.train.size, task.test.size]
        self.fingerprint = hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]
        self._features: Features | None = None

    def sheet(self, size: int, drawn: str, draw: int) -> Sheet:
        file = None if self.folder is None else self.folder / f"{size}-{drawn}-{draw}.{self.fingerprint}.npz"
        if file is not None and file.exists():
            with np.load(file, allow_pickle=False) as kept:
                return Sheet(kept["y"], kept["held_out"], kept["scores"].astype(np.float64))
        made = self._made(size, drawn, draw)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file, "wb") as handle:
                np.savez_compressed(handle, y=made.y, held_out=made.held_out, scores=made.scores.astype(np.float32))
        return replace(made, scores=made.scores.astype(np.float32).astype(np.float64))

    def _made(self, size: int, drawn: str, draw: int) -> Sheet:
        if self._features is None:
            self._features = Bench(self.dataset, self.task, 0, n_jobs=1).features(self.preset)
        features = self._features
        y, documents = self.dataset.y[self.task.train], self.dataset.documents[self.task.train]
        rows = draw_sheet(y, size, drawn, draw)
        decision = Decision.fit(
            self.preset.decision,
            features.train[rows],
            y[rows],
            documents[rows],
            columns=features.columns,
            random_state=draw,
            n_jobs=1,
        )
        held_out = np.full(rows.size, np.nan) if decision.out_of_fold is None else decision.out_of_fold
        return Sheet(y[rows], held_out, decision.classifier.scores(features.test))
