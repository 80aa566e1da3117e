"""``relhash evaluate MODEL GOLD``: how good a model is on a corpus with gold relations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Annotated, Any

from relhash.cli import options
from relhash.cli.console import print_json, print_line, print_table
from relhash.cli.options import argument, counted, option

if TYPE_CHECKING:
    from relhash.learn.metrics import TypedMetrics
    from relhash.show.assessment import Assessment
    from relhash.show.significance import Interval
    from relhash.show.stated import StatedScores

ERRORS_SHOWN = 40
MOST_HEADINGS = 5
"""Types that have room for their names over the columns of a table."""
EVENTS = {
    "nested": "whole events, nested", "flat": "whole events, flat", "all_nested": "  those about one entity too, nested",
    "all_flat": "  those about one entity too, flat",
}  # fmt: skip


def evaluate(
    using: options.Using,
    texts: options.Texts,
    said: options.Verbosity,
    model: options.Model,
    gold: Annotated[Path, argument("GOLD", "A corpus with relations, in any format.")],
    errors: Annotated[bool, option("--errors", "List the mistakes, the surest ones first.")] = False,
    plot: Annotated[Path | None, option("FILE.png", "Draw precision against recall.", dir_okay=False)] = None,
    raw_text: Annotated[
        bool,
        option(
            "--raw-text",
            "Hide the entities of the gold: the model finds them; participants must share text with those of the gold.",
        ),
    ] = False,
) -> None:
    """Precision, recall and F1 over everything that the gold states, then over the candidates; types, and leakage."""
    from relhash.show.assessment import assess
    from relhash.show.provenance import provenance

    given = texts.open(gold)
    corpus = given.read()
    with said.progress("evaluating", total=len(corpus)) as step:
        fitted = using.load(model, cache=texts.cache)
        assessment = assess(fitted, counted(corpus, step), name=str(gold), raw_text=raw_text)
    given.remark(quiet=said.quiet)
    if plot is not None:
        assessment.draw(plot)
    if said.as_json:
        print_json({**assessment.as_dict(errors=errors), "made": provenance(fitted.parse_source)})
        return
    _show(assessment)
    if errors:
        _show_errors(assessment.errors())


def _show(assessment: Assessment) -> None:
    from relhash.model.judging import accepted_text

    metrics, stated, any_word = assessment.metrics, assessment.stated, assessment.stated_any_word

    def row(name: str, one: StatedScores) -> tuple[object, ...]:
        counts = one.counts.stated, one.counts.found, one.counts.right
        return (name, one.precision, one.recall, one.f1, _bounds(one.f1_interval), *counts)

    rows: list[tuple[object, ...]] = [
        row("everything stated" + " (raw text)" * assessment.is_raw_text, stated),
        ("  of it among the candidates (ceiling)", "", stated.ceiling, "", "", stated.counts.stated, "", stated.counts.reached),
    ]
    if any_word is not None:
        rows.append(row("  the same, whatever word says it", any_word))
    if not assessment.is_raw_text:
        figures = metrics.precision, metrics.recall, metrics.f1, _bounds(assessment.f1)
        rows.append(("candidates only", *figures, metrics.positive, "", ""))
    for name, score in (assessment.events or {}).items():
        rows.append((EVENTS[name], score.precision, score.recall, score.f1, "", score.gold, score.found, score.right))
    print_table(("", "precision", "recall", "F1", "95 % interval", "gold", "found", "right"), rows)
    print_table(
        ("candidates", "oracle F1", "AUC", "AP"),
        [(metrics.n, metrics.f1_oracle, metrics.auc, metrics.average_precision)],
        left=(),
    )
    if assessment.typed is not None:
        _show_types(assessment.typed)
    elif len(assessment.by_type) > 1:
        rows = [(name, int(r["gold"]), int(r["found"]), r["recall"]) for name, r in assessment.by_type.items()]
        print_table(("relation type", "gold", "found", "recall"), rows)
    if len(assessment.by_assertion) > 1:
        counts = [(kind, *row.values()) for kind, row in assessment.by_assertion.items()]
        print_table(("assertion", "candidates", "gold", "found", "right"), counts)
    print_line(
        "negated and questioned pairs count as found here, since corpora differ in how they label them; relhash predict leaves "
        f"them out (--keep) and gives {accepted_text(**assessment.accepted)}",
        style="dim",
    )
    print_line("oracle F1: the best threshold chosen on these very labels, an upper bound and not a result", style="dim")
    print_line(assessment.leakage_text, style="dim" if not assessment.shared_sentences else "yellow")


def _show_types(typed: TypedMetrics) -> None:
    """Figures by type, and what was taken for what."""
    scores = {
        **typed.by_type, "micro": typed.micro, "macro": typed.macro, "all called by the most frequent": typed.most_frequent,
    }  # fmt: skip
    rows = [(name, one.precision, one.recall, one.f1, one.gold, one.found, one.right) for name, one in scores.items()]
    print_table(("relation type", "precision", "recall", "F1", "gold", "found", "right"), rows)
    _show_confusion(typed.confusion)


def _show_confusion(confusion: Mapping[str, Mapping[str, int]]) -> None:
    """What was taken for what. Many types have letters in the place of headings; the names of the rows tell which."""
    columns = sorted({name for row in confusion.values() for name in row})
    are_many = MOST_HEADINGS < len(columns) <= len(ascii_uppercase)
    letters = dict(zip(confusion, ascii_uppercase, strict=False)) if are_many else {}
    rows = [
        (f"{letters[gold]} {gold}" if are_many else gold, *(row.get(name, 0) for name in columns))
        for gold, row in confusion.items()
    ]
    print_table(("gold ↓ · found as →", *(letters.get(name, name) for name in columns)), rows)


def _show_errors(rows: list[dict[str, Any]]) -> None:
    """Two lines per mistake: what it is, and the sentence."""
    from relhash.cli.console import marked_text

    for row in rows[:ERRORS_SHOWN]:
        gold = f"gold: {', '.join(row['gold'])}" if row["gold"] else "gold: no relation"
        title = f"{row['kind']}  {row['probability']:.2f}  {row['relation']}  ({gold})  {row['document']}"
        print_line(title, style="yellow" if row["kind"] == "missed" else "red")
        print_line("    ", marked_text(row["marked"]))
        print_line(f"    {row['evidence']}", style="dim")
    if len(rows) > ERRORS_SHOWN:
        print_line(f"… and {len(rows) - ERRORS_SHOWN} more (--json lists all)", style="dim")


def _bounds(interval: Interval) -> str:
    return "–" if interval.bounds is None else f"{interval.low:.3f}–{interval.high:.3f}"
