"""``relhash similar MODEL CODES --to MARKED``: sentences that say something like this one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from relhash.cli import options
from relhash.cli.console import note, print_json
from relhash.files import STANDARD_STREAM


def similar(
    model: options.Model,
    codes: Annotated[
        Path, typer.Argument(metavar="CODES", help="What relhash hash wrote: .parquet, .tsv, .csv, .jsonl, .npz, or a folder.")
    ],
    to: Annotated[
        list[str],
        typer.Option(
            "--to",
            metavar="TEXT",
            help="A sentence, its entities marked: \\[E1]RAF1\\[/E1] binds \\[E2]MEK1\\[/E2]. Repeatable.",
        ),
    ],
    top: Annotated[int, typer.Option("--top", metavar="K", min=1, help="How many of the nearest.")] = 10,
    types: options.Types = None,
    output: Annotated[
        Path,
        options.table_output(
            help="Its suffix says the format: .tsv, .csv, .jsonl, .xlsx, .parquet. By default a table on standard output.",
        ),
    ] = STANDARD_STREAM,
    cache: options.Cache = True,
    parses: options.TrustedParser = None,
    require_sha256: options.Sha256 = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the candidates whose codes differ least from that of a sentence: what else says something like this?

    The distance is the number of bits that differ. The search is exact: every code of the table is compared.
    """
    from rich.markup import escape

    from relhash.errors import ParameterError
    from relhash.models import FittedModel
    from relhash.models.tables import check_writable, row_format, write_rows
    from relhash.scale.similar import SIMILAR_COLUMNS
    from relhash.scale.similar import similar as find_similar
    from relhash.structures import parse_types

    kind = row_format(output)
    check_writable(output, kind)
    pairs = parse_types(types) if types else [None]
    if len(pairs) > 1:
        raise ParameterError(f"--types {escape(types or '')}: a sentence has one pair of entities; give one pair of types")
    fitted = FittedModel.load(model, cache=cache, parses=parses, sha256=require_sha256)
    rows = find_similar(fitted, codes, to, n=top, types=pairs[0])
    if as_json:
        print_json(list(rows))
        return
    count = write_rows(rows, output, kind, SIMILAR_COLUMNS, title=f"Like {'; '.join(to)}")
    if output != STANDARD_STREAM:
        note(f"{count:,} rows written to {output}", quiet=quiet)
