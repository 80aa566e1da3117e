"""``relhash benchmark NAME``: the protocols of the literature, with the published figures beside ours."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from relhash.cli import options
from relhash.cli.console import print_json, print_line, print_table
from relhash.cli.options import argument, option
from relhash.errors import ParameterError


def benchmark(
    said: options.Verbosity,
    name: Annotated[
        str | None,
        argument("NAME", "Which one, such as ppi-cross; without a name they are listed.", show_default=False),
    ] = None,
    systems: Annotated[
        str | None,
        option("A,B,…", "These systems instead of the protocol's own; all: also plain rivals."),
    ] = None,
    parses: Annotated[
        str,
        option("file|embedded|NAME", "Whose parses the corpora of protein interactions get, as in fit."),
    ] = "file",
    seeds: Annotated[int | None, option("N", "Runs (or draws of labels) of each system.", min=1)] = None,
    data: Annotated[
        Path | None,
        option("DIR", "The folder that holds ppi/, bionlp/ …; RELHASH_DATA or ../shared/data by default."),
    ] = None,
    path: Annotated[
        Path | None,
        option("FILE", "pubmed45: the labelled file; its amr/ and subsets.json may stand beside it."),
    ] = None,
    amr: Annotated[
        Path | None,
        option("DIR", "bionlp, pubmed45: AMR graphs of the sentences, PENMAN files (bionlp: instead of parses)."),
    ] = None,
    judged: Annotated[
        str | None,
        option("valid|swapped", "pubmed45: which judgement is looked for, label 1 or label 2; judged: indra, extri or bel."),
    ] = None,
    model: Annotated[str, option("NAME|FILE", "raw-text: the model that reads.")] = "ppi",
    output: Annotated[
        Path | None,
        option("--output", "-o", "OUT", "Folder for JSON, Markdown, PNG, and the finished cells.", file_okay=False),
    ] = None,
    recompute: Annotated[
        Path | None,
        option("DIR", "Run nothing: make the tables again from the cells that -o DIR has kept; needs no corpora."),
    ] = None,
    n_jobs: options.Jobs = -1,
) -> None:
    """Run an evaluation protocol and print one table.

    With -o an interrupted run goes on where it stopped: a finished cell is not run again while program, data and settings are
    the same.
    """
    if name is None and recompute is None:
        _list(said.as_json)
        return
    if output is not None:
        from relhash.files import check_place

        check_place(output, is_folder=True)
    from relhash.bench.benchmarks import OWN, Asked, run_own
    from relhash.bench.cells import read_run
    from relhash.bench.datasets.prepared import prepared_dataset
    from relhash.bench.protocols import protocol
    from relhash.bench.report import finish
    from relhash.bench.runner import run_protocol

    with said.progress(name or "recompute") as step:
        seen = 0

        def on_cell(remark: str, done: int, total: int) -> None:
            nonlocal seen
            step(done - seen, f"of {total} cells; {remark}")
            seen = done

        if recompute is not None:
            run, output = read_run(recompute), recompute
            if name not in (None, run.protocol.name):
                raise ParameterError(f"--recompute: {recompute} holds cells of {run.protocol.name}, not of {name}")
            report = finish(run, output)
        elif name in OWN and not (systems and name == "judged"):  # with --systems its protocol alone is run
            report = run_own(name, Asked(data, output, model, seeds, lambda remark: step(1, remark)))
            if output is not None:
                report.write(output)
        else:
            chosen = protocol(str(name))
            given = {"path": path, "amr": amr, "judged": judged}
            run = run_protocol(
                chosen,
                data=data,
                dataset=prepared_dataset(chosen.name, data, **given) if any(given.values()) else None,
                parses=parses,
                systems=None if systems is None else [one.strip() for one in systems.split(",") if one.strip()],
                seeds=seeds,
                out=output,
                n_jobs=n_jobs,
                progress=on_cell,
            )
            report = finish(run, output)
    if said.as_json:
        print_json(report.as_dict())
        return
    for table in report.shown or report.tables:
        print_table(table.headings, table.rows, title=table.title or report.title, left=table.left)
    for line in report.notes:
        print_line(f"- {line}")
    if output is not None:
        said.note(f"written to {output}")


def _list(as_json: bool) -> None:
    """Every benchmark with one line on what it asks."""
    from relhash.bench.benchmarks import OWN
    from relhash.bench.protocols import PROTOCOLS

    asked = {one.name: one.summary for one in PROTOCOLS.values()} | OWN
    if as_json:
        print_json(asked)
    else:
        print_table(("benchmark", "what it asks"), asked.items(), left=(0, 1))
