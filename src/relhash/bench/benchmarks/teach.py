"""``relhash benchmark teach``: what 10 to 320 labels add to a shipped model, on text that it has not learned from.

In each draw half of the documents of a set are the text that labels come from, and the other half is measured (at most 1,000
pairs of it). Rivals get the same labels and the same features.

``ppi`` is taught on pairs of proteins (AIMed, HPRD50, verdicts of curators on statements and on sentences about transcription
factors, events of the BioNLP tasks), ``related`` on chemicals, genes, diseases and variants. Sentences that the model was
trained on are left out. On the first four the learner was chosen, on the others it is reported. Where the extra ``encoder`` is
installed, the shipped model has its second reader.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse, special

import relhash
from relhash.bench.benchmarks import Asked
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import read_benchmark_corpus
from relhash.bench.tables import Report, Table
from relhash.biomed.names.table import shipped_names
from relhash.candidates import build_structures
from relhash.candidates.encoded import ENCODER
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.corpus import Argument, CandidatePair, Document, Mention, Relation
from relhash.files import replacing
from relhash.learn.correction import CHOSEN, DRAWN, NEAR, FittedCorrection, clipped_log_odds, corrected
from relhash.learn.decision import Decision
from relhash.learn.labels import draw_labelled, has_label
from relhash.learn.lesson import Lesson
from relhash.learn.look import Look, SeenRows, nearness
from relhash.learn.metrics import auc, oracle_threshold, precision_recall_f1
from relhash.learn.threshold import CUT, cut_after
from relhash.model.answers.questions import Queue
from relhash.model.judging import Prepared
from relhash.model.recipe import PRESETS

ABOUT_NAMES = {"grounding", "entity_boundaries"}
"""Verdicts that say nothing of the relation."""


@dataclass(frozen=True)
class TeachSet:
    """A text with labels.

    Attributes
    ----------
    model
        The shipped model that is taught.
    read
        Its documents, below the data root.
    chosen_on
        Whether the learner was chosen on it.
    types
        The pairs of entity types that are asked about, if not all that the model knows.
    relation
        The type of relation that is looked for, if only one is: others are negatives then.
    documents
        At most so many are read.
    """

    model: str
    read: Callable[[Path], Iterable[Document]]
    chosen_on: bool = False
    types: Sequence[tuple[str, str]] = ()
    relation: str = ""
    documents: int = 400


def _corpus(name: str) -> Callable[[Path], Iterable[Document]]:
    return lambda root: read_benchmark_corpus(root, name)


def _events(name: str) -> Callable[[Path], Iterable[Document]]:
    return lambda root: pairs_of_events(read_benchmark_corpus(root, name))


def _verdicts(root: Path) -> Iterator[Document]:
    """Statements that two proteins form a complex, which curators have judged; names are found in the sentence."""
    for line in (root / "judged" / "indra_dev.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["type"] == "Complex" and row["verdict"] not in ABOUT_NAMES:
            is_right = row["verdict"] == "correct"
            yield from _judged(row["pmid"], row["id"], row["text"], row["subject"], row["object"], is_right)


def _regulation(root: Path) -> Iterator[Document]:
    """Sentences with a transcription factor and a gene that it may regulate, judged."""
    with (root / "judged" / "extri_dev.tsv").open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            is_right = row["evaluation"] in ("a", "r", "v")
            yield from _judged(row["id"].partition(":")[0], row["id"], row["sentence"], row["TF"], row["TG"], is_right)


def _judged(paper: str, row: str, text: str, first: str, second: str, is_right: bool) -> Iterator[Document]:
    """One sentence with its two names; nothing if one of them is not there as a whole word."""
    places = [_place(text, name) for name in (first, second)]
    if places[0] is None or places[1] is None or places[0] == places[1]:
        return
    mentions = tuple(
        Mention(f"T{number}", "protein", (place,), text[slice(*place)])
        for number, place in enumerate(places, 1)
        if place is not None
    )
    joined = (Relation("R1", "interaction", (Argument("e1", "T1"), Argument("e2", "T2"))),)
    pairs = (CandidatePair("P1", "T1", "T2"),)
    yield Document(f"{paper}/{row}", text, mentions=mentions, relations=joined if is_right else (), candidates=pairs)


def _place(text: str, name: str) -> tuple[int, int] | None:
    """Where a name stands: as it is written, or as another name of the same thing."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    if found is not None:
        return found.span()
    names = shipped_names()
    for word in re.finditer(r"(?<![\w'/-])[\w'/-]*\w", text):
        concepts = names.find(word[0]) if len(word[0]) > 2 else ()
        if any(names.label(one.number).upper() == name.upper() for one in concepts):
            return word.span()
    return None


