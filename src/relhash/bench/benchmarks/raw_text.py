"""``relhash benchmark raw-text``: text in, relations out, no gold entities, as a user's text is read.

Each row of a model is held against the annotation, and each annotated relation is found or lost. Names match where their spans
overlap: a tagger that finds "RAF1 kinase" for "RAF1" has found it. A row is **judgeable** if its two names are two annotated
entities. Others cannot be judged by the annotation alone: it leaves real proteins out, so an unannotated name may be wrong or
right.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from itertools import product, repeat
from pathlib import Path

from relhash.bench.benchmarks import Asked
from relhash.bench.benchmarks.judged import CONFIDENT, JUDGED, Bin, JudgedFigure, bins, judged_figure
from relhash.bench.benchmarks.judged import LINES as JUDGED_LINES
from relhash.bench.datasets.dataset import data_root
from relhash.bench.datasets.raw_text_gold import TYPES, GoldText, Pair, gold_texts
from relhash.bench.tables import Report, Table, figure_text
from relhash.biomed.assertion import Assertion
from relhash.corpus.document import Document, Mention, Span
from relhash.model.fitted import FittedModel
from relhash.model.prediction import Prediction
from relhash.show.plots import reliability


class Verdict(StrEnum):
    """What the annotation says of a row."""

    RIGHT = "right"
    RELATION_WRONG = "relation wrong"
    """Both names are annotated, and no relation joins them."""
    NEGATED = "negated"
    """The text says that the two are not related."""
    ENTITY_SPURIOUS = "entity spurious"
    """A name is no annotated entity, or both are the same one."""


class Fate(StrEnum):
    """What became of an annotated relation."""

    FOUND = "found"
    ENTITY_MISSED = "entity missed"
    NOT_PAIRED = "not paired"
    """Both entities were found, but not as a pair: in one name, or in two sentences."""
    RELATION_WRONG = "relation wrong"
    """The pair was a candidate and stayed below the threshold."""
    NEGATED = "negated"
    """It would have been accepted, but the model takes the sentence for a denial or a question."""


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A candidate that the model made of raw text."""

    probability: float
    accepted: bool
    verdict: Verdict

    @property
    def is_judgeable(self) -> bool:
        return self.verdict is not Verdict.ENTITY_SPURIOUS


@dataclass(frozen=True, slots=True)
class JudgedText:
    """The rows of one text, the fates of its annotated relations, and how many entities of either side met one."""

    rows: tuple[JudgedRow, ...]
    fates: tuple[Fate, ...]
    names_found: int
    names_right: int
    entities: int
    entities_found: int
    sentences: int


def judged_texts(model: FittedModel, texts: Sequence[GoldText]) -> Iterator[JudgedText]:
    """Let ``model`` read the texts, and judge what it finds."""
    # every assertion is let through, to tell a pair that the model takes for denied from one below its threshold
    read = model.keeping(*Assertion).annotate([gold.document for gold in texts], all_candidates=True)
    for gold, (document, found) in zip(texts, read, strict=True):
        yield judge(gold, document, found, model.kept)


def judge(
    gold: GoldText,
    document: Document,
    found: Iterable[Prediction],
    kept: frozenset[Assertion],
) -> JudgedText:
    """Judge the candidates ``found`` in ``document``, the text as a model read it.

    ``found`` holds all candidates, ``is_relation`` meaning above the threshold; accepted are those whose assertion is ``kept``.
    """
    entities = _Spans(gold.entities)
    names = document.entities
    meets = {mention.id: entities.meeting(mention) for mention in names}
    rows: list[JudgedRow] = []

    def met_by(same: Iterable[Mention]) -> frozenset[int]:
        return frozenset().union(*(meets[mention.id] for mention in same))

    fate: dict[Pair, Fate] = dict.fromkeys(gold.within_sentence, Fate.NOT_PAIRED)
    for prediction in found:
        first, second = (met_by(names) for names in _names(prediction))
        pairs = {(min(a, b), max(a, b)) for a, b in product(first, second) if a != b}
        kept_as_is = prediction.is_relation and prediction.assertion in kept
        rows.append(JudgedRow(prediction.probability, kept_as_is, _verdict(pairs, gold)))
        reached = Fate.FOUND if kept_as_is else Fate.NEGATED if prediction.is_relation else Fate.RELATION_WRONG
        for pair in pairs & fate.keys():
            fate[pair] = min(fate[pair], reached, key=_BEST_FIRST.index)
    reached_entities = {number for numbers in meets.values() for number in numbers}
    for pair in fate:
        if not reached_entities.issuperset(pair):
            fate[pair] = Fate.ENTITY_MISSED
    return JudgedText(
        tuple(rows),
        tuple(fate.values()),
        names_found=len(names),
        names_right=sum(bool(numbers) for numbers in meets.values()),
        entities=len(gold.entities),
        entities_found=len(reached_entities),
        sentences=len(document.sentences),
    )


