"""Where the relations go that ``relhash predict`` finds: a table, a corpus, or the terminal of a person."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.cli.console import console
from relhash.files import STANDARD_STREAM
from relhash.visible import visible

if TYPE_CHECKING:
    from rich.text import Text

    from relhash.models import Prediction
    from relhash.models.streaming import Portion

    Read = Iterator[Portion]


def write_predictions(read: Read, output: Path, to_format: str | None, *, title: str) -> None:
    """Write what is found in the format of ``output``."""
    from relhash.models.prediction import with_predictions
    from relhash.models.tables import TABLE_FORMATS, row_format, write_rows
    from relhash.models.tables.columns import table_columns

    kind = row_format(output)
    if to_format is None and output == STANDARD_STREAM:
        if sys.stdout.isatty():
            _show(prediction for portion in read for prediction in portion.predictions)
        else:
            write_rows(rows_of(read), output, "tsv", table_columns())
    elif to_format is None and kind in TABLE_FORMATS:
        write_rows(rows_of(read), output, kind, table_columns(), title=title)
    else:
        from relhash.corpus import write
        from relhash.models.streaming import whole

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


def rows_of(read: Read) -> Iterator[dict[str, Any]]:
    """One row per prediction."""
    return (prediction.as_row() for portion in read for prediction in portion.predictions)


def _show(predictions: Iterable[Prediction]) -> None:
    """For a person at a terminal: two lines per relation, as they are found."""
    from rich.text import Text

    from relhash.cli.evidence_text import path_text, sentence_text
    from relhash.language.assertion import Assertion

    out = console()
    found = 0
    for prediction in predictions:
        shown = prediction.evidence
        found += 1
        probability = Text(f"{prediction.probability:.2f}", "green" if prediction.is_relation else "red")
        relation, document = visible(prediction.relation), visible(shown.document)
        assertion = "" if prediction.assertion is Assertion.ASSERTED else f"{prediction.assertion}  "
        title = Text.assemble(
            probability, f"  {relation}  ", (assertion, "yellow"), (document, "dim"), "  ", sentence_text(shown)
        )
        out.print(title, soft_wrap=True)
        out.print(Text.assemble("      ", _told(prediction, path_text(shown))), soft_wrap=True)
    if not found:
        out.print("no relations above the threshold (--all shows every candidate)", style="dim")


def _told(prediction: Prediction, path: Text) -> Text:
    """What joins the participants: of an interaction who does what to whom, and by which word; of a pair the path."""
    from rich.text import Text

    from relhash.models.tables.columns import evidence_words

    trigger = prediction.candidate.trigger
    if trigger is None:
        return path
    return Text.assemble((visible(evidence_words(prediction)), "bold"), (f"  “{visible(trigger.text)}”", "dim"))
