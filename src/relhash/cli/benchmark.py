"""``relhash benchmark NAME``: the protocols of the literature, with the published figures beside ours.

Benchmarks that are no protocol of systems and splits: each asks a question of its own and prints a table of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from relhash.cli import options
from relhash.cli.console import console, note, print_json, print_table, progress
from relhash.errors import ParameterError

if TYPE_CHECKING:
    from relhash.bench.cells import Run


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
    from relhash.bench.benchmarks.language import language_figures
    from relhash.bench.datasets.dataset import data_root

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
    """How well negated and speculative statements are distinguished from others."""
    from relhash.bench.benchmarks.assertion import assertion_figures, write_figures

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
    from relhash.bench.benchmarks.judged import JUDGED, judged_figure
    from relhash.bench.benchmarks.judged import LINES as JUDGED_LINES
    from relhash.bench.benchmarks.raw_text import LINES, knows_chemicals, raw_text_figures, write_figures
    from relhash.bench.datasets.dataset import data_root
    from relhash.model import FittedModel

    model = FittedModel.load(asked.model)
    with progress("raw-text", quiet=asked.quiet or asked.as_json) as step:
        figures = []
        for figure in raw_text_figures(model, asked.data, progress=lambda corpus: step(0, corpus)):
            figures.append(figure)
            step(1, figure.corpus)
        root = data_root(asked.data)
        has_judged = (root / "judged").is_dir() and not knows_chemicals(model)
        of_statements = [judged_figure(model, root, one) for one in JUDGED] if has_judged else []
    if not has_judged and not knows_chemicals(model):
        note(f"{root / 'judged'} is not there: judged statements are left out", quiet=asked.quiet or asked.as_json)
    if asked.output is not None:
        write_figures(figures, asked.output, asked.model, model.parse_source, of_statements)
        note(f"written to {asked.output}", quiet=asked.quiet or asked.as_json)
    if asked.as_json:
        told = {"rows": [asdict(figure) for figure in figures], "judged": [asdict(figure) for figure in of_statements]}
        print_json({"protocol": "raw-text", "model": asked.model, **told})
        return
    rows = [[name, *(value(figure) for figure in figures)] for name, value in LINES.items()]
    print_table(["", *(figure.corpus for figure in figures)], rows, title="From raw text to relations")
    if of_statements:
        lines = [[name, *(value(figure) for figure in of_statements)] for name, value in JUDGED_LINES.items()]
        print_table(["", *(figure.source for figure in of_statements)], lines, title="Statements that curators have judged")


def curate(asked: Asked) -> None:
    """What answers on the target text are worth, by a simulated annotator."""
    from relhash.bench.benchmarks.curation import (
        DRAWS,
        curation_dataset,
        curation_figures,
        curation_settings,
        summary,
        write_figures,
    )
    from relhash.bench.datasets.dataset import data_root

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


def similar(asked: Asked) -> None:
    """Whether learned hash functions make a better index, beside random ones, projections and ITQ."""
    from relhash.bench.benchmarks.similar import BITS, SEEDS, search_tasks, similar_figures, table, write_figures
    from relhash.bench.datasets.dataset import data_root

    seeds = asked.seeds or SEEDS
    with progress("similar", quiet=asked.quiet or asked.as_json) as step:
        tasks = search_tasks(data_root(asked.data), lambda remark: step(0, remark))
        figures = []
        for figures in similar_figures(tasks, seeds=seeds, progress=lambda remark: step(1, remark)):
            if asked.output is not None:
                write_figures(figures, asked.output, seeds=seeds)
    if asked.output is not None:
        note(f"written to {asked.output}", quiet=asked.quiet or asked.as_json)
    if asked.as_json:
        print_json({"protocol": "similar", "rows": [asdict(figure) for figure in figures]})
        return
    headings = ["functions", *(f"{bits} bits" for bits in BITS)]
    title = "Recall of the exact ten in a list of 200 (in parentheses: NU nearest minus this row)"
    print_table(headings, table(figures), title=title, left=(0,))


def teach(asked: Asked) -> None:
    """What labels add to a shipped model, on text that it has not learned from."""
    from relhash.bench.benchmarks.teach import DRAWS, summary, teach_figures, write_figures
    from relhash.bench.datasets.dataset import data_root

    with progress("teach", quiet=asked.quiet or asked.as_json) as step:
        root = data_root(asked.data)
        figures = list(teach_figures(root, draws=asked.seeds or DRAWS, out=asked.output, progress=lambda name: step(1, name)))
    if asked.output is not None:
        write_figures(figures, asked.output)
        note(f"written to {asked.output}", quiet=asked.quiet or asked.as_json)
    rows = summary(figures)
    if asked.as_json:
        print_json({"protocol": "teach", "rows": rows})
        return
    keys = ("auc", "auc_change", "auc_worst", "log_loss", "f1", "f1_oracle")
    lines = [[row["set"], row["learner"], row["labels"], *(f"{row[key]:.3f}" for key in keys)] for row in rows]
    headings = ["set", "learner", "labels", "AUC", "change", "worst", "log-loss", "F1", "oracle F1"]
    print_table(headings, lines, title="Labels that teach a shipped model", left=(0, 1))


def judged(asked: Asked) -> None:
    """How well statements are judged that readers extracted and curators looked at."""
    from relhash.bench.benchmarks.claims import judged_figures, write_figures

    with progress("judged", quiet=asked.quiet or asked.as_json) as step:
        figures = list(judged_figures(asked.data, out=asked.output, progress=lambda remark: step(0, remark)))
    if asked.output is not None:
        write_figures(figures, asked.output)
        note(f"written to {asked.output}", quiet=asked.quiet or asked.as_json)
    if asked.as_json:
        print_json({"protocol": "judged", "rows": [asdict(figure) for figure in figures]})
        return
    rows = [
        [f.rows, f.part, f.system, f.n, f"{f.auc:.3f}", f"{f.low:.3f}–{f.high:.3f}"]
        + ["" if value is None else f"{value:.3f}" for value in (f.accuracy, f.precision_at_65, f.precision_at_80)]
        for f in figures
    ]
    headings = ["set", "rows", "system", "n", "AUC", "95 %", "accuracy", "P at R .65", "P at R .80"]
    print_table(headings, rows, title="Claims judged against their sentences", left=(0, 1, 2))


def spread(asked: Asked) -> None:
    """How many verdicts an answer gives that spreads to sentences nearly the same, and how many of these are wrong."""
    from relhash.bench.benchmarks.similar import spread_figures, write_spread
    from relhash.bench.datasets.dataset import data_root

    with progress("spread", quiet=asked.quiet or asked.as_json) as step:
        figures = list(spread_figures(data_root(asked.data), progress=lambda remark: step(1, remark)))
    if asked.output is not None:
        write_spread(figures, asked.output)
    if asked.as_json:
        print_json({"protocol": "spread", "rows": [asdict(figure) for figure in figures]})
        return
    headings = ["corpus", "similarity", "keys", "verdicts", "per key", "wrong in groups", "wrong among yes"]
    title = "Answers that spread to sentences nearly the same"
    print_table(headings, [figure.as_row() for figure in figures], title=title, left=(0,))


OWN: dict[str, Callable[[Asked], None]] = {
    "language": language,
    "assertion": assertion,
    "raw-text": raw_text,
    "curate": curate,
    "similar": similar,
    "teach": teach,
    "judged": judged,
    "spread": spread,
}
"""By the name that ``relhash benchmark`` takes."""


_HEADINGS = {
    "precision": "P", "recall": "R", "f1": "F1", "f1_oracle": "oracle", "f1_at_half": "at 0.5", "auc": "AUC", "seconds": "s",
    "paper_f1": "paper",
}  # fmt: skip
"""Short headings for the terminal, so that no name of a system is cut off."""

MANY = 12
"""More systems than this are printed one per line; every figure is in the files."""


def benchmark(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Which one, such as ppi-cross; without a name they are listed, with what they ask.",
            show_default=False,
        ),
    ] = None,
    systems: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,…",
            help="These systems instead of the protocol's own; all: every system of the paper's table, ours, and plain rivals.",
        ),
    ] = None,
    parses: Annotated[
        str,
        typer.Option(metavar="file|embedded|NAME", help="Whose parses the corpora of protein interactions get, as in fit."),
    ] = "file",
    seeds: Annotated[int | None, typer.Option(min=1, help="Runs (or draws of labels) of each system.")] = None,
    data: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder that holds ppi/, bionlp/ …; RELHASH_DATA or ../shared/data by default."),
    ] = None,
    path: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="pubmed45: the labelled file; its amr/ and subsets.json may stand beside it."),
    ] = None,
    amr: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", help="bionlp, pubmed45: AMR graphs of the sentences, PENMAN files (bionlp: instead of parses)."
        ),
    ] = None,
    judged: Annotated[
        str | None,
        typer.Option(
            metavar="valid|swapped",
            help="pubmed45: which judgement is looked for, label 1 or label 2; judged: indra, extri or bel.",
        ),
    ] = None,
    model: Annotated[str, typer.Option(metavar="NAME|FILE", help="raw-text: the model that reads.")] = "ppi",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="OUT", help="Folder for JSON, Markdown, PNG, and the finished cells.", file_okay=False
        ),
    ] = None,
    recompute: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Run nothing: make tables, intervals and differences again from the cells that -o DIR has kept, and write "
            "them there. Needs no corpora.",
        ),
    ] = None,
    n_jobs: options.Jobs = -1,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Run an evaluation protocol and print one table.

    With -o an interrupted run goes on where it stopped: a finished cell is not run again while program, data and settings are
    the same.
    """
    if recompute is not None:
        _recompute(recompute, name, as_json=as_json, quiet=quiet)
        return
    if name is None:
        _list(as_json)
        return
    if output is not None:
        from relhash.files import check_place

        check_place(output, is_folder=True)
    given = {"path": path, "amr": amr, "judged": judged}
    if name in OWN and not (systems and name == "judged"):  # with --systems its protocol alone is run
        OWN[name](Asked(data, output, model, as_json, quiet, seeds, parses))
        return
    from relhash.bench.datasets.prepared import prepared_dataset
    from relhash.bench.protocols import protocol
    from relhash.bench.runner import run_protocol

    chosen = protocol(name)
    dataset = prepared_dataset(name, data, **given) if any(given.values()) else None
    names = None if systems is None else [system.strip() for system in systems.split(",") if system.strip()]
    with progress(name, quiet=quiet or as_json) as step:
        seen = 0

        def on_cell(remark: str, done: int, total: int) -> None:
            nonlocal seen
            step(done - seen, f"of {total} cells; {remark}")
            seen = done

        run = run_protocol(
            chosen,
            data=data,
            dataset=dataset,
            parses=parses,
            systems=names,
            seeds=seeds,
            out=output,
            n_jobs=n_jobs,
            progress=on_cell,
        )
    _show(run, output, as_json=as_json, quiet=quiet)


