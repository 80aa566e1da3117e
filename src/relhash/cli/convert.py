"""``relhash convert IN OUT``: one corpus format into another, a document at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from relhash.cli import options
from relhash.cli.console import print_json
from relhash.cli.options import CorpusInput, argument, option


def convert(
    said: options.Verbosity,
    input: Annotated[Path, argument("IN", "A file, a folder of files of one format, or - for text on standard input.")],
    output: Annotated[
        Path,
        argument("OUT", "A file, or for standoff a new folder. Its suffix says the format; .gz compresses; - prints."),
    ],
    from_format: Annotated[
        str | None, option("--from", "--format", "FORMAT", "Format of IN, if it cannot be recognised.")
    ] = None,
    to_format: options.ToFormat = None,
    encoding: options.Encoding = None,
    one_type: options.OneType = None,
    pairs: Annotated[
        str | None,
        option("TYPE,…", "Turn events into pairs of entities of these types, such as protein, without denied ones."),
    ] = None,
    lenient: options.Lenient = False,
) -> None:
    """Turn one corpus format into another.

    Formats: unified-xml, bioc-xml, bioc-json, pubmed-xml, medline, bionlp, brat, pubtator, conllu, jsonl, pubmed45, nero, amr,
    bigbio, pubannotation, genia-xml, table (.xlsx, CSV, TSV), parquet, text, lines (one document per line). JSON Lines holds
    everything; other formats leave out what they have no place for (and it is said which) or refuse.
    """
    from relhash.corpus.document import Document, contents
    from relhash.corpus.formats import format_by_name, format_for_output
    from relhash.corpus.read_write import check_output, write
    from relhash.corpus.tables.labels import DEFAULT_RELATION
    from relhash.errors import ParameterError
    from relhash.files import STANDARD_STREAM

    if said.as_json and output == STANDARD_STREAM:
        raise ParameterError("--json and - both want standard output; give OUT a file name")
    target = format_by_name(to_format) if to_format else format_for_output(output)
    check_output(output, target.name)
    given = CorpusInput(input, from_format, lenient=lenient, one_type=one_type, encoding=encoding)
    left_out: Counter[str] = Counter()

    def in_pairs(documents: Iterator[Document]) -> Iterator[Document]:
        if pairs is None:
            return documents
        from relhash.candidates.statements.pairs_of_events import pairs_of_events

        types = [name.strip() for name in pairs.split(",") if name.strip()]
        if not types:
            raise ParameterError("--pairs: name at least one entity type, for instance protein")
        return pairs_of_events(documents, types=types, relation=one_type or DEFAULT_RELATION)

    def documents() -> Iterator[Document]:
        with said.progress("converting") as step:
            for document in in_pairs(given.stream(step)):
                left_out.update(contents(document).intersection(target.leaves_out))
                yield document

    write(documents(), output, target.name)

    if said.as_json:
        report = {"input": input, "output": output, "format": target.name, "documents": given.count}
        print_json(report | {"skipped": [str(problem) for problem in given.skipped], "left_out": dict(left_out)})
        return
    place = "standard output" if output == STANDARD_STREAM else str(output)
    said.note(f"{given.count:,} document{'s' * (given.count != 1)} written to {place} ({target.name})")
    for part, number in sorted(left_out.items()):
        said.note(f"left out, {target.name} has no place for them: {part} (of {number:,} documents)")
    given.remark(quiet=said.quiet)
