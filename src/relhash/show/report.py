"""The HTML report: one file that reads without a network and without scripts, on a phone and on paper.

What is in it is given as plain records (:class:`ReportData`), so that whoever has results can fill it. All text is escaped.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from relhash.candidates.evidence import Evidence
from relhash.files import replacing
from relhash.show.drawings import draw_curves
from relhash.show.pages import render
from relhash.show.plots import COLOURS


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
    """A predicted relation with its evidence; ``is_gold`` says whether the gold labels have it, ``None`` when unknown."""

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


_COLUMNS = ("precision", "recall", "f1", "average_precision", "auc")


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
    drawn = {one.name: (one.curve, (one.recall, one.precision)) for one in data.results if one.curve}
    values = {name: [getattr(one, name) for one in data.results] for name in _COLUMNS}
    best = {name: max((value for value in own if value is not None), default=None) for name, own in values.items()}
    curves = draw_curves(drawn, data.positive_rate) if drawn else None
    return render("report", title=data.title, data=data, columns=best, colours=COLOURS, curves=curves)
