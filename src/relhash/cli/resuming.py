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
    """What judges documents: the model, with partitions beside ``output`` until that is complete; without one, the model alone.

    ``settings`` are all options that a row may depend on, beside the file of the ``model``.
    """
    if output is None:
        from relhash.model.streaming import portions

        yield lambda documents: portions(fitted, documents)
        return
    from relhash.files import check_empty, digest_of
    from relhash.model.kept_predictions import DOCUMENTS, KeptPredictions, kept_beside
    from relhash.model.shipped import find_model

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
