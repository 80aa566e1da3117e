"""From candidates to arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from relhash.errors import ParameterError
from relhash.structures.candidate import Candidate
from relhash.structures.scene import Scene, scenes
from relhash.structures.structure_set import StructureSet
from relhash.structures.views import view

DEFAULT_VIEWS = ("path+edges", "between", "descriptors")


def build_structures(
    candidates: Iterable[Candidate | Scene], views: Sequence[str] = DEFAULT_VIEWS, *, lemmas: bool = False
) -> StructureSet:
    """Structures of ``candidates``, one row each, in the views named.

    Candidates are taken one at a time, so they may come from a generator over a corpus of any size; those of a sentence should
    follow each other, as :func:`relhash.structures.candidates` yields them. Whoever needs more than the structures
    (the evidence, say) prepares the scenes once and gives these: ``prepared = list(scenes(candidates))``.

    Parameters
    ----------
    candidates
        Candidates, or their scenes (:func:`relhash.structures.scene.scenes`).
    views
        Names of views (see :mod:`relhash.structures.views`).
    lemmas
        Show words by their lemma where the source gives one. Scenes show them as they were prepared.

    Examples
    --------
    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> candidate = Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"))
    >>> structures = build_structures([candidate], ["between", "descriptors"])
    >>> structures["between"][0], structures["descriptors"].shape[1] == len(structures.columns["descriptors"])
    (['<E1>', 'binds', '<E2>'], True)
    """
    names = [views] if isinstance(views, str) else list(views)
    if not names:
        raise ParameterError("views: name at least one")
    if len(set(names)) < len(names):
        raise ParameterError(f"views: {', '.join(names)} names one twice")
    chosen = {name: view(name) for name in names}
    collectors = {name: one.collector() for name, one in chosen.items()}
    adders = [collector.add for collector in collectors.values()]
    for scene in scenes(candidates, lemmas=lemmas):
        for add in adders:
            add(scene)
    return StructureSet(
        {name: collector.build() for name, collector in collectors.items()},
        columns={name: one.columns for name, one in chosen.items() if one.columns is not None},
    )
