"""From candidates to arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from relhash.errors import ParameterError
from relhash.structures.candidates import Candidate
from relhash.structures.paths import PathSetBuilder, StructureSet
from relhash.structures.scene import scenes
from relhash.structures.views import view

__all__ = ["build_structures"]

DEFAULT_VIEWS = ("path+edges", "between")


def build_structures(
    candidates: Iterable[Candidate], views: Sequence[str] = DEFAULT_VIEWS, *, lemmas: bool = False
) -> StructureSet:
    """Structures of ``candidates``, one row each, in the views named.

    Candidates are taken one at a time, so they may come from a generator over a corpus of any size; those of a sentence should
    follow each other, as :func:`~relhash.structures.candidates` yields them.

    Parameters
    ----------
    views
        Names of views (see :mod:`relhash.structures.views`).
    lemmas
        Label words by their lemma where the source gives one.
    """
    names = [views] if isinstance(views, str) else list(views)
    if not names:
        raise ParameterError("views: name at least one")
    if len(set(names)) < len(names):
        raise ParameterError(f"views: {', '.join(names)} names one twice")
    columns = [(view(name).sequence, PathSetBuilder()) for name in names]
    for scene in scenes(candidates, lemmas=lemmas):
        for sequence, builder in columns:
            builder.append(sequence(scene))
    return StructureSet({name: builder.build() for name, (_, builder) in zip(names, columns, strict=True)})
