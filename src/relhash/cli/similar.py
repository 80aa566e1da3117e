"""``relhash similar INDEX --to MARKED``: sentences that say something like this one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from relhash.cli import options
from relhash.cli.console import print_json
from relhash.cli.options import argument, option
from relhash.files import STANDARD_STREAM

if TYPE_CHECKING:
    from relhash.model.index import Found, Index

COLUMNS = ("query", "similarity", "label", "document", "entity1", "entity2", "marked", "row")


def similar(
    said: options.Verbosity,
    index: Annotated[Path, argument("INDEX", "The folder that relhash hash MODEL TEXT -o INDEX made.")],
    to: Annotated[
        list[str] | None,
        option(
            "--to",
            "TEXT|FILE",
            "A marked sentence, [E1]RAF1[/E1] binds [E2]MEK1[/E2]; a file of them, or a table of relhash predict. Repeatable.",
        ),
    ] = None,
    like: Annotated[
        list[int] | None,
        option("N", "Row N of the table after --to (from 1 on), else of INDEX. Repeatable."),
    ] = None,
    top: Annotated[int, option("K", "How many of the most similar.", min=1)] = 10,
    listed: Annotated[
        int,
        option("--list", "N", "Near codes that are compared exactly: more are slower and miss less.", min=1),
    ] = 200,
    output: Annotated[
        Path,
        options.table_output(
            "Its suffix says the format: .tsv, .csv, .jsonl, .xlsx, .parquet. By default a table on standard output.",
        ),
    ] = STANDARD_STREAM,
    parses: options.TrustedParser = None,
) -> None:
    """Find what else says something like this sentence: pairs of entities, the most similar first.

    The codes of the index choose the N nearest of all rows; these are ordered by the exact kernels of dependency path, its
    context and the words around. The similarity is 1 for the same words between the same places, 0 for nothing in common.
    """
    from relhash.model.index import Index
    from relhash.model.tables import check_writable, row_format, write_rows

    kind = row_format(output)
    check_writable(output, kind)
    opened = Index.open(index, parses=parses)
    rows = (
        {"query": query, **found.as_row()}
        for query, similar in _answers(opened, to or [], like or [], n=top, listed=listed)
        for found in similar
    )
    if said.as_json:
        print_json(list(rows))
        return
    count = write_rows(rows, output, kind, COLUMNS, title=f"Like {'; '.join(to or map(str, like or []))}")
    if output != STANDARD_STREAM:
        said.note(f"{count:,} rows written to {output}")


def _answers(index: Index, to: list[str], like: list[int], *, n: int, listed: int) -> list[tuple[str, list[Found]]]:
    from relhash.errors import ParameterError

    queries = [query for given in to for query in _queries(given)]
    if to and like:
        if beyond := [number for number in like if not 1 <= number <= len(queries)]:
            raise ParameterError(f"--like {beyond[0]}: --to gives {len(queries):,} rows, counted from 1 on")
        queries = [queries[number - 1] for number in like]
    elif like:
        return [(f"row {number}", index.like(number, n=n, listed=listed)) for number in like]
    if not queries:
        raise ParameterError("say what to look for: --to '[E1]RAF1[/E1] binds [E2]MEK1[/E2]', --to FILE, or --like N")
    return list(zip(queries, index.similar_to([index.query(one) for one in queries], n=n, listed=listed), strict=True))


def _queries(given: str) -> list[str]:
    """A marked sentence, or all of a file."""
    from relhash.corpus.tables.reader import has_marks
    from relhash.errors import CorpusError, ParameterError
    from relhash.model.tables import TABLE_FORMATS, read_rows, row_format

    path = Path(given)
    if has_marks(given):
        return [given]
    if not path.is_file():
        raise ParameterError(f"--to {given!r} is no file, and as a sentence it is not marked; write [E1]…[/E1] and [E2]…[/E2]")
    if row_format(path) not in TABLE_FORMATS:
        return [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    found = []
    for number, row in read_rows(path):
        if not row.get("marked"):
            raise CorpusError("no column marked in this row", path=path, where=number, remedy="give a table of relhash predict")
        found.append(str(row["marked"]))
    return found
