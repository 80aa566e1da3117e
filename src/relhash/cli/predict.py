"""``relhash predict MODEL INPUT -o OUT``: relations with probability and evidence."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from relhash.cli.console import console, note, print_json, progress, warning
from relhash.cli.corpus_input import CorpusInput
from relhash.cli.options import (
    AmrOption,
    CacheOption,
    EncodingOption,
    Engine,
    EngineOption,
    FormatOption,
    GroundOption,
    JobsOption,
    JsonOption,
    LenientOption,
    LexiconOption,
    MaxPairsOption,
    ModelArgument,
    PartitionSizeOption,
    QuietOption,
    ResumeOption,
    SchedulerOption,
    Sha256Option,
    ToFormatOption,
    TrustedParserOption,
    TypesOption,
    WorkersOption,
)
from relhash.cli.resuming import resumable_predictions
from relhash.visible import visible

if TYPE_CHECKING:
    from rich.text import Text

    from relhash.corpus import Document
    from relhash.models import FittedModel, Prediction

__all__ = ["predict"]

STANDARD_STREAM = Path("-")
LOOKED_AT = 2000
"""Candidates from the beginning of a text by which it is told whether the model knows such text."""
ENOUGH_TO_TELL = 50
"""Candidates from which the share of accepted ones says something."""


def predict(
    model: ModelArgument,
    input: Annotated[
        list[Path],
        typer.Argument(metavar="INPUT", help="Raw text or corpora: files, folders of files, or - for standard input."),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="OUT",
            show_default=False,
            help="Its suffix says the format: .tsv, .csv, .xlsx, .html, .jsonl, .parquet (one row per relation); BioC, brat "
            "and other corpus formats (the documents with the relations found). By default a table on standard output.",
        ),
    ] = STANDARD_STREAM,
    to_format: ToFormatOption = None,
    all_candidates: Annotated[bool, typer.Option("--all", help="Every candidate, also those below the threshold.")] = False,
    threshold: Annotated[
        float | None,
        typer.Option(metavar="P", min=0, max=1, help="Accept from this probability on, in place of the model's own threshold."),
    ] = None,
    keep: Annotated[
        list[str] | None,
        typer.Option(
            metavar="negated|questioned",
            help="Also accept relations that their sentence denies (A does not bind B) or only asks for (whether A binds B). "
            "Repeatable. The column 'assertion' says which is which.",
        ),
    ] = None,
    types: TypesOption = None,
    lexicon: LexiconOption = None,
    ground: GroundOption = True,
    amr: AmrOption = None,
    format: FormatOption = None,
    encoding: EncodingOption = None,
    max_pairs: MaxPairsOption = None,
    cache: CacheOption = True,
    parses: TrustedParserOption = None,
    require_sha256: Sha256Option = None,
    n_jobs: JobsOption = None,
    resume: ResumeOption = True,
    lenient: LenientOption = False,
    engine: EngineOption = Engine.LOCAL,
    scheduler: SchedulerOption = None,
    workers: WorkersOption = None,
    partition_size: PartitionSizeOption = 1000,
    as_json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Find relations in raw text or in an annotated corpus.

    Text is split, parsed and its entities are recognised as the model needs it; annotated entities stay as they are. A
    relation's score and label do not depend on what else is in the file.

    With [b]--engine dask[/b] text of any size is read on many cores or machines; OUT is then a folder of Parquet files, and the
    same command started again does what is missing.
    """
    from relhash.corpus.read_write import check_output
    from relhash.errors import ParameterError, StructureError
    from relhash.files import digest_of, is_file
    from relhash.models import FittedModel
    from relhash.models.acceptance import why_below_half
    from relhash.models.tables import TABLE_FORMATS, check_writable, row_format
    from relhash.structures import parse_types

    if engine is Engine.DASK:
        from relhash.cli.predict_on_cluster import predict_on_cluster

        if amr is not None or to_format is not None:
            raise ParameterError("--engine dask writes a folder of Parquet files and takes neither --to nor --amr")
        settings: dict[str, Any] = {"threshold": threshold, "keep": tuple(keep or ()), "types": types, "max_pairs": max_pairs}
        settings |= {"ground": ground, "all_candidates": all_candidates, "lexicon": lexicon, "parses": parses}
        reading = {"format": format, "encoding": encoding, "partition_size": partition_size}
        place = {"scheduler": scheduler, "workers": workers}
        predict_on_cluster(model, input, output, require_sha256, settings, reading, place, as_json=as_json, quiet=quiet)
        return
    if to_format is None and row_format(output) in TABLE_FORMATS:
        check_writable(output, row_format(output))
    elif output != STANDARD_STREAM or to_format is not None:
        check_output(output, to_format)
    fitted = FittedModel.load(
        model, lexicon=lexicon, ground=ground, cache=cache, n_jobs=n_jobs, parses=parses, sha256=require_sha256
    )
    if threshold is not None:
        fitted = fitted.accepting_from(threshold)
    if keep:
        fitted = fitted.keeping(*keep)
    if types is not None:
        fitted = fitted.relating(parse_types(types))
    if max_pairs is not None:
        fitted = fitted.with_max_pairs(max_pairs)
    given = [CorpusInput(one, format, lenient=lenient, amr=amr, encoding=encoding) for one in input]
    shown = ", ".join(map(str, input))
    at_terminal = output == STANDARD_STREAM and sys.stdout.isatty()  # relations are the progress
    changed = [threshold, keep, types, max_pairs, ground, parses]
    keeps = resume and not as_json and is_file(output)
    with (
        resumable_predictions(output if keeps else None, fitted, model, [*changed, digest_of(lexicon)], quiet) as annotate,
        progress("documents", quiet=quiet or as_json or at_terminal) as step,
    ):
        tally = _Tally(step, all_candidates=all_candidates)
        read = tally.counted(annotate(chain.from_iterable(one.stream() for one in given)))
        if not fitted.parses.uses_pipeline:
            read = _checked(read, tally, StructureError(_no_entities(fitted, shown)))
        if as_json:
            print_json(list(_rows(read)))
        else:
            _write(
                read,
                output,
                to_format,
                title=f"Relations in {', '.join(one.name if one != STANDARD_STREAM else 'text' for one in input)}",
            )
    if not tally.entities and fitted.parses.uses_pipeline:
        note(_no_entities(fitted, shown), quiet=quiet)
    elif output != STANDARD_STREAM:
        note(f"{tally.summary} written to {output}", quiet=quiet)
        if why := why_below_half(tally.below_half, fitted.decision.threshold.strategy):
            note(why, quiet=quiet)
    if tally.accepts_suspiciously_many:
        warning(
            f"{tally.relations:,} of {tally.candidates:,} candidates were accepted, which is suspiciously many; read a sample, "
            "and raise the threshold (--threshold 0.8), or say what you expect (relhash adapt … --expect 0.2)"
        )
    if threshold is None and (difference := tally.unlike(fitted)):
        note(
            f"this text looks unlike what the model was adapted to: {difference}; its threshold may be wrong here "
            f"(relhash adapt {model} {input[0]} -o MODEL2 moves it)",
            quiet=quiet,
        )
    for one in given:
        one.remark(quiet=quiet)