TEACH_SETS: dict[str, TeachSet] = {
    "INDRA complexes": TeachSet("ppi", _verdicts, chosen_on=True),
    "AIMed": TeachSet("ppi", _corpus("ppi/AIMed.xml"), chosen_on=True),
    "HPRD50": TeachSet("ppi", _corpus("ppi/HPRD50.xml"), chosen_on=True),
    "DrugProt": TeachSet("related", _corpus("drugprot/train"), True, (("chemical", "gene"),)),
    "ExTRI": TeachSet("ppi", _regulation),
    "BioNLP 2013": TeachSet("ppi", lambda root: pairs_of_events(development_documents(root))),
    "BioNLP ID": TeachSet("ppi", _events("bionlp-more/2011-id/devel")),
    "BC5CDR": TeachSet("related", _corpus("bc5cdr/devel.PubTator"), types=(("chemical", "disease"),)),
    "BioRED": TeachSet("related", _corpus("biored/Train.PubTator")),
    "BioNLP bindings": TeachSet("ppi", development_documents, relation="Binding"),
    "BioNLP positive regulation": TeachSet("ppi", development_documents, relation="Positive_regulation"),
    "NERO, other classes": TeachSet("ppi", _corpus("nero/annotation_results.txt.gz"), documents=4000),
}
"""By their names in the tables."""


Floats = NDArray[np.float64]

COUNTS = (10, 20, 40, 80, 160, 320)
SLOW_COUNTS = (80, 320)
"""Numbers of labels for learners that fit forests."""
DRAWS, SLOW_DRAWS = 6, 3
MOST_PAIRS, MOST_TESTED = 4000, 1000
BATCH = 20
"""Chosen questions are asked so many at a time, and the model learns between."""


@dataclass(frozen=True, eq=False)
class TeachData:
    """A set as its model sees it."""

    name: str
    model: str
    chosen_on: bool
    before: Decision
    X: Any
    columns: dict[str, slice]
    codes: NDArray[np.uint64]
    candidates: Sequence[Any]
    y: NDArray[np.bool_]
    documents: NDArray[Any]
    prior: Floats
    accepted: NDArray[np.bool_]
    encoded: NDArray[np.float32]
    """What the shipped transformer makes of each pair."""


@dataclass(frozen=True, slots=True)
class TeachFigure:
    """What a learner reached with so many labels of one draw."""

    set: str
    learner: str
    labels: int
    draw: int
    auc: float
    log_loss: float
    f1: float
    f1_oracle: float
    f1_third: float
    """At probability 1/3, in the place of the usual cut."""
    near_change: float = 0.0
    """Of the log-loss against the shipped model, over the tenth of the pairs that are most like a labelled one."""


def run(asked: Asked) -> Report:
    """The benchmark."""
    return report_of(list(teach_figures(asked.root, draws=asked.seeds or DRAWS, out=asked.output, progress=asked.say)))


def report_of(figures: Sequence[TeachFigure]) -> Report:
    """Change of AUC (worst draw) by set, learners × labels; then loss, and F1 at the cut and of the oracle."""
    rows = summary(figures)
    tables = []
    for measure, title in (
        ("auc", "Change of AUC against the shipped model (worst draw)"),
        ("log_loss", "Log-loss"),
        ("f1", "F1 at the default cut (oracle cut)"),
    ):
        for name in dict.fromkeys(row["set"] for row in rows):
            own = [row for row in rows if row["set"] == name]
            heading = f"{name} ({'chosen on' if own[0]['chosen_on'] else 'reported'})"
            tables.append(Table.pivot(own, "learner", "labels", partial(_cell, measure=measure), heading=heading, title=title))
    over_sets = means(rows)
    table = Table(list(over_sets[0]), [list(row.values()) for row in over_sets], "Means over sets")
    return Report("teach", "Labels that teach a shipped model", rows, [table, *tables], (), {"means": over_sets})


