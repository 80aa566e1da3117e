"""Benchmarks that are no protocol of systems and splits: each asks a question of its own and prints a table of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from relhash.cli.console import note, print_json, print_table, progress

if TYPE_CHECKING:
    from relhash.evaluation.benchmarks.sheet_tables import SheetFigure


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of ``relhash benchmark`` that these take."""

    data: Path | None
    output: Path | None
    model: str
    as_json: bool
    quiet: bool
    seeds: int | None = None
    parses: str = "file"


def language(asked: Asked) -> None:
    """How well and how fast the embedded pipeline reads."""
    from relhash.evaluation.benchmarks.language import language_figures
    from relhash.evaluation.datasets.dataset import data_root

    with progress("language", quiet=asked.quiet or asked.as_json) as step:
        figures = []
        for figure in language_figures(data_root(asked.data), progress=lambda stage: step(0, stage)):
            figures.append(figure)
            step(1, figure.measure)
    if asked.as_json:
        print_json({"protocol": "language", "rows": [asdict(figure) for figure in figures]})
        return
    rows = [[f.measure, f.data, f"{f.value:.2f}", "" if f.bar is None else f"{f.bar:g}"] for f in figures]
    print_table(["measure", "data", "value", "bar"], rows, title="The embedded language pipeline", left=(0, 1))


def assertion(asked: Asked) -> None:
    """How well negated and speculative statements are told from others."""
    from relhash.evaluation.benchmarks.assertion import assertion_figures, write_figures

    with progress("assertion", quiet=asked.quiet or asked.as_json) as step:
        step(0, "parsing BioNLP 2013 devel")
        figures = assertion_figures(asked.data)
    if asked.output is not None:
        write_figures(figures, asked.output)
        note(f"written to {asked.output}", quiet=asked.quiet or asked.as_json)
    if asked.as_json:
        print_json({"protocol": "assertion", "rows": [asdict(figure) for figure in figures]})
        return
    rows = [[f.judge, f.marked, f"{f.precision:.3f}", f"{f.recall:.3f}", f"{f.f1:.3f}", f.gold, f.found] for f in figures]
    title = "Negation and speculation, events of BioNLP 2013 devel"
    print_table(["judge", "class", "P", "R", "F1", "gold", "found"], rows, title=title, left=(0, 1))


def raw_text(asked: Asked) -> None:
    """What a model finds in text without any annotation."""
    from relhash.evaluation.benchmarks.raw_text import LINES, raw_text_figures, write_figures
    from relhash.models import FittedModel

    model = FittedModel.load(asked.model)
    with progress("raw-text", quiet=asked.quiet or asked.as_json) as step:
        figures = []
        for figure in raw_text_figures(model, asked.data, progress=lambda corpus: step(0, corpus)):
            figures.append(figure)
            step(1, figure.corpus)
    if asked.output is not None:
        write_figures(figures, asked.output, asked.model, model.parse_source)
        note(f"written to {asked.output}", quiet=asked.quiet or asked.as_json)
    if asked.as_json:
        print_json({"protocol": "raw-text", "model": asked.model, "rows": [asdict(figure) for figure in figures]})
        return
    rows = [[name, *(value(figure) for figure in figures)] for name, value in LINES.items()]
    print_table(["", *(figure.corpus for figure in figures)], rows, title="From raw text to relations")


def sheet(asked: Asked) -> None:
    """What each threshold rule makes of a sheet of picked labels."""
    from relhash.evaluation.benchmarks.sheet import DRAWS, judged_sheets, prior_views
    from relhash.evaluation.benchmarks.sheet_tables import means, write_sheets
    from relhash.evaluation.datasets.dataset import data_root
    from relhash.evaluation.datasets.sheets import sheet_dataset
    from relhash.evaluation.systems.prior_votes import protocol_prior
    from relhash.models.reading.parse_settings import EMBEDDED

    root = data_root(asked.data)
    with progress("sheets", quiet=asked.quiet or asked.as_json) as step:
        step(0, "parsing")
        read = sheet_dataset(root)
        dataset = read if asked.parses == EMBEDDED else sheet_dataset(root, asked.parses)
        step(0, "learning the prior from NERO and BioNLP")
        votes = protocol_prior(read, root, asked.output)
        sheets = list(
            judged_sheets(
                dataset,
                draws=asked.seeds or DRAWS,
                out=asked.output,
                priors=prior_views(dataset, read, votes),
                progress=lambda remark: step(1, remark),
            )
        )
    for line in votes.notes:
        note(line, quiet=asked.quiet or asked.as_json)
    if asked.output is not None:
        write_sheets(sheets, asked.output, dataset.parsed_by)
        note(f"written to {asked.output}", quiet=asked.quiet or asked.as_json)
    _print_sheets(means(sheets), as_json=asked.as_json)


def sheet_again(folder: Path, *, as_json: bool) -> None:
    """The same table from kept sheets."""
    from relhash.evaluation.benchmarks.sheet_tables import recompute

    _print_sheets(recompute(folder), as_json=as_json)


def _print_sheets(figures: Sequence[SheetFigure], *, as_json: bool) -> None:
    from relhash.evaluation.benchmarks.sheet_tables import summary

    if as_json:
        print_json({"protocol": "sheet", "summary": summary(figures), "rows": [figure.as_row() for figure in figures]})
        return
    headings = ["rule", "F1", "P", "oracle", "loss", "largest", "P < .4"]
    keys = ["f1", "precision", "f1_oracle", "loss", "worst_loss", "too_imprecise"]
    rows = [[row["rule"], *(f"{row[key]:.3f}" for key in keys)] for row in summary(figures)]
    print_table(headings, rows, title="Threshold rules on sheets of picked labels", left=(0,))


def curate(asked: Asked) -> None:
    """What answers on the target text are worth, by a simulated annotator."""
    from relhash.evaluation.benchmarks.curation import DRAWS, curation_figures, summary, write_figures
    from relhash.evaluation.benchmarks.curation_settings import curation_dataset, curation_settings
    from relhash.evaluation.datasets.dataset import data_root

    root = data_root(asked.data)
    with progress("curate", quiet=asked.quiet or asked.as_json) as step:
        step(0, "parsing")
        settings = curation_settings(curation_dataset(root), progress=lambda remark: step(0, remark))
        said = curation_figures(settings, draws=asked.seeds or DRAWS, out=asked.output, progress=lambda remark: step(1, remark))
        figures = list(said)
    if asked.output is not None:
        write_figures(figures, asked.output)
        note(f"written to {asked.output}", quiet=asked.quiet or asked.as_json)
    rows = summary(figures)
    if asked.as_json:
        print_json({"protocol": "curate", "rows": rows})
        return
    lines = [[row["direction"], row["system"], row["answers"], row["auc"], row["f1"], row["auc_ci"]] for row in rows]
    title = "Answers on the target text: AUC and F1 on its other half"
    print_table(["direction", "questions", "answers", "AUC", "F1", "± AUC"], lines, title=title, left=(0, 1))


OWN: dict[str, Callable[[Asked], None]] = {
    "language": language,
    "assertion": assertion,
    "raw-text": raw_text,
    "sheet": sheet,
    "curate": curate,
}
"""By the name that ``relhash benchmark`` takes."""
