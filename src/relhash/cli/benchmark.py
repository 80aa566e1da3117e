"""``relhash benchmark NAME``: the protocols of the literature, with the published figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from relhash.cli import options
from relhash.cli.console import console, note, print_json, print_table, progress
from relhash.cli.own_benchmarks import OWN, Asked, sheet_again
from relhash.errors import ParameterError

if TYPE_CHECKING:
    from relhash.evaluation.run import Run

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
        str | None, typer.Option(metavar="valid|swapped", help="pubmed45: which judgement is looked for, label 1 or label 2.")
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
    if name in OWN:
        OWN[name](Asked(data, output, model, as_json, quiet, seeds, parses))
        return
    from relhash.evaluation.datasets.prepared import prepared_dataset
    from relhash.evaluation.protocols import protocol
    from relhash.evaluation.runner import run_protocol

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
    from relhash.evaluation.protocols import PROTOCOLS

    asked = {one.name: one.summary for one in PROTOCOLS.values()}
    for name, run in OWN.items():
        line = (run.__doc__ or "").partition("\n")[0].rstrip(".")
        asked[name] = line[:1].lower() + line[1:]
    if as_json:
        print_json(asked)
    else:
        print_table(("benchmark", "what it asks"), asked.items(), left=(0, 1))


def _recompute(folder: Path, name: str | None, *, as_json: bool, quiet: bool) -> None:
    if name == "sheet":
        sheet_again(folder, as_json=as_json)
        return
    from relhash.evaluation.run import read_run

    run = read_run(folder)
    if name not in (None, run.protocol.name):
        raise ParameterError(f"--recompute: {folder} holds cells of {run.protocol.name}, not of {name}")
    _show(run, folder, as_json=as_json, quiet=quiet)


def _show(run: Run, output: Path | None, *, as_json: bool, quiet: bool) -> None:
    """Make and write the tables of a run, and print one."""
    from relhash.evaluation.report import columns_of, finish
    from relhash.evaluation.tables import cell_text, overview

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