def read_set(name: str, given: TeachSet, root: Path) -> TeachData:
    """The labelled pairs of a set that the model was not trained on, at most some thousands, whole documents."""
    model = relhash.load(given.model)
    if given.types:
        model = model.relating(given.types)
    documents = list(given.read(root))
    if len({document.id.partition("/")[0] for document in documents}) > given.documents and "/" not in documents[0].id:
        documents = random.Random(0).sample(documents, given.documents)
    found = model.candidates(documents)
    unseen = ~np.isin(sentence_hashes(found), model.training_sentences)
    found = [one for one, keep in zip(found, unseen & has_label(found), strict=True) if keep]
    papers = np.array([one.document.id.partition("/")[0] for one in found])
    order = np.random.default_rng(0).permutation(np.unique(papers))
    sizes = np.cumsum([np.sum(papers == paper) for paper in order])
    kept = np.flatnonzero(np.isin(papers, order[: int(np.searchsorted(sizes, MOST_PAIRS)) + 1]))
    found = [found[row] for row in kept]
    text = Prepared(model, found)
    X = text.features
    _, probabilities, accepted = model.decision.decide(X)
    codes = np.zeros((len(found), 0), np.uint64) if text.codes is None else text.codes
    y = np.array([given.relation in one.relations if given.relation else one.is_positive for one in found])
    encoded = np.asarray(build_structures(found, (ENCODER,))[ENCODER], np.float32)
    columns = dict(model.features.columns)
    prior = clipped_log_odds(probabilities)
    return TeachData(
        name, given.model, given.chosen_on, model.decision, X, columns, codes, found, y, papers[kept], prior, accepted, encoded
    )


def teach_figures(
    root: Path,
    *,
    draws: int = DRAWS,
    sets: Iterable[str] = TEACH_SETS,
    out: Path | None = None,
    progress: Callable[[str], object] | None = None,
) -> Iterator[TeachFigure]:
    """One figure per set, learner, number of labels and draw; sets that ``out`` has are read from there."""
    for name in sets:
        file = None if out is None else out / f"teach-{name.replace(' ', '-')}.jsonl"
        if file is not None and file.exists():
            yield from (TeachFigure(**json.loads(line)) for line in file.read_text("utf-8").splitlines())
            continue
        if progress is not None:
            progress(name)
        figures = list(_figures(read_set(name, TEACH_SETS[name], root), draws))
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(file) as handle:
                handle.writelines(json.dumps(asdict(one)) + "\n" for one in figures)
        yield from figures


def _figures(data: TeachData, draws: int) -> Iterator[TeachFigure]:
    look = Look.at(data.X, data.columns)
    seen = look(data.X)
    for draw in range(draws):
        yield from _of_draw(data, seen, draw)