def _list(as_json: bool) -> None:
    """Every benchmark with one line on what it asks."""
    from relhash.bench.protocols import PROTOCOLS

    asked = {one.name: one.summary for one in PROTOCOLS.values()}
    for name, run in OWN.items():
        line = (run.__doc__ or "").partition("\n")[0].rstrip(".")
        asked[name] = line[:1].lower() + line[1:]
    if as_json:
        print_json(asked)
    else:
        print_table(("benchmark", "what it asks"), asked.items(), left=(0, 1))


def _recompute(folder: Path, name: str | None, *, as_json: bool, quiet: bool) -> None:
    from relhash.bench.cells import read_run

    run = read_run(folder)
    if name not in (None, run.protocol.name):
        raise ParameterError(f"--recompute: {folder} holds cells of {run.protocol.name}, not of {name}")
    _show(run, folder, as_json=as_json, quiet=quiet)


def _show(run: Run, output: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Make and write the tables of a run, and print one."""
    from relhash.bench.report import columns_of, finish
    from relhash.bench.tables import cell_text, overview

    rows, notes = finish(run, output)
    chosen = run.protocol
    if as_json:
        print_json({"protocol": chosen.name, "rows": rows, "notes": notes})
        return
    columns = columns_of(run)
    if len({row["system"] for row in rows}) > MANY and not chosen.label_counts:
        print_table(*overview(rows), title=f"{chosen.summary}: F1 (precision, recall)", left=(0,))
    else:
        headings = [_HEADINGS.get(column, column) for column in columns]
        lines = [[cell_text(row, column) for column in columns] for row in rows]
        print_table(headings, lines, title=chosen.summary, left=(0, 1, 2))
    for line in notes:
        console().print(f"- {line}", markup=False, soft_wrap=True)
    if output is not None:
        note(f"written to {output}", quiet=quiet)
