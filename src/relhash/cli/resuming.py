"""A command that was ended goes on where it was: what it keeps on the way, what it says of that, and when that is removed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from relhash.cli.console import note

if TYPE_CHECKING:
    from relhash.corpus import Document
    from relhash.models import FittedModel, Prediction
    from relhash.models.fitting.work import FitWork

    Annotate = Callable[[Iterable[Document]], Iterator[tuple[Document, list[Prediction]]]]


@contextmanager
def resumable_fit(output: Path | None, quiet: bool) -> Iterator[FitWork | None]:
    """Where the stages of a fit are kept: in a folder beside ``output``, until the model is there."""
    if output is None:
        yield None
        return
    from relhash.models.fitting.work import FitWork, work_beside

    work = FitWork(work_beside(output))
    if work.folder.is_dir():
        note(f"going on with what an earlier run has left in {work.folder} (--no-resume starts anew)", quiet=quiet)
    try:
        yield work
    except BaseException:
        work.close()
        if work.folder.is_dir():
            note(f"finished stages are kept in {work.folder}: the same command goes on from there", quiet=quiet)
        raise
    if work.recalled:
        note(f"taken from the earlier run: {', '.join(work.recalled)}", quiet=quiet)
    work.remove()


@contextmanager
def resumable_predictions(
    output: Path | None, fitted: FittedModel, model: Path, settings: list[Any], quiet: bool
) -> Iterator[Annotate]:
    """What judges documents: the model, with a journal beside ``output`` until that is complete; without one, the model alone.

    ``settings`` are all options that a row may depend on, beside the file of the ``model``.
    """
    if output is None:
        yield lambda documents: fitted.annotate(documents, all_candidates=True)
        return
    from relhash.files import check_empty, digest_of
    from relhash.models.prediction_journal import PredictionJournal, journal_beside
    from relhash.models.shipped import find_model

    path = journal_beside(output)
    journal = PredictionJournal(path, fitted, [digest_of(find_model(model)), *settings])
    if journal.n_found:
        found = f"{journal.n_found:,} documents that an earlier run has done"
        note(f"going on after {found} (--no-resume starts anew)", quiet=quiet)
    try:
        if not journal.n_found:
            check_empty(output)
        yield journal.annotate
    except BaseException:
        journal.close()
        if journal.n_found:
            note(f"{journal.n_found:,} documents are kept in {path}: the same command goes on from there", quiet=quiet)
        raise
    journal.remove()
