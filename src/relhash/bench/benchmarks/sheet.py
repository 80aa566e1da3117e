"""``relhash benchmark sheet``: what each threshold rule makes of a sheet of picked labels, beside the oracle threshold.

The classifier is that of ``best``. Codes and other features are made once for each pair of corpora, with one seed; a draw
refits the classifier alone. The scores of each draw are kept, so that an interrupted run goes on where it stopped, and a new
rule costs nothing. A prior is just another array of scores for the same text.

Threshold rules that are compared on sheets of picked labels: what each accepts of the text that was never labelled.

Sheets of labels as people make them: some rows picked from a corpus, and text of another corpus to be read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from relhash.bench.bench import Bench, Features
from relhash.bench.benchmarks.sheet_tables import JudgedSheet, SheetScores
from relhash.bench.cell_keys import program_digest
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import AIMED, BIOINFER, HPRD50, Task
from relhash.bench.systems.prior_votes import PriorVotes
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.errors import ParameterError
from relhash.files import replacing
from relhash.learn.blend import HEARD, choose_weight
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import to_log_odds
from relhash.learn.decision import Decision
from relhash.learn.labels import draw_labelled
from relhash.learn.metrics import oracle_threshold, precision_recall_f1
from relhash.learn.threshold import USUAL_SHARE, choose_threshold, score_at_fraction
from relhash.model.presets import PRESETS
from relhash.model.reading.parses import EMBEDDED, FILE

Floats = NDArray[np.float64]
Decided = tuple[Floats, NDArray[np.bool_]]
"""Scores, and which candidates are accepted."""
Rule = Callable[["Sheet"], Decided | None]

PRIOR_WEIGHT = 0.6
"""Of the prior's log-odds in the average with the sheet's own, both of unit spread."""


@dataclass(frozen=True, eq=False)
class PriorView:
    """What a prior model says of the text: scores, and calibrated probabilities; and scores of what sheets are drawn from."""

    scores: Floats
    probabilities: Floats
    of_source: Floats


@dataclass(frozen=True, eq=False)
class Sheet:
    """Labels of a sheet, their held-out scores, and the scores of the text; what is known beside the sheet, if anything.

    ``rows`` are the places of the labels in what the sheet was drawn from.
    """

    y: NDArray[np.bool_]
    held_out: Floats
    scores: Floats
    prior: PriorView | None = None
    true_share: float | None = None
    rows: NDArray[np.int64] | None = None

    @property
    def calibration(self) -> Calibration:
        return Calibration.fit(self.held_out, self.y)


def expected_f1_share(probabilities: Floats) -> float:
    """The share whose acceptance, from the highest probability down, has the highest expected F1.

    >>> expected_f1_share(np.array([0.9, 0.8, 0.1, 0.0]))
    0.5
    """
    ordered = np.sort(probabilities)[::-1]
    accepted = np.arange(1, ordered.size + 1)
    return float(np.argmax(2 * np.cumsum(ordered) / (accepted + ordered.sum())) + 1) / ordered.size


def with_prior(scores: Floats, prior: Floats, weight: float = PRIOR_WEIGHT) -> Floats:
    """The weighted mean of both log-odds, each of unit spread."""

    def unit(values: Floats) -> Floats:
        odds = np.asarray(special.logit(np.clip(values, 1e-4, 1 - 1e-4)))
        return odds / (odds.std() or 1.0)

    return np.asarray(special.expit((1 - weight) * unit(scores) + weight * unit(prior)))


def _fraction(sheet: Sheet) -> Decided:
    return sheet.scores, choose_threshold("fraction", sheet.y, sheet.held_out, target=sheet.scores).labels(sheet.scores)


def _half(sheet: Sheet) -> Decided:
    return sheet.scores, sheet.calibration.probabilities(sheet.scores) >= 0.5


def _half_corrected(sheet: Sheet) -> Decided:
    moved = sheet.calibration.moved_to(USUAL_SHARE, sheet.scores)
    return sheet.scores, moved.probabilities(sheet.scores) >= 0.5


def _expected_f1(sheet: Sheet) -> Decided:
    return _share(sheet.scores, expected_f1_share(sheet.calibration.probabilities(sheet.scores)))


def _shrunk(sheet: Sheet) -> Decided:
    fraction = choose_threshold("fraction", sheet.y, sheet.held_out).fraction
    return _share(sheet.scores, (USUAL_SHARE + (fraction or 0.0)) / 2)


def _usual(sheet: Sheet) -> Decided:
    threshold = choose_threshold("fraction", sheet.y, sheet.held_out, target=sheet.scores, picked=True)
    return sheet.scores, threshold.labels(sheet.scores)


def _known(sheet: Sheet) -> Decided | None:
    return None if sheet.true_share is None else _share(sheet.scores, sheet.true_share)


def _prior_share(sheet: Sheet) -> Decided | None:
    return None if sheet.prior is None else _share(sheet.scores, float(sheet.prior.probabilities.mean()))


def _prior_scores(sheet: Sheet) -> Decided | None:
    return None if sheet.prior is None else _share(with_prior(sheet.scores, sheet.prior.scores), USUAL_SHARE)


def _prior_both(sheet: Sheet) -> Decided | None:
    if sheet.prior is None:
        return None
    return _share(with_prior(sheet.scores, sheet.prior.scores), float(sheet.prior.probabilities.mean()))


def _prior_weighed(sheet: Sheet) -> Decided | None:
    """As a fit does it: the weight by the sheet's held-out labels, the share by the prior unless these switch it off."""
    if sheet.prior is None or sheet.rows is None or np.isnan(sheet.held_out).any():
        return None
    there, source = to_log_odds(sheet.prior.scores), to_log_odds(sheet.prior.of_source[sheet.rows])
    votes, of_sheet = ((odds - there.mean()) / (there.std() or 1.0) for odds in (there, source))
    own = to_log_odds(sheet.held_out)
    spread = float(own.std()) or 1.0
    weight = choose_weight(sheet.y, own / spread, of_sheet)
    scores = np.asarray(special.expit(weight * votes + (1 - weight) * to_log_odds(sheet.scores) / spread))
    return _share(scores, float(sheet.prior.probabilities.mean()) if weight >= HEARD else USUAL_SHARE)


def _prior_alone(sheet: Sheet) -> Decided | None:
    if sheet.prior is None:
        return None
    return _share(sheet.prior.scores, float(sheet.prior.probabilities.mean()))


def _share(scores: Floats, share: float) -> Decided:
    return scores, scores >= score_at_fraction(scores, share)


RULES: Mapping[str, Rule] = {
    "fraction of the sheet": _fraction,
    "probability .5": _half,
    f"probability .5 moved to {USUAL_SHARE}": _half_corrected,
    "expected F1": _expected_f1,
    f"fraction and {USUAL_SHARE}, mean": _shrunk,
    f"share {USUAL_SHARE} (default without a prior)": _usual,
    "share known (--expect)": _known,
    "prior's share": _prior_share,
    f"prior's scores, share {USUAL_SHARE}": _prior_scores,
    "prior's scores and share": _prior_both,
    "prior weighed by the sheet (default)": _prior_weighed,
    "prior alone": _prior_alone,
}
"""By their names in the table; those with a prior are left out where there is none."""


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