def _names(prediction: Prediction) -> list[tuple[Mention, ...]]:
    """All names of each participant: a row that says other names speaks of these, too."""
    also: Iterable[tuple[Mention, ...]] = prediction.also or repeat(())
    return [(own, *others) for own, others in zip(prediction.candidate.mentions, also, strict=False)]


_BEST_FIRST = [Fate.FOUND, Fate.NEGATED, Fate.RELATION_WRONG, Fate.NOT_PAIRED]


def _verdict(pairs: set[Pair], gold: GoldText) -> Verdict:
    if not pairs:
        return Verdict.ENTITY_SPURIOUS
    if pairs & gold.related:
        return Verdict.RIGHT
    return Verdict.NEGATED if pairs & gold.negated else Verdict.RELATION_WRONG


class _Spans:
    """Annotated entities by where they stand."""

    def __init__(self, entities: Sequence[tuple[Span, ...]]) -> None:
        self._spans = sorted((start, end, number) for number, spans in enumerate(entities) for start, end in spans)
        self._longest = max((end - start for start, end, _ in self._spans), default=0)
        self._starts = [start for start, _, _ in self._spans]

    def meeting(self, mention: Mention) -> frozenset[int]:
        """Numbers of the entities that share a character with a mention."""
        found: set[int] = set()
        for start, end in mention.spans:
            near = slice(bisect_right(self._starts, start - self._longest), bisect_left(self._starts, end))
            found.update(number for _, other_end, number in self._spans[near] if other_end > start)
        return frozenset(found)


REPORTED = ("HPRD50", "AIMed", "BioNLP 2013 devel", "BioNLP 2011 ID devel")


@dataclass(frozen=True, slots=True)
class RowsFigure:
    """Accepted rows: how many, the share that the annotation can judge, and the share of these that is right."""

    rows: int
    judgeable: float | None
    precision: float | None


@dataclass(frozen=True, slots=True)
class RawTextFigure:
    """What a model finds in the raw text of one corpus.

    Attributes
    ----------
    recall
        Share of the ``related`` pairs of one sentence that an accepted row finds.
    accepted, confident
        All accepted rows, and those with a probability of at least :data:`CONFIDENT`.
    lost, wrong
        Related pairs by what became of them (:class:`~relhash.bench.benchmarks.raw_text.Fate`), and accepted rows
        by what the annotation says of them (:class:`~relhash.bench.benchmarks.raw_text.Verdict`).
    reliability, calibration_error
        Judgeable candidates, accepted or not, by probability, and the mean distance between probability and share (ECE).
    entity_recall, entity_precision
        Share of annotated entities that a name overlaps, and of names that overlap one.
    """

    corpus: str
    texts: int
    sentences: int
    related: int
    recall: float | None
    accepted: RowsFigure
    confident: RowsFigure
    lost: dict[str, int]
    wrong: dict[str, int]
    candidates: int
    judgeable_candidates: int
    reliability: tuple[Bin, ...]
    calibration_error: float | None
    entity_recall: float | None
    entity_precision: float | None


def raw_text_figures(
    model: FittedModel,
    data: Path | None = None,
    corpora: Sequence[str] | None = None,
    *,
    progress: Callable[[str], object] = lambda corpus: None,
) -> Iterator[RawTextFigure]:
    """One figure per corpus (see :data:`~relhash.bench.datasets.raw_text_gold.CORPORA`), as they are ready.

    By default those that are reported: of proteins, or of chemicals for a model that knows these.
    """
    root = data_root(data)
    if corpora is None:
        corpora = tuple(TYPES) if knows_chemicals(model) else REPORTED
    texts = {name: gold_texts(root, name) for name in corpora}  # whatever is missing is said before the work begins
    for name in corpora:
        progress(name)
        reader = model.relating([TYPES[name]]) if name in TYPES else model
        yield figure_of(name, judged_texts(reader, texts[name]))


def knows_chemicals(model: FittedModel) -> bool:
    """Whether a model relates chemicals, too."""
    return model.parses.types is None or "chemical" in model.parses.types


