"""``relhash predict MODEL INPUT -o OUT``: relations with probability and evidence.

Below: where the relations go (a table, a corpus, or the terminal of a person), what is counted while documents pass, and what
is kept on the way so that a run that was ended goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from relhash.cli import options
from relhash.cli.console import note, print_json, print_line, progress, warning
from relhash.cli.options import option
from relhash.errors import ParameterError, StructureError
from relhash.files import STANDARD_STREAM
from relhash.language.entities import entity_type
from relhash.visible import visible

if TYPE_CHECKING:
    from relhash.corpus import Document
    from relhash.model import FittedModel, Prediction
    from relhash.model.judging import Portion

    Read = Iterator[Portion]
    Judge = Callable[[Iterable[Document]], Read]


def write_predictions(
    read: Read, output: Path, to_format: str | None, *, title: str, model: FittedModel, with_single: bool = True
) -> None:
    """Write what is found in the format of ``output``; a corpus always has the events about one participant."""
    from relhash.model.prediction import with_predictions
    from relhash.model.tables import TABLE_FORMATS, row_format, write_rows
    from relhash.model.tables.columns import table_columns

    kind = row_format(output)
    if to_format is None and output == STANDARD_STREAM:
        if sys.stdout.isatty():
            _show(_shown(read, with_single))
            return
        kind = "tsv"
    if to_format is None and kind in TABLE_FORMATS:
        write_rows(rows_of(read, with_single), output, kind, table_columns(model), title=title)
    else:
        from relhash.corpus import write
        from relhash.model.judging import whole

        documents = (with_predictions(document, found) for document, found in whole(read))
        if output.is_dir() and any(output.iterdir()):
            _confirm(lambda place: write(documents, place, to_format), output)
        else:
            write(documents, output, to_format)


def _confirm(write: Callable[[Path], None], output: Path) -> None:
    """See that a folder holds what is to be written: a run that goes on may have been ended right after it was complete."""
    from relhash.files import check_empty, folder_beside, same_content

    with folder_beside(output) as place:
        write(place / output.name)
        if not same_content(place / output.name, output):
            check_empty(output)


def rows_of(read: Read, with_single: bool = True) -> Iterator[dict[str, Any]]:
    """One row per prediction."""
    return (prediction.as_row() for prediction in _shown(read, with_single))


def _shown(read: Read, with_single: bool) -> Iterator[Prediction]:
    found = (prediction for portion in read for prediction in portion.predictions)
    return (prediction for prediction in found if with_single or not prediction.candidate.is_single)


def _show(predictions: Iterable[Prediction]) -> None:
    """For a person at a terminal: two lines per relation, as they are found."""
    from rich.text import Text

    from relhash.biomed.assertion import Assertion
    from relhash.cli.console import path_text, sentence_text
    from relhash.model.tables.columns import evidence_words

    found = 0
    for prediction in predictions:
        shown = prediction.evidence
        found += 1
        probability = f"{prediction.probability:.2f}", "green" if prediction.is_relation else "red"
        relation, document = visible(prediction.relation), visible(shown.document)
        assertion = "" if prediction.assertion is Assertion.ASSERTED else f"{prediction.assertion}  "
        print_line(probability, f"  {relation}  ", (assertion, "yellow"), (document, "dim"), "  ", sentence_text(shown))
        if (trigger := prediction.candidate.trigger) is None:
            joined = path_text(shown)
        else:  # of an interaction who does what to whom, and by which word
            joined = Text.assemble((visible(evidence_words(prediction)), "bold"), (f"  “{visible(trigger.text)}”", "dim"))
        print_line("      ", joined)
    if not found:
        print_line("no relations above the threshold (--all shows every candidate)", style="dim")


LOOKED_AT = 2000
"""Candidates from the beginning of a text that decide whether the model knows such text."""
ENOUGH_TO_TELL = 50
"""Candidates from which the share of accepted ones says something."""


class Tally:
    """Counts the candidates that pass, says so, and lets through those that are wanted."""

    def __init__(self, step: Callable[..., None], *, all_candidates: bool) -> None:
        from relhash.model.judging import ReadCounts

        self.step, self.all_candidates, self.counts, self.single = step, all_candidates, ReadCounts(), 0
        self.types: set[str] = set()
        self.first: list[Prediction] = []

    def counted(self, read: Iterator[Portion]) -> Iterator[Portion]:
        for portion in read:
            if portion.is_last:
                self.counts.read(portion.document)
                self.types.update(entity_type(mention.type) for mention in portion.document.entities)
            found = self.counts.judged(portion.predictions)
            self.single += sum(prediction.candidate.is_single for prediction in found)
            self.first += portion.predictions[: LOOKED_AT - len(self.first)]
            self.step(int(portion.is_last), f"{self.counts.relations:,} found")
            yield portion if self.all_candidates else replace(portion, predictions=found)

    def unlike(self, fitted: FittedModel) -> str:
        """How the text differs from what the model was adapted to; empty if it does not."""
        return fitted.unlike([one.candidate for one in self.first], [one.score for one in self.first])

    @property
    def accepts_suspiciously_many(self) -> bool:
        """Whether more than half is accepted of so many that it cannot be chance."""
        return self.counts.candidates >= ENOUGH_TO_TELL and self.counts.relations > self.counts.candidates / 2


@contextmanager
def resumable_predictions(
    output: Path | None, fitted: FittedModel, model: Path, settings: list[Any], quiet: bool
) -> Iterator[Judge]:
    """What judges documents: the model, with partitions beside ``output`` until that is complete; without one, the model alone.

    ``settings`` are all options that a row may depend on, beside the file of the ``model``.
    """
    if output is None:
        from relhash.model.judging import portions

        yield lambda documents: portions(fitted, documents)
        return
    from relhash.files import check_empty, digest_of
    from relhash.model.judging import DOCUMENTS, KeptPredictions, kept_beside
    from relhash.model.model_file import find_model

    path = kept_beside(output)
    kept = KeptPredictions(path, fitted, [digest_of(find_model(model)), *settings])
    if found := kept.n_found:
        note(f"going on after about {found * DOCUMENTS:,} documents of an earlier run (--no-resume starts anew)", quiet=quiet)
    try:
        if not found:
            check_empty(output)
        yield kept.portions
    except ParameterError:  # the same command would end so again
        kept.remove()
        raise
    except BaseException:
        kept.close()
        if path.exists():
            note(f"what was done is kept in {path}: the same command goes on from there", quiet=quiet)
        raise
    kept.remove()


def predict(
    using: options.Accepting,
    texts: options.Texts,
    cluster: options.Cluster,
    said: options.Verbosity,
    model: options.Model,
    input: options.Inputs,
    output: Annotated[
        Path,
        options.table_output(
            "Its suffix says the format: .tsv, .csv, .xlsx, .html, .jsonl, .parquet (one row per relation); of events "
            ".indra.json, .bel, .kgx.tsv; BioC, brat and other corpus formats. By default a table on standard output."
        ),
    ] = STANDARD_STREAM,
    to_format: options.ToFormat = None,
    all_candidates: Annotated[bool, option("--all", "Every candidate, also those below the threshold.")] = False,
    with_single: Annotated[bool, option("--with-single", "events: tables also have rows about one participant.")] = False,
    resume: options.Resume = True,
) -> None:
    """Find relations in raw text or in an annotated corpus.

    Text is split, parsed and its entities are recognised as the model needs it; annotated entities stay as they are. A
    relation's score and label do not depend on what else is in the file.

    With --engine dask text of any size is read on many cores or machines; OUT is then a folder of Parquet files, and the
    same command started again does what is missing.
    """
    from relhash.corpus.read_write import check_output
    from relhash.files import digest_of, is_file
    from relhash.model.judging import kept_beside, why_below_half
    from relhash.model.tables import TABLE_FORMATS, check_writable, row_format
    from relhash.model.tables.statements import OF_STATEMENTS
    from relhash.processes import settled_after

    if cluster.place is not None:
        from relhash.cli.on_cluster import predict_on_cluster

        if texts.amr is not None or to_format is not None:
            raise ParameterError("--engine dask writes a folder of Parquet files and takes neither --to nor --amr")
        rows = {"all_candidates": all_candidates, "with_single": with_single}
        predict_on_cluster(model, input, output, using, texts, cluster, said, **rows)
        return
    if to_format is None and row_format(output) in TABLE_FORMATS:
        check_writable(output, row_format(output))
    elif output != STANDARD_STREAM or to_format is not None:
        check_output(output, to_format, is_resumed=resume and kept_beside(output).is_dir())
        _check_holds_probabilities(output, to_format)
    fitted = using.load(model, cache=texts.cache)
    if row_format(output) in OF_STATEMENTS and not fitted.policy.has_roles:
        raise ParameterError(f"{output}: this format holds statements, which a model of pairs does not find; use events")
    given = [texts.open(one) for one in input]
    shown = ", ".join(map(str, input))
    at_terminal = output == STANDARD_STREAM and sys.stdout.isatty()  # relations are the progress
    depends_on = replace(using, lexicon=None, n_jobs=None, require_sha256=None), digest_of(using.lexicon)
    keeps = resume and not said.as_json and is_file(output)
    with (
        resumable_predictions(output if keeps else None, fitted, model, [repr(depends_on)], said.quiet) as judge,
        progress("documents", quiet=said.silent or at_terminal) as step,
    ):
        tally = Tally(step, all_candidates=all_candidates)
        read = tally.counted(settled_after(judge(chain.from_iterable(one.stream() for one in given))))
        read = _refusing(read, tally, fitted, using.types, shown)
        if said.as_json:
            print_json(list(rows_of(read, with_single)))
        else:
            title = f"Relations in {', '.join(one.name if one != STANDARD_STREAM else 'text' for one in input)}"
            write_predictions(read, output, to_format, title=title, model=fitted, with_single=with_single)
    counts = tally.counts
    if not counts.entities and fitted.parses.uses_pipeline:
        said.note(_no_entities(fitted, shown))
    elif using.types is not None and not counts.candidates:
        said.note(f"no two entities that --types {using.types} lets relate; {_types_met(tally, fitted)}")
    elif output != STANDARD_STREAM:
        said.note(f"{counts.accepted_text} in {counts.documents:,} documents written to {output}")
        if tally.single and not with_single and to_format is None and row_format(output) in TABLE_FORMATS:
            said.note(f"{tally.single:,} of them are about one participant, and not in the table (--with-single)")
        if why := why_below_half(counts.below_half, fitted.decision.threshold.strategy):
            said.note(why)
    if tally.accepts_suspiciously_many:
        warning(
            f"{counts.relations:,} of {counts.candidates:,} candidates were accepted, which is suspiciously many; read a "
            "sample, and raise the threshold (--threshold 0.8), or say what you expect (relhash adapt … --expect 0.2)"
        )
    if using.threshold is None and (difference := tally.unlike(fitted)):
        share = " --expect 0.2" if fitted.decision.threshold.fraction is None else ""  # no share that could be kept
        said.note(
            f"this text looks unlike what the model was adapted to: {difference}; its threshold may be wrong here "
            f"(relhash adapt {model} {input[0]} -o MODEL2{share} moves it)",
        )
    for one in given:
        one.remark(quiet=said.quiet)


def _check_holds_probabilities(output: Path, to_format: str | None) -> None:
    """Refuse a corpus format that has no place for what a prediction says beside the relation itself."""
    from relhash.corpus.formats import format_by_name, format_for_output
    from relhash.errors import OutputError

    chosen = format_by_name(to_format) if to_format else format_for_output(output)
    if not chosen.holds_attributes:
        raise OutputError(
            f"{output}: {chosen.name} has no place for the probability of a relation; write a table (.tsv, .xlsx, .html, …), "
            "BioC (.bioc.json, .bioc.xml), or brat (the name of a new folder)"
        )


def _refusing(read: Read, tally: Tally, fitted: FittedModel, types: str | None, path: str) -> Read:
    """The same; an error at the end if nothing can have been found: no entities in annotated text, a misspelt type."""
    from relhash.candidates import parse_types
    from relhash.language.entities import KNOWN_TYPES

    yield from read
    if not tally.counts.entities and not fitted.parses.uses_pipeline:
        raise StructureError(_no_entities(fitted, path))
    known = {*KNOWN_TYPES, *map(entity_type, fitted.card["entity_types"]), *tally.types}
    wanted = {name for pair in parse_types(types) for name in pair} if types is not None else set()
    unknown = sorted(name for name in wanted if entity_type(name) not in known)
    if unknown and not tally.counts.candidates:
        raise ParameterError(f"--types: there is no type {', '.join(map(repr, unknown))} here; {_types_met(tally, fitted)}")


def _types_met(tally: Tally, fitted: FittedModel) -> str:
    learned = ", ".join(sorted(set(map(entity_type, fitted.card["entity_types"]))))
    return f"the text has entities of type {', '.join(sorted(tally.types)) or '–'}, the model learned from {learned}"


def _no_entities(fitted: FittedModel, path: str) -> str:
    """What to say when not one entity was met, so that nothing can have been found."""
    from relhash.model.reading.reader import REMEDY

    if fitted.parses.uses_pipeline:
        return f"{path}: no entity was recognised in this text; names that the pipeline does not know can be given (--lexicon)"
    return f"{path}: no entities are annotated in this text, so there is nothing to relate; for raw text {REMEDY}"
