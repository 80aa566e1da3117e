"""``relhash benchmark curate``: what answers on the target text are worth, by a simulated annotator.

A model learned from one corpus (or from none of the tested ones: the prior) is taught on another. In each draw half of the
target's documents are the text on which questions are asked, and the other half is measured: measuring on what is left over of
the first would flatter those who ask about the difficult cases. The annotator answers with the gold label. Questions are asked
in batches (of 25, later of 50 and of 100), and the model is refitted after each. Besides what the model has learned, it is
counted how many relations the annotator has met: who has time for a hundred sentences of a large text may want just these.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

import relhash
from relhash.bench.benchmarks import Asked
from relhash.bench.cells import program_digest
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import AIMED, BIOINFER, HPRD50
from relhash.bench.systems.prior_votes import protein_pairs
from relhash.bench.tables import Report, Table
from relhash.candidates import Candidate
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.errors import ParameterError
from relhash.learn.correction import CHOSEN, DRAWN
from relhash.learn.decision import Decision
from relhash.learn.lesson import Lesson
from relhash.learn.metrics import auc, precision_recall_f1
from relhash.model.adaptation import Seen
from relhash.model.answers.questions import DRAWN as SHARE_DRAWN
from relhash.model.answers.questions import Queue, best, worth_of
from relhash.model.fitting import fit_features
from relhash.model.prior import SHIPPED_PRIOR
from relhash.model.reading.reader import EMBEDDED
from relhash.model.recipe import PRESETS
from relhash.show.plots import curves

CORPORA = {"AIMed": AIMED, "BioInfer": BIOINFER, "HPRD50": HPRD50}
MUCH = "BioNLP + NERO"


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
    seen: Seen | None = None
    has_keyword: NDArray[np.bool_] | None = None


def curation_dataset(root: Path) -> Dataset:
    """The three corpora, and events of BioNLP with statements of NERO as much text, parsed by the pipeline that ships."""
    corpora = [list(read_benchmark_corpus(root, name)) for name in CORPORA.values()]
    statements = protein_pairs(read_benchmark_corpus(root, "nero/annotation_results.txt.gz"))
    much = [*pairs_of_events(development_documents(root)), *list(statements)[::4]]
    return Dataset([*corpora, much], parses=EMBEDDED)


def curation_settings(dataset: Dataset, *, progress: Callable[[str], object] | None = None) -> Iterator[CurationSetting]:
    """Prior → HPRD50, AIMed → BioInfer, BioInfer → AIMed and → BioNLP and NERO, each made when it is asked for."""
    rows_of = {name: np.flatnonzero(dataset.corpus == number) for number, name in enumerate((*CORPORA, MUCH))}
    yield _prior(dataset, rows_of["HPRD50"])
    for source, target in (("AIMed", "BioInfer"), ("BioInfer", "AIMed"), ("BioInfer", MUCH)):
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
    assert made.features.code is not None  # the recipe has one
    known = Seen.of(made.features.code.learner.codes(X[train]), dataset.y[train].astype(np.int8))
    return _setting(dataset, direction, test, decision, made.features, made.target_rows, X[test], known)


def _prior(dataset: Dataset, test: NDArray[np.int64]) -> CurationSetting:
    """The model ``ppi`` as it ships; an error if it was trained on sentences of the corpus."""
    model = relhash.load(SHIPPED_PRIOR)
    known = np.isin(np.unique(sentence_hashes([dataset.candidates[row] for row in test])), model.training_sentences)
    if known.any():
        raise ParameterError(f"{SHIPPED_PRIOR} knows {known.sum()} sentences of HPRD50: what it says of them proves nothing")
    X = dataset.structures(model.settings.all_views)[test]
    return _setting(dataset, "prior→HPRD50", test, model.decision, model.features, model.features.transform(X), X, model.seen)


def _setting(
    dataset: Dataset,
    direction: str,
    test: NDArray[np.int64],
    before: Decision,
    features: Any,
    rows: Any,
    structures: Any,
    seen: Seen | None,
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
        seen,
        np.array([bool(KEYWORDS.search(_between(dataset.candidates[row]))) for row in test]),
    )


def _between(candidate: Candidate) -> str:
    """The text between the first participant and the last."""
    first, *_, last = sorted(candidate.mentions, key=lambda mention: mention.start)
    return candidate.document.text[first.end : last.start]


ANSWERS = (0, 25, 50, 100, 200, 500)
DRAWS = 10
REFITTED = (0, 25, 50, 75, 100, 150, 200, 300, 400)
"""Numbers of answers after which the model is refitted to choose the next questions."""


@dataclass(frozen=True, slots=True)
class CurationSystem:
    """A way to ask, with or without what the model knew before."""

    order: str
    with_model: bool

    @property
    def name(self) -> str:
        ordered = {"useful": "our queue", "random": "random", "keyword": "a keyword between the two first"}
        ordered |= {
            "cascade": "of a short list of what is worth asking",
            "new": "new kinds first",
            "uncertain": "uncertain first",
            "confident": "most probable first",
        }
        return f"{ordered[self.order]}{', with the model' if self.with_model else ', from nothing'}"


SYSTEMS = (
    *(CurationSystem(order, True) for order in ("useful", "cascade", "new", "uncertain", "confident", "keyword", "random")),
    *(CurationSystem(order, False) for order in ("useful", "random")),
)
LISTED = 1000
"""Candidates of the short list: many times what is asked, and a small part of much text."""
KEYWORDS = re.compile("interact|bind|bound|associat|complex|phosphorylat|activat|inhibit|regulat|induc|suppress|mediat")
"""What somebody without a model would search for."""


@dataclass(frozen=True, slots=True)
class CurationFigure:
    """What one draw reached after so many answers on the half of the target that was never asked about."""

    direction: str
    system: str
    draw: int
    answers: int
    auc: float
    f1: float
    found: int
    """Relations among what was asked."""
    unexpected: int = 0
    """Of these, those that the model before would not have accepted."""


def curation_figures(
    settings: Iterable[CurationSetting],
    *,
    draws: int = DRAWS,
    answers: Sequence[int] = ANSWERS,
    systems: Sequence[CurationSystem] = SYSTEMS,
    out: Path | None = None,
    progress: Callable[[str], object] | None = None,
) -> Iterator[CurationFigure]:
    """One figure per setting, system, draw and number of answers; finished draws are read from ``out``."""
    file = None if out is None else out / "curate.draws.jsonl"
    finished = _finished(file)
    for setting in settings:  # each is made when it is its turn, which takes minutes
        for draw in range(draws):
            for system in systems:
                key = _key(setting, system, draw, answers)
                if key not in finished:
                    if progress is not None:
                        progress(f"{setting.direction}, {system.name}, draw {draw}")
                    finished[key] = list(_run(setting, system, draw, answers))
                    _keep(file, key, finished[key])
                yield from finished[key]


def _run(setting: CurationSetting, system: CurationSystem, draw: int, answers: Sequence[int]) -> Iterator[CurationFigure]:
    pool, test = _halves(setting.documents, draw)
    gold = setting.y[pool]
    lesson = Lesson(setting.before, setting.rows[pool], setting.columns, from_nothing=not system.with_model)
    queue = Queue([setting.candidates[row] for row in pool], setting.codes[pool], seen=setting.seen, random_state=draw)
    has_keyword = np.zeros(pool.size) if setting.has_keyword is None else setting.has_keyword[pool]
    _, p, expected = setting.before.decide(setting.rows[pool])
    codes = setting.codes[pool]
    left_out = []
    if system.order == "cascade":
        listed = best(worth_of(p, codes, setting.seen), [code.tobytes() for code in codes], LISTED)
        left_out = np.setdiff1d(np.arange(pool.size), listed).tolist()
    rng = np.random.default_rng(draw)
    asked: list[int] = []
    origins: list[int] = []
    between = REFITTED if system.order != "random" else ()  # what is drawn at random asks for no model
    steps = sorted({*answers, *(step for step in between if step < max(answers))})
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        learned = lesson.learn(asked, gold[asked], origins)
        knows = system.with_model or bool(asked)
        if step in answers and len(asked) == step:
            scores, _, accepted = learned.decision.decide(setting.rows[test])
            if not knows:
                scores, accepted = np.full(test.size, 0.5), np.ones(test.size, bool)
            f1 = precision_recall_f1(setting.y[test], accepted)[2]
            reached = float(auc(setting.y[test], scores))
            met = [row for row in asked if gold[row]]
            counts = len(met), int((~expected[met]).sum()) if met else 0
            yield CurationFigure(setting.direction, system.name, draw, step, reached, float(f1), *counts)
        if following is not None:
            # what is equally uncertain is asked in no order: rows of the text stand document by document
            p = learned.probabilities if knows else np.full(pool.size, 0.5)
            is_search = system.order == "keyword"
            p = np.clip((0.1 + 0.8 * has_keyword if is_search else p) + rng.uniform(-1e-6, 1e-6, p.size), 0, 1)
            order = {"keyword": "confident", "cascade": "useful"}.get(system.order, system.order)
            taken = set(left_out) - set(asked)
            questions = queue.next(p, asked, following - step, order=order, taken=taken, drawn=0 if left_out else SHARE_DRAWN)
            asked += [question.row for question in questions]
            origins += [CHOSEN if question.draw is None else DRAWN for question in questions]


def _halves(documents: NDArray[Any], draw: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    names = np.unique(documents)
    chosen = np.random.default_rng([draw, 7]).permutation(names)[: names.size // 2]
    is_pool = np.isin(documents, chosen)
    return np.flatnonzero(is_pool), np.flatnonzero(~is_pool)


def run(asked: Asked) -> Report:
    """The benchmark."""
    asked.say("parsing")
    settings = curation_settings(curation_dataset(asked.root), progress=asked.say)
    return report_of(list(curation_figures(settings, draws=asked.seeds or DRAWS, out=asked.output, progress=asked.say)))


def report_of(figures: Sequence[CurationFigure]) -> Report:
    """One table per direction (systems × answers, AUC · F1), what an answer is worth, and a plot of AUC and F1 each."""
    rows = summary(figures)
    ours, plain = SYSTEMS[0].name, SYSTEMS[-1].name
    known = next(system.name for system in SYSTEMS if system.order == "random" and system.with_model)
    values = {
        f"100 answers of {ours} = answers of {beside}, by {measure}": worth(rows, ours, beside, measure=measure)
        for beside in (plain, known)
        for measure in ("auc", "f1")
    }
    notes = []
    for name, by_direction in values.items():
        said = (f"{d}: {'more than were given' if n is None else f'{n:.0f}'}" for d, n in by_direction.items())
        notes.append(f"{name}: {', '.join(said)}")
    tables = []
    for direction in dict.fromkeys(row["direction"] for row in rows):
        own = [row for row in rows if row["direction"] == direction]
        title = f"{direction}, AUC ± half of its 95 % interval · F1 · relations met, not expected ({own[0]['draws']} draws)"
        tables.append(Table.pivot(own, "system", "answers", _cell, heading="system", title=title))
    pictures = {}
    for measure in ("auc", "f1"):
        drawn = [{**row, f"{measure}_sd": row[f"{measure}_ci"]} for row in rows if row["answers"]]
        pictures[f"curate-{measure}.png"] = partial(curves, drawn, x="answers", y=measure, title="Answers on the target text")
    return Report("curate", "Answers on the target text", rows, tables, notes, {"worth": values}, pictures=pictures)


def summary(figures: Sequence[CurationFigure]) -> list[dict[str, Any]]:
    """Means over draws with half the width of their 95 % interval (Student's t over draws)."""
    groups: dict[tuple[str, str, int], list[CurationFigure]] = {}
    for figure in figures:
        groups.setdefault((figure.direction, figure.system, figure.answers), []).append(figure)
    rows = []
    for (direction, system, n), own in groups.items():
        row: dict[str, Any] = {"direction": direction, "system": system, "answers": n, "draws": len(own)}
        for name in ("auc", "f1", "found", "unexpected"):
            values = np.array([getattr(figure, name) for figure in own])
            row[name] = float(values.mean())
            spread = float(values.std(ddof=1)) if len(own) > 1 else 0.0
            row[f"{name}_ci"] = float(stats.t.ppf(0.975, len(own) - 1)) * spread / len(own) ** 0.5 if len(own) > 1 else None
        rows.append(row)
    return rows


def worth(
    rows: Sequence[Mapping[str, Any]], of: str, beside: str, n: int = 100, measure: str = "auc"
) -> dict[str, float | None]:
    """How many answers of system ``beside`` reach what ``n`` answers of system ``of`` reach, by direction.

    Between two numbers of answers a straight line is drawn; ``None`` if the other never gets there.
    """
    found: dict[str, float | None] = {}
    for direction in dict.fromkeys(row["direction"] for row in rows):
        own = [row for row in rows if row["direction"] == direction and row["system"] == of and row["answers"] == n]
        other = sorted(
            (row["answers"], row[measure]) for row in rows if row["direction"] == direction and row["system"] == beside
        )
        if not own or not other:
            continue
        found[direction] = _reaches(other, own[0][measure])
    return found


def _reaches(points: Sequence[tuple[int, float]], wanted: float) -> float | None:
    """The first number of answers at which a broken line is as high as wanted.

    >>> _reaches([(0, 0.5), (100, 0.7), (200, 0.8)], 0.75)
    150.0
    """
    if points[0][1] >= wanted:
        return float(points[0][0])
    for (left, low), (right, high) in pairwise(points):
        if high >= wanted:
            return left + (right - left) * (wanted - low) / (high - low)
    return None


def _cell(row: Mapping[str, Any]) -> str:
    spread = "" if row["auc_ci"] is None else f" ±{row['auc_ci']:.3f}"
    return f"{row['auc']:.3f}{spread} · {row['f1']:.3f} · {row['found']:.0f}, {row['unexpected']:.0f}"


def _key(setting: CurationSetting, system: CurationSystem, draw: int, answers: Sequence[int]) -> str:
    known = [program_digest(), setting.fingerprint, asdict(system), draw, list(answers), REFITTED]
    return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]


def _finished(file: Path | None) -> dict[str, list[CurationFigure]]:
    finished: dict[str, list[CurationFigure]] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file is not None and file.exists() else ():
        try:
            kept = json.loads(line)
            finished[kept["key"]] = [CurationFigure(**one) for one in kept["figures"]]
        except (ValueError, KeyError, TypeError):
            continue  # cut off by an interruption
    return finished


def _keep(file: Path | None, key: str, figures: Sequence[CurationFigure]) -> None:
    if file is None:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as handle:
        handle.write(json.dumps({"key": key, "figures": [asdict(figure) for figure in figures]}, ensure_ascii=False) + "\n")
