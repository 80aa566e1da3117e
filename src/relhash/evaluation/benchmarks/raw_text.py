"""``relhash benchmark raw-text``: text in, relations out, no gold entities, as a user's text is read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from relhash.evaluation.benchmarks.raw_text_judging import Fate, JudgedRow, JudgedText, Verdict, judged_texts
from relhash.evaluation.datasets.dataset import data_root
from relhash.evaluation.datasets.raw_text_gold import gold_texts
from relhash.evaluation.plots import reliability
from relhash.evaluation.provenance import provenance, shipped_parses
from relhash.files import replacing
from relhash.models.fitted import FittedModel

REPORTED = ("HPRD50", "AIMed", "BioNLP 2013 devel")
CONFIDENT = 0.9
"""Rows from this probability on have figures of their own."""
BINS = 10


@dataclass(frozen=True, slots=True)
class Bin:
    """Judgeable candidates of like probability: how many, their mean probability, and the share that is right."""

    n: int
    probability: float
    right: float


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
        Related pairs by what became of them (:class:`~relhash.evaluation.benchmarks.raw_text_judging.Fate`), and accepted rows
        by what the annotation says of them (:class:`~relhash.evaluation.benchmarks.raw_text_judging.Verdict`).
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
    corpora: Sequence[str] = REPORTED,
    *,
    progress: Callable[[str], None] = lambda corpus: None,
) -> Iterator[RawTextFigure]:
    """One figure per corpus (see :data:`~relhash.evaluation.datasets.raw_text_gold.CORPORA`), as they are ready."""
    root = data_root(data)
    texts = {name: gold_texts(root, name) for name in corpora}  # whatever is missing is said before the work begins
    for name in corpora:
        progress(name)
        yield figure_of(name, judged_texts(model, texts[name]))


def figure_of(name: str, texts: Iterable[JudgedText]) -> RawTextFigure:
    """The figures of texts that were judged."""
    judged = list(texts)
    rows = [row for text in judged for row in text.rows]
    fates = Counter(fate for text in judged for fate in text.fates)
    accepted = [row for row in rows if row.accepted]
    verdicts = Counter(row.verdict for row in accepted)
    judgeable = [row for row in rows if row.is_judgeable]
    bins = tuple(_bins(judgeable))
    error = sum(one.n * abs(one.probability - one.right) for one in bins)
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
        reliability=bins,
        calibration_error=error / len(judgeable) if judgeable else None,
        entity_recall=_share(sum(text.entities_found for text in judged), sum(text.entities for text in judged)),
        entity_precision=_share(sum(text.names_right for text in judged), sum(text.names_found for text in judged)),
    )


def _rows_figure(rows: Sequence[JudgedRow]) -> RowsFigure:
    judgeable = [row for row in rows if row.is_judgeable]
    right = sum(row.verdict is Verdict.RIGHT for row in judgeable)
    return RowsFigure(len(rows), _share(len(judgeable), len(rows)), _share(right, len(judgeable)))


def _bins(rows: Iterable[JudgedRow]) -> Iterator[Bin]:
    by_bin: dict[int, list[JudgedRow]] = {}
    for row in rows:
        by_bin.setdefault(min(int(row.probability * BINS), BINS - 1), []).append(row)
    for _, own in sorted(by_bin.items()):
        right = sum(row.verdict is Verdict.RIGHT for row in own)
        yield Bin(len(own), sum(row.probability for row in own) / len(own), right / len(own))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def markdown(figures: Sequence[RawTextFigure]) -> str:
    """The figures as tables."""
    lines = ["| | " + " | ".join(figure.corpus for figure in figures) + " |", "|---|" + "---|" * len(figures)]
    lines += [f"| {name} | " + " | ".join(value(figure) for figure in figures) + " |" for name, value in LINES.items()]
    lines += ["", "Reliability: judgeable candidates by probability, n: mean probability → share right.", ""]
    for figure in figures:
        steps = "; ".join(f"{one.n}: {one.probability:.2f} → {one.right:.2f}" for one in figure.reliability)
        lines.append(f"- {figure.corpus}: {steps}")
    return "\n".join(lines) + "\n"


def shown(value: float | None) -> str:
    """A share with three digits; a dash where there is nothing to share."""
    return "–" if value is None else f"{value:.3f}"


def _count_of(kind: str, name: str) -> Callable[[RawTextFigure], str]:
    return lambda figure: str(getattr(figure, kind)[name])


LINES: dict[str, Callable[[RawTextFigure], str]] = {
    "related pairs of one sentence": lambda figure: str(figure.related),
    "recall": lambda figure: shown(figure.recall),
    "accepted rows": lambda figure: str(figure.accepted.rows),
    "… judgeable": lambda figure: shown(figure.accepted.judgeable),
    "… right, of the judgeable": lambda figure: shown(figure.accepted.precision),
    "accepted rows ≥ .9": lambda figure: str(figure.confident.rows),
    "… ≥ .9 judgeable": lambda figure: shown(figure.confident.judgeable),
    "… ≥ .9 right, of the judgeable": lambda figure: shown(figure.confident.precision),
    "calibration error (ECE)": lambda figure: shown(figure.calibration_error),
    **{f"lost: {fate}": _count_of("lost", fate.value) for fate in Fate if fate is not Fate.FOUND},
    **{f"accepted, but: {verdict}": _count_of("wrong", verdict.value) for verdict in Verdict if verdict is not Verdict.RIGHT},
    "annotated entities found": lambda figure: shown(figure.entity_recall),
    "names that are annotated": lambda figure: shown(figure.entity_precision),
}
"""Lines of the table, and what stands in them."""


def write_figures(figures: Sequence[RawTextFigure], folder: Path, model: str, parse_source: str | None = None) -> None:
    """``raw-text.json``, ``raw-text.md`` and the reliability curves in ``raw-text.png``.

    ``parse_source`` is that of the model, the pipeline that ships by default.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder / "raw-text.json") as handle:
        rows = [asdict(figure) for figure in figures]
        made = provenance(parse_source or shipped_parses())
        json.dump({"protocol": "raw-text", "model": model, "made": made, "rows": rows}, handle, indent=1)
    with replacing(folder / "raw-text.md") as handle:
        handle.write(f"# From raw text to relations, model {model}\n\n{markdown(figures)}")
    curves = {figure.corpus: [asdict(one) for one in figure.reliability] for figure in figures}
    reliability(curves, folder / "raw-text.png", title="Judgeable candidates of raw text: probability and share right")