def figure_of(name: str, texts: Iterable[JudgedText]) -> RawTextFigure:
    """The figures of texts that were judged."""
    judged = list(texts)
    rows = [row for text in judged for row in text.rows]
    fates = Counter(fate for text in judged for fate in text.fates)
    accepted = [row for row in rows if row.accepted]
    verdicts = Counter(row.verdict for row in accepted)
    judgeable = [row for row in rows if row.is_judgeable]
    by_tenth = bins([row.probability for row in judgeable], [row.verdict is Verdict.RIGHT for row in judgeable])
    error = sum(one.n * abs(one.probability - one.right) for one in by_tenth)
    return RawTextFigure(
        corpus=name,
        texts=len(judged),
        sentences=sum(text.sentences for text in judged),
        related=fates.total(),
        recall=_share(fates[Fate.FOUND], fates.total()),
        accepted=_rows_figure(accepted),
        confident=_rows_figure([row for row in accepted if row.probability >= CONFIDENT]),
        lost={fate.value: fates[fate] for fate in Fate if fate is not Fate.FOUND},
        wrong={verdict.value: verdicts[verdict] for verdict in Verdict if verdict is not Verdict.RIGHT},
        candidates=len(rows),
        judgeable_candidates=len(judgeable),
        reliability=by_tenth,
        calibration_error=error / len(judgeable) if judgeable else None,
        entity_recall=_share(sum(text.entities_found for text in judged), sum(text.entities for text in judged)),
        entity_precision=_share(sum(text.names_right for text in judged), sum(text.names_found for text in judged)),
    )


def _rows_figure(rows: Sequence[JudgedRow]) -> RowsFigure:
    judgeable = [row for row in rows if row.is_judgeable]
    right = sum(row.verdict is Verdict.RIGHT for row in judgeable)
    return RowsFigure(len(rows), _share(len(judgeable), len(rows)), _share(right, len(judgeable)))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def run(asked: Asked) -> Report:
    """The benchmark."""
    model = FittedModel.load(asked.model)
    figures = list(raw_text_figures(model, asked.data, progress=asked.say))
    judged: list[JudgedFigure] = []
    notes = []
    if not knows_chemicals(model):
        if (folder := asked.root / "judged").is_dir():
            judged = [judged_figure(model, asked.root, one) for one in JUDGED]
        else:
            notes.append(f"{folder} is not there: judged statements are left out")
    return report_of(figures, asked.model, model.parse_source, judged, notes)


def report_of(
    figures: Sequence[RawTextFigure],
    model: str,
    parse_source: str | None = None,
    judged: Sequence[JudgedFigure] = (),
    notes: Sequence[str] = (),
) -> Report:
    """Tables and the reliability curves; ``parse_source`` is that of the model, the pipeline that ships by default."""
    tables = [Table(["", *(one.corpus for one in figures)], [[name, *map(value, figures)] for name, value in LINES.items()])]
    if judged:
        lines = [[name, *map(value, judged)] for name, value in JUDGED_LINES.items()]
        tables.append(Table(["", *(one.source for one in judged)], lines, "Statements that curators have judged"))
    by_tenth = {figure.corpus: [asdict(one) for one in figure.reliability] for figure in figures}
    by_tenth |= {one.source: [asdict(own) for own in one.reliability] for one in judged}
    said = [
        f"{name}: {'; '.join('{n}: {probability:.2f} → {right:.2f}'.format(**one) for one in own)}"
        for name, own in by_tenth.items()
    ]
    about = "reliability of judgeable candidates by probability, n: mean probability → share right: "
    title = "Judgeable candidates of raw text: probability and share right"
    return Report(
        "raw-text", f"From raw text to relations, model {model}", figures, tables, [*notes, *(about + one for one in said)],
        {"model": model, **({"judged": [asdict(one) for one in judged]} if judged else {})}, parse_source,
        {"raw-text.png": partial(reliability, by_tenth, title=title)},
    )  # fmt: skip


def _count_of(kind: str, name: str) -> Callable[[RawTextFigure], str]:
    return lambda figure: str(getattr(figure, kind)[name])


LINES: dict[str, Callable[[RawTextFigure], str]] = {
    "related pairs of one sentence": lambda figure: str(figure.related),
    "recall": lambda figure: figure_text(figure.recall),
    "accepted rows": lambda figure: str(figure.accepted.rows),
    "… judgeable": lambda figure: figure_text(figure.accepted.judgeable),
    "… right, of the judgeable": lambda figure: figure_text(figure.accepted.precision),
    "accepted rows ≥ .9": lambda figure: str(figure.confident.rows),
    "… ≥ .9 judgeable": lambda figure: figure_text(figure.confident.judgeable),
    "… ≥ .9 right, of the judgeable": lambda figure: figure_text(figure.confident.precision),
    "calibration error (ECE)": lambda figure: figure_text(figure.calibration_error),
    **{f"lost: {fate}": _count_of("lost", fate.value) for fate in Fate if fate is not Fate.FOUND},
    **{f"accepted, but: {verdict}": _count_of("wrong", verdict.value) for verdict in Verdict if verdict is not Verdict.RIGHT},
    "annotated entities found": lambda figure: figure_text(figure.entity_recall),
    "names that are annotated": lambda figure: figure_text(figure.entity_precision),
}
"""Lines of the table, and what stands in them."""