Read = Iterator[tuple["Document", "list[Prediction]"]]


class _Tally:
    """Counts the candidates that pass, says so, and lets through those that are wanted."""

    def __init__(self, step: Callable[..., None], *, all_candidates: bool) -> None:
        self.step, self.all_candidates = step, all_candidates
        self.documents = self.entities = self.candidates = self.relations = self.below_half = 0
        self.lowest: float | None = None
        self.first: list[Prediction] = []

    def counted(self, read: Read) -> Read:
        for document, judged in read:
            found = [prediction for prediction in judged if prediction.is_relation]
            self.documents += 1
            self.entities += len(document.entities)
            self.candidates += len(judged)
            self.relations += len(found)
            self.below_half += sum(prediction.probability < 0.5 for prediction in found)
            met = [prediction.probability for prediction in found] + ([] if self.lowest is None else [self.lowest])
            self.lowest = min(met, default=None)
            self.first += judged[: LOOKED_AT - len(self.first)]
            self.step(1, f"{self.relations:,} found")
            yield document, judged if self.all_candidates else found

    def unlike(self, fitted: FittedModel) -> str:
        """How the text differs from what the model was adapted to; empty if it does not."""
        return fitted.unlike([one.candidate for one in self.first], [one.score for one in self.first])

    @property
    def summary(self) -> str:
        """What was found, and of how many."""
        from relhash.models.acceptance import accepted_text

        return f"{accepted_text(self.relations, self.candidates, self.lowest)} in {self.documents:,} documents"

    @property
    def accepts_suspiciously_many(self) -> bool:
        """Whether more than half is accepted of so many that it cannot be chance."""
        return self.candidates >= ENOUGH_TO_TELL and self.relations > self.candidates / 2


