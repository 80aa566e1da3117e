"""``relhash demo``: the main job on embedded corpora, nothing to download."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from relhash.cli import options
from relhash.cli.console import console, print_json, print_table, progress
from relhash.cli.evidence_text import path_text, sentence_text

if TYPE_CHECKING:
    from relhash.candidates.evidence import Evidence
    from relhash.hashing.trace import Progress
    from relhash.model import Prediction
    from relhash.show.demonstration import Comparison, DemoCorpus


def demo(
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Folder for the report; made if needed.")
    ] = Path("relhash-demo"),
    seed: options.Seed = 0,
    n_jobs: options.Jobs = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Learn protein interactions from abstracts, adapt to full texts, compare the ways of doing so, write a report.

    Both corpora are embedded and synthetic. Nothing is downloaded, and nothing is opened but the folder of the report.
    """
    from relhash.files import check_place
    from relhash.show.demonstration import NOTES, TITLE, read_raw_text, report_of
    from relhash.show.report import write_report

    check_place(output, is_folder=True)
    surveyed = _survey(quiet or as_json)
    if not (as_json or quiet):
        _show_counts(surveyed)
        for found in surveyed:
            _show_paths(found)
    compared = _compare(surveyed, seed, n_jobs, quiet or as_json)
    output.mkdir(parents=True, exist_ok=True)
    report = output / "report.html"
    write_report(report, report_of(compared, TITLE, NOTES))
    raw = read_raw_text(compared.model)
    if as_json:
        print_json({**_as_json(surveyed, compared, report), "raw_text": [_raw_row(*found) for found in raw]})
        return
    _show_comparison(compared)
    _show_relations(compared)
    _show_raw_text(raw)
    console().print(f"report: {report}", markup=False, soft_wrap=True)


def _survey(silent: bool) -> tuple[DemoCorpus, DemoCorpus]:
    from relhash.show.demonstration import survey

    with progress("parsing", quiet=silent) as step:
        return survey(on_document=lambda document: step(1, document.id))


def _compare(surveyed: tuple[DemoCorpus, DemoCorpus], seed: int, n_jobs: int | None, silent: bool) -> Comparison:
    from relhash.show.demonstration import DEMO_MODELS, compare

    with progress("comparing", total=len(DEMO_MODELS), quiet=silent) as step:
        current = ""

        def on_model(name: str) -> None:
            nonlocal current
            step(1 if current else 0, name)
            current = name

        def on_step(reached: Progress) -> None:
            step(0, f"{current}: {reached.phase}, {reached.done} of {reached.wanted}")

        source, target = (found.corpus for found in surveyed)
        return compare(source, target, DEMO_MODELS, seed=seed, n_jobs=n_jobs, on_model=on_model, on_step=on_step)


def _as_json(surveyed: tuple[DemoCorpus, DemoCorpus], compared: Comparison, report: Path) -> dict[str, Any]:
    corpora = [
        {
            "name": found.corpus.name,
            **found.counts.as_dict(),
            "examples": {"related": found.related, "unrelated": found.unrelated},
        }
        for found in surveyed
    ]
    columns = ("name", "precision", "recall", "f1", "average_precision", "auc", "seconds")
    rows = [{column: getattr(result, column) for column in columns} for result in compared.results]
    return {"corpora": corpora, "results": rows, "relations": compared.relations, "seed": compared.seed, "report": report}


def _show_counts(surveyed: tuple[DemoCorpus, DemoCorpus]) -> None:
    rows = []
    for found in surveyed:
        counts = found.counts
        pairs = counts.positive + counts.negative
        share = f"{counts.positive / pairs:.1%}"
        rows.append((found.corpus.name, counts.documents, counts.sentences, counts.mentions, pairs, counts.positive, share))
    columns = ("corpus", "documents", "sentences", "proteins", "candidate pairs", "related", "share")
    print_table(columns, rows, title="Embedded corpora (synthetic, with gold labels; parsed by the embedded pipeline)")


def _show_paths(found: DemoCorpus) -> None:
    from rich.text import Text

    out = console()
    out.print(Text(f"{found.corpus.name}: the dependency path between two proteins", style="bold"))
    for mark, style, examples in (("related", "green", found.related), ("not related", "red", found.unrelated)):
        for example in examples:
            out.print(Text.assemble("  ", sentence_text(example), "  ", (mark, style)), soft_wrap=True)
            out.print(Text.assemble("    ", path_text(example)), soft_wrap=True)
    out.print()


def _show_comparison(compared: Comparison) -> None:
    columns = ("system", "precision", "recall", "F1", "AUC", "seconds")
    rows = [(r.name, r.precision, r.recall, r.f1, r.auc, f"{r.seconds or 0:.1f}") for r in compared.results]
    print_table(columns, rows, title=f"Learned from {compared.source.name}, tested on {compared.target.name}")


def _raw_row(prediction: Prediction, shown: Evidence) -> dict[str, Any]:
    return {"text": shown.text, **prediction.as_row()}


def _show_raw_text(raw: tuple[tuple[Prediction, Evidence], ...]) -> None:
    from rich.text import Text

    out = console()
    out.print(Text("Raw text, its entities and paths found by the embedded pipeline, read by the last model", style="bold"))
    for prediction, shown in raw:
        verdict = ("related", "green") if prediction.is_relation else ("not related", "red")
        out.print(Text.assemble(f"  {prediction.probability:.3f}  ", sentence_text(shown), "  ", verdict), soft_wrap=True)
        out.print(Text.assemble("         ", path_text(shown)), soft_wrap=True)
    out.print()


def _show_relations(compared: Comparison) -> None:
    from rich.text import Text

    out = console()
    out.print(Text(f"Most confident new relations in {compared.target.name}", style="bold"))
    for found in compared.relations:
        verdict = ("gold agrees", "green") if found.is_gold else ("gold disagrees", "red")
        out.print(Text.assemble(f"  {found.probability:.3f}  ", sentence_text(found.evidence), "  ", verdict), soft_wrap=True)
        out.print(Text.assemble("         ", path_text(found.evidence)), soft_wrap=True)
    out.print()
