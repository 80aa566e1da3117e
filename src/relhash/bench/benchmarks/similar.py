"""``relhash benchmark similar``: do learned hash functions make a better index? ``spread``: what are answers worth that spread?

Codes choose a short list, exact kernels order it (:mod:`relhash.hashing.hamming`). Asked is how many of the ten candidates that
an exact scan finds are on the list, for nearly-unsupervised codes and for every control: random functions of the same family,
random functions cut at the median, sign random projections and iterative quantisation (Gong and Lazebnik 2011) of Nyström
features of the same kernel. And what a person sees: how many of the first ten have the label of the query.

Queries are related pairs of one text, the other text is searched; functions are learned from a sample of both. Everything is
read by the pipeline that ships, as ``relhash hash`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.bench.benchmarks import Asked
from relhash.bench.tables import Report, Table
from relhash.candidates import Candidate, PairPolicy, StructureSet, build_structures, candidates
from relhash.corpus import Document, read
from relhash.files import replacing
from relhash.hashing import HashcodeLearner
from relhash.hashing.hamming import Codes, nearest_codes, pack, similarities
from relhash.language.parse_cache import ParseCache
from relhash.learn.codes import make_kernels
from relhash.model.answers.alike import SAME, Alike
from relhash.model.index import SAMPLE, VIEWS
from relhash.model.reading.reader import EMBEDDED, Reader, choose_parses
from relhash.show.significance import Difference, Floats, Sample, difference

BITS = (32, 64, 128, 256)
LISTS = (50, 200, 1000)
QUERIES, NEAREST, SEEDS = 200, 10, 8
OURS, TFIDF = "NU nearest", "TF-IDF of 1–3-grams"
USUAL = (128, 200)
_RANDOM = {"split": "random", "sampling": "global", "deletion_share": 0.0}
REFERENCES_PER_BIT, MANY = 3.5, 600
"""A function draws three or four."""


@dataclass(frozen=True, eq=False)
class SearchTask:
    """Queries of one text, and the other text: structures of both, labels, documents."""

    name: str
    queries: StructureSet
    searched: StructureSet
    query_labels: NDArray[np.str_]
    labels: NDArray[np.str_]
    documents: tuple[str, ...]
    """Of the queries."""
    sentences: Sequence[str]
    """Of both, queries first, entities replaced by their roles: what TF-IDF compares."""
    sample: StructureSet
    """What functions are learned from."""


Measured = dict[tuple[str, int, int], dict[tuple[str, int], Floats]]
"""By family, bits and size of the list (0: its own order), then by task and seed: recall and share of each query."""


@dataclass(frozen=True)
class SimilarFigure:
    """One row: recall of the exact ten in the list, and the share of the first ten with the label of the query.

    ``bits`` and ``listed`` are 0 where there are none; ``minus`` is what our codes have more of recall, with its interval over
    seeds and documents.
    """

    family: str
    bits: int
    listed: int
    recall: float
    precision: float
    by_task: dict[str, tuple[float, float]]
    minus: tuple[float, float, float] | None = None


def run(asked: Asked) -> Report:
    """The benchmark; with an output folder what is known is written after each task."""
    tasks, seeds = search_tasks(asked.root, asked.say), asked.seeds or SEEDS
    for figures in similar_figures(tasks, seeds=seeds, progress=asked.say):
        report = report_of(figures, seeds)
        if asked.output is not None:
            report.write(asked.output)
    return report


def report_of(figures: Sequence[SimilarFigure], seeds: int) -> Report:
    """All tables, and the picture of recall against bits."""
    names = list(figures[0].by_task)
    said = f"{seeds} seeds, {QUERIES} queries for each of {', '.join(names)}. In parentheses: {OURS} minus this row, with its "
    tables = [_recall(figures, listed) for listed in LISTS]
    kept = [one for one in figures if one.bits in (0, USUAL[0]) and one.listed in (0, USUAL[1])]
    rows = [[_how(one), *(one.by_task[name][1] for name in names)] for one in kept]
    tables.append(Table(["found by", *names], rows, "Share of the first ten with the label of the query (P@10)"))
    return Report(
        "similar", "Codes as an index", figures, tables, [f"{said}95 % interval over seeds and documents."], {"seeds": seeds},
        pictures={"recall.svg": partial(draw_recall, figures)}, shown=[_recall(figures)],
    )  # fmt: skip


def _how(one: SimilarFigure) -> str:
    bits = f", {one.bits} bits" if one.bits else ""
    return f"{one.family}{bits}" + (f", list of {one.listed} re-ranked" if one.listed else " alone" if bits else "")


_DRUGS = "drugprot/train"
TASKS = {
    "BioNLP 2009 → 2013": ("bionlp/2009/train", "bionlp/2013/train", "type"),
    "AIMed → BioInfer": ("ppi/AIMed.xml", "ppi/BioInfer.xml", None),
    "BioInfer → AIMed": ("ppi/BioInfer.xml", "ppi/AIMed.xml", None),
    "DrugProt, halves": (_DRUGS, _DRUGS, "type"),
}
"""Whose pairs are asked for, which text is searched, and whether labels are types of relations or related and not."""


def search_tasks(
    root: Path,
    progress: Callable[[str], object] = lambda _: None,
    *,
    views: Sequence[str] = VIEWS,
    names: Iterable[str] = TASKS,
) -> Iterator[SearchTask]:
    """The tasks of these names; without DrugProt where it is not there."""
    for name in names:
        first, second, labelled = TASKS[name]
        if first != _DRUGS or (root / _DRUGS).is_dir():
            yield _task(name, root / first, root / second, labelled, progress, views)


def similar_figures(
    tasks: Iterable[SearchTask], *, seeds: int = SEEDS, progress: Callable[[str], object] = lambda _: None
) -> Iterator[list[SimilarFigure]]:
    """All families at all lengths, lists of all sizes; TF-IDF, and the exact scan. After each task those of all until then."""
    done: list[SearchTask] = []
    measured: Measured = {}
    kernels = {view: (kernel,) for view, kernel in make_kernels(VIEWS).items()}
    for task in tasks:
        progress(f"{task.name}: exact scan")
        exact = similarities(kernels, task.searched, task.queries).T
        true = _first(exact, NEAREST)
        measured.setdefault(("exact scan", 0, 0), {})[task.name, 0] = _judged(task, true, true, true)
        _measure(measured, (TFIDF, 0), task, 0, exact, true, _first(_tfidf(task), max(LISTS)))
        for seed in range(seeds):
            progress(f"{task.name}: landmarks, seed {seed}")
            landmarks = _Landmarks(task, kernels, seed)
            for family, make in FAMILIES.items():
                progress(f"{task.name}: {family}, seed {seed}")
                for bits, asked, codes in make(task, kernels, landmarks, seed):
                    near = nearest_codes(asked, codes, min(max(LISTS), len(codes)))[1]
                    _measure(measured, (family, bits), task, seed, exact, true, near)
        done.append(task)
        yield [_figure(key, values, measured, done, seeds) for key, values in measured.items()]


def _measure(
    measured: Measured,
    family: tuple[str, int],
    task: SearchTask,
    seed: int,
    exact: NDArray[np.float32],
    true: NDArray[np.int64],
    near: NDArray[np.int64],
) -> None:
    """What is near by a family, in its own order and as lists that are ordered by the kernels."""
    first = near[:, :NEAREST]
    measured.setdefault((*family, 0), {})[task.name, seed] = _judged(task, first, true, first)
    for listed in LISTS:
        own = near[:, :listed]
        ordered = np.take_along_axis(own, _first(np.take_along_axis(exact, own, 1), NEAREST), 1)
        measured.setdefault((*family, listed), {})[task.name, seed] = _judged(task, ordered, true, own)


def _task(
    name: str,
    first: Path,
    second: Path,
    labelled: str | None,
    progress: Callable[[str], object],
    views: Sequence[str],
) -> SearchTask:
    progress(f"{name}: reading")
    halves = first == second
    one = pairs_of(list(read(first))[::2] if halves else list(read(first)))
    other = pairs_of(list(read(second))[1::2] if halves else list(read(second)))
    labels = [np.array([_label(pair, labelled) for pair in text]) for text in (one, other)]
    rng = np.random.default_rng(0)
    chosen = np.sort(rng.permutation(np.flatnonzero(labels[0] != ""))[:QUERIES])
    asked = [one[row] for row in chosen]
    both = [*one, *other]
    sample = [both[row] for row in np.sort(rng.permutation(len(both))[:SAMPLE])]
    return SearchTask(
        name,
        build_structures(asked, views),
        build_structures(other, views),
        labels[0][chosen],
        labels[1],
        tuple(pair.document.id for pair in asked),
        [_words(pair) for pair in [*asked, *other]],
        build_structures(sample, views),
    )


def pairs_of(documents: Sequence[Document]) -> list[Candidate]:
    """Candidates of documents, read by the pipeline that ships."""
    settings = choose_parses(EMBEDDED, documents, [], needs_parse=True, needs_split=True)
    return list(candidates(Reader(settings, cache=ParseCache())(documents), PairPolicy()))


def _label(pair: Candidate, labelled: str | None) -> str:
    return ";".join(sorted(set(pair.relations))) if labelled else "related" if pair.is_positive else ""


def _words(pair: Candidate) -> str:
    sentence = pair.document.sentences[pair.sentence]
    text, (one, two) = pair.document.text, pair.mentions
    before, after = text[max(sentence.start, one.start - 40) : one.start], text[two.end : min(sentence.end, two.end + 40)]
    return f"{before} E1 {text[one.end : two.start]} E2 {after}"


def _first(values: NDArray[Any], n: int) -> NDArray[np.int64]:
    """Columns of the largest values of each row, the first of equals first."""
    return np.argsort(-values, axis=1, kind="stable")[:, :n]


def _judged(task: SearchTask, shown: NDArray[np.int64], true: NDArray[np.int64], listed: NDArray[np.int64]) -> Floats:
    """Per query: the share of the exact ten on the list, and of those shown with its label."""
    recall = [np.isin(exact, own).mean() for exact, own in zip(true, listed, strict=True)]
    same = (task.labels[shown] == task.query_labels[:, None]).mean(axis=1)
    return np.column_stack([recall, same])


def _figure(
    key: tuple[str, int, int],
    values: Mapping[tuple[str, int], Floats],
    measured: Measured,
    tasks: Sequence[SearchTask],
    seeds: int,
) -> SimilarFigure:
    family, bits, listed = key
    by_task = {
        task.name: np.mean([own.mean(axis=0) for (name, _), own in values.items() if name == task.name], axis=0)
        for task in tasks
    }
    recall, precision = np.mean(list(by_task.values()), axis=0)
    minus = None
    if bits and family != OURS:
        ours = measured[OURS, bits, listed]
        tests = [(_sample(task, ours, seeds), _sample(task, values, seeds)) for task in tasks]
        found: Difference = difference(tests)
        minus = found.value, found.low, found.high
    shown = {name: (float(own[0]), float(own[1])) for name, own in by_task.items()}
    return SimilarFigure(family, bits, listed, float(recall), float(precision), shown, minus)


@dataclass(frozen=True, eq=False)
class _MeanRun:
    """A mean over queries, as a function of how much each document counts."""

    sums: Floats
    counts: Floats

    def __call__(self, weights: Floats) -> Floats:
        total = weights @ self.counts
        return np.asarray(np.divide(weights @ self.sums, total, out=np.full_like(total, np.nan), where=total > 0))


def _sample(task: SearchTask, values: Mapping[tuple[str, int], Floats], seeds: int) -> Sample:
    names, place = np.unique(np.array(task.documents), return_inverse=True)
    counts = np.bincount(place).astype(float)
    recalls = [values[task.name, seed][:, 0] for seed in range(seeds)]
    runs = [_MeanRun(np.asarray(np.bincount(place, own), np.float64), counts) for own in recalls]
    return Sample(tuple(f"{task.name} {name}" for name in names.tolist()), tuple(range(seeds)), runs)


Hashed = Iterator[tuple[int, Codes, Codes]]
"""Codes of the queries and of the searched text, for each length."""


def _learned(*, is_random: bool = False, **settings: Any) -> Callable[..., Hashed]:
    """Functions of ours. Random ones are independent, so the first 64 of 256 are 64 random ones; others are learned anew."""

    def make(task: SearchTask, kernels: Mapping[str, Any], landmarks: _Landmarks, seed: int) -> Hashed:
        own = {view: offered[0] for view, offered in kernels.items()}
        given = {**(_RANDOM if is_random else {}), **settings}
        for length in BITS[-1:] if is_random else BITS:
            learner = HashcodeLearner(length, kernel=own, views=list(VIEWS), random_state=seed, n_jobs=1, **given)
            both = [learner.fit(task.sample).transform(task.queries), learner.transform(task.searched)]
            for bits in BITS if is_random else (length,):
                yield bits, pack(both[0][:, :bits]), pack(both[1][:, :bits])

    return make


class _Landmarks:
    """Similarities of sample, queries and searched text to candidates drawn from the sample: what Nyström features need."""

    def __init__(self, task: SearchTask, kernels: Mapping[str, Any], seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        drawn = self.rng.permutation(len(task.sample))[: max(MANY, int(REFERENCES_PER_BIT * BITS[-1]))]
        self.own = [
            similarities(kernels, X, task.sample[drawn]).astype(np.float64)
            for X in (task.sample[drawn], task.sample, task.queries, task.searched)
        ]

    def features(self, n: int) -> list[Floats]:
        """Centred features of sample, queries and searched text, from the first ``n`` landmarks."""
        gram = self.own[0][:n, :n]
        values, vectors = np.linalg.eigh((gram + gram.T) / 2)
        kept = values > 1e-4 * values.max()
        basis = vectors[:, kept] / np.sqrt(values[kept])
        made = [X[:, :n] @ basis for X in self.own[1:]]
        middle = made[0].mean(axis=0)
        return [X - middle for X in made]


def _projected(n: Callable[[int], int], *, rotate: bool) -> Callable[..., Hashed]:
    """Signs of Nyström features: of random projections of them, or of their principal directions, rotated (ITQ)."""

    def make(task: SearchTask, kernels: Mapping[str, Any], landmarks: _Landmarks, seed: int) -> Hashed:
        rng = np.random.default_rng(seed)
        for bits in BITS:
            learned, asked, searched = landmarks.features(n(bits))
            if rotate:
                _, directions = np.linalg.eigh(learned.T @ learned)
                turn = directions[:, ::-1][:, :bits]
                turn = turn @ _rotation(learned @ turn, rng)
            else:
                turn = rng.normal(size=(learned.shape[1], bits))
            yield bits, pack((asked @ turn > 0).astype(np.uint8)), pack((searched @ turn > 0).astype(np.uint8))

    return make


def _rotation(X: Floats, rng: np.random.Generator, rounds: int = 20) -> Floats:
    """The rotation after which signs lose least (ITQ)."""
    turn = np.linalg.qr(rng.normal(size=(X.shape[1],) * 2))[0]
    for _ in range(rounds):
        left, _, right = np.linalg.svd(np.sign(X @ turn).T @ X)
        turn = (left @ right).T
    return np.asarray(turn)


def _tfidf(task: SearchTask) -> NDArray[np.float32]:
    from sklearn.feature_extraction.text import TfidfVectorizer

    rows = TfidfVectorizer(ngram_range=(1, 3), sublinear_tf=True, min_df=2).fit_transform(task.sentences)
    n = len(task.queries)
    return np.asarray((rows[:n] @ rows[n:].T).todense(), np.float32)


FAMILIES: dict[str, Callable[..., Hashed]] = {
    OURS: _learned(),
    "random nearest": _learned(is_random=True),
    "random-balanced": _learned(is_random=True, hash_function="balanced-margin"),
    "sign random projection": _projected(lambda bits: 300, rotate=False),
    "ITQ, as many references": _projected(lambda bits: int(REFERENCES_PER_BIT * bits), rotate=True),
    "ITQ, 600 landmarks": _projected(lambda bits: MANY, rotate=True),
}


def _recall(figures: Sequence[SimilarFigure], listed: int | None = None) -> Table:
    """Recall in a list of one size by family and bits; what ours has more, with its interval."""
    listed = USUAL[1] if listed is None else listed
    rows = []
    words = next(f"{one.recall:.3f}" for one in figures if one.family == TFIDF and one.listed == listed)
    for family in FAMILIES:
        own = {one.bits: one for one in figures if one.family == family and one.listed == listed}
        cells = []
        for bits in BITS:
            minus = own[bits].minus
            more = "" if minus is None else f" ({minus[0]:+.3f} [{minus[1]:.3f}, {minus[2]:.3f}])"
            cells.append(f"{own[bits].recall:.3f}{more}")
        rows.append([family, *cells])
    title = f"Recall of the exact ten in a list of {listed} ({TFIDF}: {words})"
    return Table(["functions", *(f"{bits} bits" for bits in BITS)], rows, title)


def draw_recall(figures: Sequence[SimilarFigure], path: Path) -> None:
    """Recall of the exact ten against the length of the codes, one line per family, one panel per size of the list."""
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(9.5, 3.6), layout="constrained")
    for axes, listed in zip(drawing.subplots(1, len(LISTS), sharey=True), LISTS, strict=True):
        for family in FAMILIES:
            own = sorted((one.bits, one.recall) for one in figures if one.family == family and one.listed == listed)
            is_ours = family == OURS
            axes.plot(*zip(*own, strict=True), marker="o", markersize=3, label=family, linewidth=2.2 if is_ours else 1.1)
        words = next(one.recall for one in figures if one.family == TFIDF and one.listed == listed)
        axes.axhline(words, color="grey", linestyle="--", linewidth=1, label=TFIDF)
        axes.set_xscale("log", base=2)
        axes.set_xticks(BITS, [str(bits) for bits in BITS])
        axes.set_title(f"list of {listed}", fontsize=10)
        axes.set_xlabel("bits")
        axes.spines[["top", "right"]].set_visible(False)
    drawing.axes[0].set_ylabel("recall of the exact ten")
    drawing.axes[-1].legend(frameon=False, fontsize=7, loc="lower right")
    with replacing(path, "wb") as handle:
        drawing.savefig(handle, format="svg", metadata={"Date": None})


CORPORA = {name: f"ppi/{name}.xml" for name in ("AIMed", "BioInfer", "HPRD50")}
CORPORA |= {"BioNLP 2013": "bionlp/2013/train", "DrugProt": "drugprot/train", "BC5CDR": "bc5cdr/devel.PubTator"}
"""The similarity from which sentences are grouped was chosen on the first three."""
DOCUMENTS = 900
ASKED = 1500
"""Candidates of a corpus that are gone through, in random order."""


def run_spread(asked: Asked) -> Report:
    """``relhash benchmark spread``: answers that spread to sentences nearly the same."""
    figures = list(spread_figures(asked.root, progress=asked.say))
    headings = ["corpus", "similarity", "keys", "verdicts", "per key", "wrong in groups", "wrong among yes"]
    rows = [
        [f.corpus, f"{f.cut:g}", f.keys, f.verdicts, f"{f.verdicts / f.keys:.2f}", f"{f.wrong} of {f.spread}",
         f"{f.wrong_yes} of {f.spread_yes}"]
        for f in figures
    ]  # fmt: skip
    return Report("spread", "Answers that spread to sentences nearly the same", figures, [Table(headings, rows)])


@dataclass(frozen=True)
class SpreadFigure:
    """What answers are worth that spread to sentences nearly the same, from a similarity ``cut`` on.

    A key answers one question, one more accepts its group. ``wrong`` are verdicts of groups that the gold label contradicts,
    ``wrong_yes`` those of them that were accepted as relations.
    """

    corpus: str
    cut: float
    keys: int
    verdicts: int
    spread: int
    wrong: int
    spread_yes: int
    wrong_yes: int


def spread_figures(
    root: Path, *, cuts: Sequence[float] = (0.8, SAME, 0.95), progress: Callable[[str], object] = lambda _: None
) -> Iterator[SpreadFigure]:
    """Questions in random order to an annotator who knows the gold label, until all candidates have a verdict."""
    for name, path in CORPORA.items():
        progress(name)
        found = pairs_of(list(read(root / path))[:DOCUMENTS])
        gold = np.array([pair.is_positive for pair in found])
        structures = build_structures(found, VIEWS)
        rng = np.random.default_rng(0)
        kernels = make_kernels(VIEWS)
        learner = HashcodeLearner(USUAL[0], kernel=kernels, views=list(VIEWS), random_state=0)
        learner.fit(structures[np.sort(rng.permutation(len(found))[:SAMPLE])])
        alike = Alike(learner.kernels_, structures, learner.codes(structures))
        order = rng.permutation(len(found))[:ASKED].tolist()
        near = {row: alike.near(row) for row in order}
        for cut in cuts:
            judged: set[int] = set()
            keys = spread = wrong = spread_yes = wrong_yes = 0
            for row in order:
                if row in judged:
                    continue
                group = [other for other, value in near[row] if value >= cut and other not in judged]
                keys += 2 if group else 1
                judged |= {row, *group}
                missed = int((gold[group] != gold[row]).sum())
                spread, wrong = spread + len(group), wrong + missed
                if gold[row]:
                    spread_yes, wrong_yes = spread_yes + len(group), wrong_yes + missed
            yield SpreadFigure(name, cut, keys, len(judged), spread, wrong, spread_yes, wrong_yes)