def _checked(read: Read, tally: _Tally, problem: Exception) -> Read:
    """The same; an error at the end if not one entity was met, because then nothing can have been found."""
    yield from read
    if not tally.entities:
        raise problem


def _no_entities(fitted: FittedModel, path: str) -> str:
    """What to say when not one entity was met, so that nothing can have been found."""
    from relhash.models.parses import REMEDY

    if fitted.parses.uses_pipeline:
        return f"{path}: no entity was recognised in this text; names that the pipeline does not know can be given (--lexicon)"
    return f"{path}: no entities are annotated in this text, so there is nothing to relate; for raw text {REMEDY}"


def _write(read: Read, output: Path, to_format: str | None, *, title: str) -> None:
    """Write what is found in the format of ``output``."""
    from relhash.models.columns import table_columns
    from relhash.models.prediction import with_predictions
    from relhash.models.tables import TABLE_FORMATS, row_format, write_rows

    kind = row_format(output)
    if to_format is None and output == STANDARD_STREAM:
        if sys.stdout.isatty():
            _show(prediction for _, found in read for prediction in found)
        else:
            write_rows(_rows(read), output, "tsv", table_columns())
    elif to_format is None and kind in TABLE_FORMATS:
        write_rows(_rows(read), output, kind, table_columns(), title=title)
    else:
        from relhash.corpus import write

        write((with_predictions(document, found) for document, found in read), output, to_format)


def _rows(read: Read) -> Iterator[dict[str, Any]]:
    return (prediction.as_row() for _, found in read for prediction in found)


def _show(predictions: Iterable[Prediction]) -> None:
    """For a person at a terminal: two lines per relation, as they are found."""
    from rich.text import Text

    from relhash.cli.evidence_text import path_text, sentence_text

    out = console()
    found = 0
    for prediction in predictions:
        shown = prediction.evidence
        found += 1
        probability = Text(f"{prediction.probability:.2f}", "green" if prediction.is_relation else "red")
        relation, document = visible(prediction.relation), visible(shown.document)
        title = Text.assemble(probability, f"  {relation}  ", (document, "dim"), "  ", sentence_text(shown))
        out.print(title, soft_wrap=True)
        out.print(Text.assemble("      ", _told(prediction, path_text(shown))), soft_wrap=True)
    if not found:
        out.print("no relations above the threshold (--all shows every candidate)", style="dim")


def _told(prediction: Prediction, path: Text) -> Text:
    """What joins the participants: of an interaction who does what to whom, and by which word; of a pair the path."""
    from rich.text import Text

    from relhash.models.columns import evidence_words

    trigger = prediction.candidate.trigger
    if trigger is None:
        return path
    return Text.assemble((visible(evidence_words(prediction)), "bold"), (f"  “{visible(trigger.text)}”", "dim"))