def _of_draw(data: TeachData, seen: SeenRows, draw: int) -> Iterator[TeachFigure]:
    rng = np.random.default_rng([draw, 11])
    names = np.unique(data.documents)
    is_pool = np.isin(data.documents, rng.permutation(names)[: names.size // 2])
    pool, test = np.flatnonzero(is_pool), np.flatnonzero(~is_pool)
    test = np.sort(rng.permutation(test)[:MOST_TESTED])
    gold, before, was_accepted = data.y[test], special.expit(data.prior[test]), data.accepted[test]

    def figure(learner: str, votes: Floats, rows: NDArray[np.int64]) -> TeachFigure:
        p, near = special.expit(votes), _nearest(seen, rows, test)
        accepted = p >= cut_after(rows.size, p, int(was_accepted.sum()))
        near_change = _log_loss(gold[near], p[near]) - _log_loss(gold[near], before[near])
        return TeachFigure(data.name, learner, rows.size, draw, **_measured(gold, p, accepted), near_change=near_change)

    yield TeachFigure(data.name, "shipped model", 0, draw, **_measured(gold, before, was_accepted))
    yield TeachFigure(data.name, "shipped model, cut 1/3", 0, draw, **_measured(gold, before, before >= CUT))
    for n in (n for n in COUNTS if n <= pool.size // 2):
        rows = pool[draw_labelled(data.y[pool], n, draw)]
        for learner, learn in LEARNERS.items():
            if learner not in SLOW or (n in SLOW_COUNTS and draw < SLOW_DRAWS):
                yield figure(learner, learn(data, rows, test), rows)
    if pool.size >= 2 * min(COUNTS):
        for rows, votes in _asked(data, pool, test, draw):
            yield figure("correction, chosen questions", votes, rows)


def _nearest(seen: SeenRows, rows: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.int64]:
    """The tenth of the tested rows that are most like a labelled one, as a correction sees them."""
    tested, labelled = seen.of(test), seen.of(rows)
    near = nearness(tested.products(labelled), tested.lengths, labelled.lengths).max(axis=1)
    return np.argsort(-near, kind="stable")[: test.size // 10]


def _measured(gold: NDArray[np.bool_], p: Floats, labels: NDArray[np.bool_]) -> dict[str, float]:
    f1, at_third = (float(precision_recall_f1(gold, one)[2]) for one in (labels, p >= CUT))
    oracle = float(oracle_threshold(gold, p)[1])
    return {"auc": float(auc(gold, p)), "log_loss": _log_loss(gold, p), "f1": f1, "f1_oracle": oracle, "f1_third": at_third}


def _log_loss(gold: NDArray[np.bool_], p: Floats) -> float:
    clipped = np.clip(p, 0.001, 0.999)
    return -float(np.mean(np.where(gold, np.log(clipped), np.log1p(-clipped))))


def _correction(data: TeachData, rows: NDArray[np.int64], test: NDArray[np.int64], nearby: float = NEAR) -> Floats:
    fitted = corrected(data.prior[rows], data.X[rows], data.y[rows], data.columns, background=data.X, nearby=nearby)
    return fitted.corrected(data.prior[test], data.X[test])


def _with_committee(data: TeachData, rows: NDArray[np.int64], test: NDArray[np.int64]) -> Floats:
    """As ``relhash fit`` does it."""
    settings = PRESETS["best"].decision
    table = sparse.csr_matrix(sparse.hstack([data.X, sparse.csr_matrix(data.prior[:, None])]))
    columns = {**data.columns, "prior": slice(data.X.shape[1], data.X.shape[1] + 1)}
    how: dict[str, Any] = {"columns": columns, "random_state": 0, "n_jobs": 1, "picked": True}
    fitted = Decision.fit(settings, table[rows], data.y[rows], data.documents[rows], **how).classifier
    return fitted.log_odds(table[test]) if isinstance(fitted, FittedCorrection) else np.zeros(test.size)


def _alone(data: TeachData, rows: NDArray[np.int64], test: NDArray[np.int64]) -> Floats:
    how: dict[str, Any] = {"columns": data.columns, "random_state": 0, "n_jobs": 1, "picked": True}
    fitted = Decision.fit(PRESETS["best"].decision, data.X[rows], data.y[rows], data.documents[rows], **how)
    return clipped_log_odds(fitted.decide(data.X[test])[1])


def _ngrams_with_prior(data: TeachData, rows: NDArray[np.int64], test: NDArray[np.int64]) -> Floats:
    from sklearn.linear_model import LogisticRegression

    words = sparse.csr_matrix(data.X[:, data.columns["ngrams"]] != 0, dtype=np.float64)
    table = sparse.csr_matrix(sparse.hstack([words, sparse.csr_matrix(data.prior[:, None])]))
    return np.asarray(LogisticRegression(max_iter=500).fit(table[rows], data.y[rows]).decision_function(table[test]))


def _on_encoder(data: TeachData, rows: NDArray[np.int64], test: NDArray[np.int64]) -> Floats:
    """As SetFit ends: a logistic regression on what a transformer makes of the sentence (which has learned relations here)."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    fitted = make_pipeline(StandardScaler(), LogisticRegression(C=0.01, max_iter=500)).fit(data.encoded[rows], data.y[rows])
    return np.asarray(fitted.decision_function(data.encoded[test]))


def _asked(
    data: TeachData, pool: NDArray[np.int64], test: NDArray[np.int64], draw: int
) -> Iterator[tuple[NDArray[np.int64], Floats]]:
    """The queue of the page asks, the gold labels answer: the rows asked about, and the votes that they give."""
    lesson = Lesson(data.before, data.X[pool], data.columns)
    queue = Queue([data.candidates[row] for row in pool], data.codes[pool], random_state=draw)
    asked: list[int] = []
    origins: list[int] = []
    counts = [n for n in COUNTS if n <= pool.size // 2]
    for step in sorted({*counts, *range(BATCH, max(counts) + 1, BATCH)}):
        learned = lesson.learn(asked, data.y[pool][asked], origins)
        questions = queue.next(learned.probabilities, asked, step - len(asked))
        asked += [question.row for question in questions]
        origins += [CHOSEN if question.draw is None else DRAWN for question in questions]
        if step in counts:
            scores = lesson.learn(asked, data.y[pool][asked], origins).decision.classifier.scores(data.X[test])
            yield pool[asked], clipped_log_odds(scores)


Learner = Callable[[TeachData, NDArray[np.int64], NDArray[np.int64]], Floats]
LEARNERS: Mapping[str, Learner] = {
    "correction": _correction,
    "correction without nearness": partial(_correction, nearby=0.0),
    "correction with committee (fit)": _with_committee,
    "own model, no prior": _alone,
    "n-grams and the prior's log-odds": _ngrams_with_prior,
    "logistic regression on the encoder": _on_encoder,
}
SLOW = {"correction with committee (fit)", "own model, no prior"}


def summary(figures: Sequence[TeachFigure]) -> list[dict[str, Any]]:
    """Means over draws, and the change of AUC against the shipped model: its mean and its worst draw."""
    before = {(one.set, one.draw): one for one in figures if one.learner == "shipped model"}
    groups: dict[tuple[str, str, int], list[TeachFigure]] = {}
    for one in figures:
        groups.setdefault((one.set, one.learner, one.labels), []).append(one)
    rows = []
    for (name, learner, labels), own in groups.items():
        change = [one.auc - before[name, one.draw].auc for one in own]
        f1 = [one.f1 - before[name, one.draw].f1 for one in own]
        measures = [field.name for field in fields(TeachFigure)][4:]
        rows.append({
            "set": name, "chosen_on": TEACH_SETS[name].chosen_on, "learner": learner, "labels": labels, "draws": len(own),
            **{measure: float(np.mean([getattr(one, measure) for one in own])) for measure in measures},
            "auc_change": float(np.mean(change)), "auc_worst": float(np.min(change)), "f1_change": float(np.mean(f1)),
        })  # fmt: skip
    return rows


def means(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Over sets, by learner and number of labels: the change of AUC (also of the reported sets, and of the worst draw),
    the change of F1 against the shipped model (and of the worst set), what the cut loses against the oracle's, and the change
    of the log-loss near the labels."""
    groups: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["learner"], row["labels"]), []).append(row)
    return [
        {
            "learner": learner, "labels": labels, "sets": len(own),
            "auc_change": float(np.mean([row["auc_change"] for row in own])),
            "of_reported": float(np.mean([row["auc_change"] for row in own if not row["chosen_on"]])),
            "worst": min(row["auc_worst"] for row in own),
            "f1_change": float(np.mean([row["f1_change"] for row in own])),
            "f1_least": min(row["f1_change"] for row in own),
            "f1_loss": float(np.mean([row["f1_oracle"] - row["f1"] for row in own])),
            "near_change": float(np.mean([row["near_change"] for row in own])),
        }
        for (learner, labels), own in sorted(groups.items())
    ]  # fmt: skip


def _cell(row: Mapping[str, Any], measure: str) -> str:
    if measure == "auc":
        return f"{row['auc_change']:+.3f} ({row['auc_worst']:+.3f})" if row["labels"] else f"{row['auc']:.3f}"
    return f"{row['f1']:.3f} ({row['f1_oracle']:.3f})" if measure == "f1" else f"{row['log_loss']:.3f}"
