"""The HTML report: one file that reads without a network and without scripts, on a phone and on paper.

What is in it is given as plain records (:class:`ReportData`), so that whoever has results can fill it. All text is escaped.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from relhash.candidates.evidence import Evidence
from relhash.files import replacing
from relhash.model.tables.page import marked_sentence, page_head
from relhash.show.drawings import draw_curves, draw_path


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One row of the comparison, and its precision-recall curve.

    ``curve`` is a sequence of ``(recall, precision)``, recall rising; the row's own precision and recall are marked on it.
    What was not measured stays ``None`` and shows as a dash.
    """

    name: str
    precision: float
    recall: float
    f1: float
    average_precision: float | None = None
    auc: float | None = None
    seconds: float | None = None
    remark: str = ""
    curve: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class FoundRelation:
    """A predicted relation with its evidence; ``is_gold`` says whether the gold labels have it, ``None`` when nobody knows."""

    evidence: Evidence
    probability: float
    type: str = "relation"
    is_gold: bool | None = None


@dataclass(frozen=True)
class ReportData:
    """Everything the report shows.

    Parameters
    ----------
    title, summary
        What this is, in a line and in a sentence or two.
    facts
        What was trained on what: labelled values for the top of the page.
    results
        The comparison, in the order of the table.
    positive_rate
        Share of positives among the test candidates: the precision of guessing, drawn as a line.
    relations
        The most confident new relations.
    notes
        What a reader must know to judge the figures.
    footer
        Version, date, command.
    """

    title: str
    summary: str = ""
    facts: Sequence[tuple[str, str]] = ()
    results: Sequence[ResultRow] = ()
    positive_rate: float | None = None
    relations: Sequence[FoundRelation] = ()
    notes: Sequence[str] = ()
    footer: str = ""


def write_report(path: str | os.PathLike[str], data: ReportData) -> None:
    """Write the report to ``path``; it appears complete or not at all."""
    with replacing(path) as handle:
        handle.write(render_report(data))


def render_report(data: ReportData) -> str:
    """The report as one HTML document.

    >>> page = render_report(ReportData("A < B"))
    >>> "<title>A &lt; B</title>" in page, "<script" in page
    (True, False)
    """
    sections = [_header(data), _comparison(data.results), _curves(data), _relations(data.relations), _notes(data.notes)]
    style = files("relhash.show").joinpath("report.css").read_text(encoding="utf-8")
    return (
        page_head(data.title, style)
        + "\n".join(section for section in sections if section)
        + f"\n<footer>{escape(data.footer)}</footer>\n</main>\n</body>\n</html>\n"
    )


def _header(data: ReportData) -> str:
    facts = "".join(f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>" for label, value in data.facts)
    return (
        f'<h1>{escape(data.title)}</h1>\n<p class="lead">{escape(data.summary)}</p>'
        + (f'\n<dl class="facts">{facts}</dl>' if facts else "")
    )  # fmt: skip


_COLUMNS = ("precision", "recall", "f1", "average_precision", "auc")
_HEADINGS = ("System", "Precision", "Recall", "F1", "AP", "AUC", "Seconds")


def _comparison(results: Sequence[ResultRow]) -> str:
    if not results:
        return ""
    best = {column: max((v for r in results if (v := getattr(r, column)) is not None), default=None) for column in _COLUMNS}
    rows = []
    for number, result in enumerate(results):
        remark = f"<small>{escape(result.remark)}</small>" if result.remark else ""
        cells = [
            f'<td><span class="swatch" style="background:{series_colour(number)}"></span>{escape(result.name)}{remark}</td>'
        ]
        for column in _COLUMNS:
            value = getattr(result, column)
            mark = ' class="best"' if value is not None and value == best[column] and len(results) > 1 else ""
            cells.append(f"<td{mark}>{_number(value)}</td>")
        cells.append(f"<td>{'–' if result.seconds is None else f'{result.seconds:.1f}'}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    head = "".join(f'<th scope="col">{heading}</th>' for heading in _HEADINGS)
    body = "\n".join(rows)
    return (
        f'<h2>Comparison</h2>\n<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )  # fmt: skip


def _curves(data: ReportData) -> str:
    drawn = [(number, result) for number, result in enumerate(data.results) if result.curve]
    if not drawn:
        return ""
    series = [(result.curve, (result.recall, result.precision), series_colour(number)) for number, result in drawn]
    legend = "".join(
        f'<li><span class="swatch" style="background:{series_colour(number)}"></span>{escape(result.name)}</li>'
        for number, result in drawn
    )
    guess = "" if data.positive_rate is None else " The dashed level is what guessing gives."
    return (
        "<h2>Precision and recall</h2>\n<figure>\n"
        f'{draw_curves(series, data.positive_rate)}\n<ul class="legend">{legend}</ul>\n'
        "<figcaption>Each curve shows what a system would give at every threshold; the dot is the threshold it chose without "
        f"looking at test labels. AP: area under the curve. Dotted: equal F1.{guess}</figcaption>\n</figure>"
    )


def _relations(relations: Sequence[FoundRelation]) -> str:
    if not relations:
        return ""
    cards = "\n".join(_card(relation) for relation in relations)
    return f"<h2>Most confident new relations</h2>\n{cards}"


def _card(relation: FoundRelation) -> str:
    shown = relation.evidence
    verdict = ""
    if relation.is_gold is not None:
        word, colour = ("gold agrees", "yes") if relation.is_gold else ("gold disagrees", "no")
        verdict = f'<span class="{colour}">{word}</span>'
    names = " – ".join(escape(name) for name in shown.participants)
    return (
        '<article class="relation">\n<header>'
        f"<h3>{names}</h3><span>{escape(relation.type)}</span><span>{escape(shown.document)}</span>{verdict}"
        f'<span class="probability" title="probability">{_probability(relation.probability)}</span></header>\n'
        f'<p class="sentence">{marked_sentence(shown)}</p>\n'
        + (f'<div class="drawing scroll">{draw_path(shown.path)}</div>\n' if shown.path else "")
        + "</article>"
    )


def _notes(notes: Sequence[str]) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f'<h2>How to read this</h2>\n<ul class="notes">{items}</ul>' if items else ""


def series_colour(number: int) -> str:
    """The colour of a system, the same in table, legend and plot."""
    return f"var(--series-{number % 6 + 1})"


def _probability(value: float) -> str:
    return "> 0.999" if value >= 0.9995 else f"{value:.3f}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
