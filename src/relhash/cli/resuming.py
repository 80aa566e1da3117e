"""A command that was ended goes on where it was: what it keeps on the way, what it says of that, and when that is removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.cli.console import note
from relhash.errors import ParameterError

if TYPE_CHECKING:
    from relhash.corpus import Document
    from relhash.model import FittedModel
    from relhash.model.streaming import Portion

    Judge = Callable[[Iterable[Document]], Iterator[Portion]]


@contextmanager
def resumable_predictions(
    output: Path | None, fitted: FittedModel, model: Path, settings: list[Any], quiet: bool
) -> Iterator[Judge]:
    """What judges documents: the model, with a journal beside ``output`` until that is complete; without one, the model alone.

    ``settings`` are all options that a row may depend on, beside the file of the ``model``.
    """
    if output is None:
        from relhash.model.streaming import portions

        yield lambda documents: portions(fitted, documents)
        return
    from relhash.files import check_empty, digest_of
    from relhash.model.prediction_journal import PredictionJournal, journal_beside
    from relhash.model.shipped import find_model

    path = journal_beside(output)
    journal = PredictionJournal(path, fitted, [digest_of(find_model(model)), *settings])
    if journal.kept:
        note(f"going on after {journal.kept} that an earlier run has done (--no-resume starts anew)", quiet=quiet)
    try:
        if not journal.kept:
            check_empty(output)
        yield journal.portions
    except ParameterError:  # the same command would end so again
        journal.remove()
        raise
    except BaseException:
        journal.close()
        if journal.kept:
            note(f"what was done ({journal.kept}) is kept in {path}: the same command goes on from there", quiet=quiet)
        raise
    journal.remove()
