"""``relhash convert IN OUT``: one corpus format into another, a document at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from relhash.cli.console import JsonOption, QuietOption, note, print_json, progress

__all__ = ["convert"]

_ERRORS_SHOWN = 5


def convert(
    input: Annotated[
        Path, typer.Argument(metavar="IN", help="A file, a folder of files of one format, or - for text on standard input.")
    ],
    output: Annotated[
        Path,
        typer.Argument(
            metavar="OUT", help="A file, or for standoff a new folder. Its suffix says the format; .gz compresses; - prints."
        ),
    ],
    from_format: Annotated[
        str | None, typer.Option("--from", "--format", metavar="FORMAT", help="Format of IN, if it cannot be recognised.")
    ] = None,
    to_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Format of OUT, if its suffix does not say.")
    ] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out broken documents instead of stopping.")] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Turn one corpus format into another.

    Formats: unified-xml, bioc-xml, bioc-json, pubmed-xml, bionlp, brat, pubtator, conllu, jsonl, pubmed45, amr, table (CSV,
    TSV), text, lines (a document a line). JSON Lines holds everything; other formats leave out what they have no place for
    (and it is said which) or refuse.
    """
    from relhash.corpus.contents import contents
    from relhash.corpus.document import Document
    from relhash.corpus.formats import format_by_name, format_for_output
    from relhash.corpus.read_write import stream, write
    from relhash.corpus.source import STANDARD_STREAM
    from relhash.errors import CorpusError, ParameterError

    if as_json and output == STANDARD_STREAM:
        raise ParameterError("--json and - both want standard output; give OUT a file name")
    target = format_by_name(to_format) if to_format else format_for_output(output)
    skipped: list[CorpusError] = []
    left_out: Counter[str] = Counter()
    count = 0

    def counted(documents: Iterable[Document]) -> Iterator[Document]:
        nonlocal count
        with progress("converting", quiet=quiet or as_json) as step:
            for document in documents:
                left_out.update(contents(document).intersection(target.leaves_out))
                yield document
                count += 1
                step(1)

    documents = stream(input, from_format, on_error=skipped.append if lenient else None)
    write(counted(documents), output, target.name)

    if as_json:
        report = {"input": input, "output": output, "format": target.name, "documents": count}
        print_json(report | {"skipped": [str(problem) for problem in skipped], "left_out": dict(left_out)})
        return
    place = "standard output" if output == STANDARD_STREAM else str(output)
    note(f"{count:,} document{'s' * (count != 1)} written to {place} ({target.name})", quiet=quiet)
    for part, number in sorted(left_out.items()):
        note(f"left out, {target.name} has no place for them: {part} (of {number:,} documents)", quiet=quiet)
    if skipped:
        note(f"{len(skipped):,} broken document{'s' * (len(skipped) != 1)} skipped:", quiet=quiet)
        for problem in skipped[:_ERRORS_SHOWN]:
            note(f"  {problem}", quiet=quiet)
        if len(skipped) > _ERRORS_SHOWN:
            note(f"  … and {len(skipped) - _ERRORS_SHOWN:,} more (--json lists all)", quiet=quiet)
