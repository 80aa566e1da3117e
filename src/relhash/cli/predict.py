"""``relhash predict MODEL INPUT -o OUT``: relations with probability and evidence."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from relhash.cli.console import JsonOption, QuietOption, note, print_json, progress

if TYPE_CHECKING:
    from relhash.corpus import Document
    from relhash.models import Prediction, RelationExtractor

__all__ = ["predict"]

STANDARD_STREAM = Path("-")


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model file made by relhash fit.")],
    input: Annotated[Path, typer.Argument(metavar="INPUT", help="A corpus in any format, or - for standard input.")],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            help="Its suffix says the format: .tsv, .csv, .jsonl (a relation a row); BioC, brat and other corpus formats "
            "(the documents with the relations found). - prints a table as it goes.",
        ),
    ] = STANDARD_STREAM,
    to_format: Annotated[
        str | None, typer.Option("--to", metavar="FORMAT", help="Corpus format of OUT, if its suffix does not say.")
    ] = None,
    all_candidates: Annotated[bool, typer.Option("--all", help="Every candidate, also those below the threshold.")] = False,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Accept from this probability on, in place of the model's own threshold.")
    ] = None,
    n_jobs: Annotated[int | None, typer.Option(help="Threads; -1 for all.")] = None,
    lenient: Annotated[bool, typer.Option("--lenient", help="Leave out broken documents instead of stopping.")] = False,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Find relations in annotated text.

    A relation's score and label do not depend on what else is in the file.
    """
    from relhash.corpus import stream
    from relhash.errors import CorpusError
    from relhash.models import RelationExtractor

    extractor = RelationExtractor.load(model, n_jobs=n_jobs)
    if threshold is not None:
        extractor.accept_from(threshold)
    skipped: list[CorpusError] = []
    documents = _with_entities(stream(input, on_error=skipped.append if lenient else None), input)
    silent = quiet or as_json or output == STANDARD_STREAM
    with progress("reading", quiet=silent) as step:
        counted = _counted(documents, step)
        if as_json:
            print_json([prediction.as_row() for prediction in extractor.stream(counted, all_candidates=all_candidates)])
            return
        found = _write(extractor, counted, output, to_format, all_candidates)
    if output != STANDARD_STREAM:
        kind = "candidates" if all_candidates else "relations"
        note(f"{found:,} {kind} written to {output}", quiet=quiet)
    if skipped:
        note(f"{len(skipped):,} broken documents skipped, the first: {skipped[0]}", quiet=quiet)


def _counted(documents: Iterable[Document], step: Callable[..., None]) -> Iterator[Document]:
    for document in documents:
        yield document
        step(1)


def _with_entities(documents: Iterable[Document], path: Path) -> Iterator[Document]:
    """The documents; an error at the end if none of them had an entity, because then nothing can have been found."""
    from relhash.errors import StructureError

    seen = 0
    for document in documents:
        seen += len(document.mentions)
        yield document
    if not seen:
        raise StructureError(
            f"{path}: no entities are annotated in this text, so there is nothing to relate; annotate it first "
            "(relhash.language.Pipeline tags and parses raw text)"
        )


def _write(
    extractor: RelationExtractor, documents: Iterator[Document], output: Path, to_format: str | None, all_candidates: bool
) -> int:
    """Write what is found in the format of ``output``; how many rows or relations that were."""
    from relhash.models.prediction import PREDICTION_COLUMNS, annotated

    suffixes = [suffix for suffix in output.suffixes if suffix != ".gz"]
    kind = suffixes[-1].lower() if suffixes else ""
    if to_format is None and (output == STANDARD_STREAM or kind in (".tsv", ".csv", ".jsonl", ".ndjson")):
        predictions = extractor.stream(documents, all_candidates=all_candidates)
        if kind in (".jsonl", ".ndjson"):
            lines: Iterator[str] = (json.dumps(prediction.as_row(), ensure_ascii=False) for prediction in predictions)
        else:
            lines = _table(predictions, PREDICTION_COLUMNS, "," if kind == ".csv" else "\t")
        return _write_lines(lines, output) - (kind not in (".jsonl", ".ndjson"))
    from relhash.corpus import write

    kept = list(documents)
    found = extractor.predict(kept, all_candidates=False)
    write(annotated(kept, found), output, to_format)
    return len(found)


def _table(predictions: Iterable[Prediction], columns: tuple[str, ...], separator: str) -> Iterator[str]:
    import csv
    import io

    def line(values: Iterable[Any]) -> str:
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=separator, lineterminator="").writerow(values)
        return buffer.getvalue()

    yield line(columns)
    for prediction in predictions:
        row = prediction.as_row()
        yield line([int(value) if isinstance(value, bool) else value for value in (row[column] for column in columns)])


def _write_lines(lines: Iterable[str], output: Path) -> int:
    """Lines to a file that appears complete or not at all (gzipped if so named), or at once to standard output."""
    count = 0
    if output == STANDARD_STREAM:
        for line in lines:
            print(line, flush=True)
            count += 1
        return count
    import gzip

    from relhash.files import replacing

    with replacing(output, "wb") as handle:
        target = gzip.GzipFile(output.stem, "wb", fileobj=handle, mtime=0) if output.suffix == ".gz" else handle
        for line in lines:
            target.write(line.encode("utf-8", "surrogatepass") + b"\n")
            count += 1
        if target is not handle:
            target.close()
    return count
