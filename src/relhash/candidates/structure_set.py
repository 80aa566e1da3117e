"""Several views of the same candidates, side by side, and how they are made of candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from relhash.candidates.candidate import Candidate
from relhash.candidates.paths import PathSet, as_index
from relhash.candidates.scene import Scene, scenes
from relhash.candidates.view import CompactTable
from relhash.candidates.views import view as view_named
from relhash.errors import ParameterError, StructureError


class StructureSet:
    """Several named views of the same candidates, each a :class:`PathSet` or a dense array of descriptors.

    Examples
    --------
    >>> paths = PathSet.from_sequences([["a"], ["b", "c"]])
    >>> structures = StructureSet({"path": paths, "descriptors": np.eye(2)}, columns={"descriptors": ("near", "far")})
    >>> len(structures), structures.names, structures[[1]]["path"][0]
    (2, ('path', 'descriptors'), ['b', 'c'])
    """

    def __init__(
        self,
        views: Mapping[str, PathSet | CompactTable | NDArray[Any]],
        *,
        columns: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.views: dict[str, PathSet | CompactTable | NDArray[np.float32]] = {
            name: view if isinstance(view, PathSet | CompactTable) else np.ascontiguousarray(view, dtype=np.float32)
            for name, view in views.items()
        }
        self.columns: dict[str, tuple[str, ...]] = {name: tuple(given) for name, given in (columns or {}).items()}
        if not self.views:
            raise StructureError("StructureSet: at least one view is needed")
        sizes = {name: view.shape[0] for name, view in self.views.items()}
        if len(set(sizes.values())) > 1:
            raise StructureError(f"StructureSet: views differ in their number of candidates: {sizes}")
        for name, view in self.views.items():
            if isinstance(view, np.ndarray) and view.ndim != 2:
                raise StructureError(f"StructureSet: view {name!r} must be a PathSet or a table, not {view.ndim}-dimensional")
        for name, columns_of in self.columns.items():
            if name not in self.views or isinstance(self.views[name], PathSet) or self.views[name].shape[1] != len(columns_of):
                raise StructureError(f"StructureSet: column names of view {name!r} do not fit it")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.views)

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)

    def __len__(self) -> int:
        return int(next(iter(self.views.values())).shape[0])

    @overload
    def __getitem__(self, key: str) -> PathSet | NDArray[np.float32]: ...
    @overload
    def __getitem__(self, key: slice | Sequence[int] | NDArray[Any]) -> StructureSet: ...
    def __getitem__(self, key: Any) -> Any:
        """A name gives a view; a slice, a mask or an array of indices selects candidates in all views."""
        if isinstance(key, str):
            if key not in self.views:
                raise StructureError(f"no view {key!r}; there are {', '.join(self.views)}")
            found = self.views[key]
            return found.dense() if isinstance(found, CompactTable) else found
        if isinstance(key, int | np.integer):
            raise StructureError("a StructureSet is indexed by a view's name or by a slice, mask or array of candidates")
        index = as_index(key)
        return StructureSet({name: view[index] for name, view in self.views.items()}, columns=self.columns)

    def __repr__(self) -> str:
        return f"StructureSet({len(self)} candidates; views: {', '.join(self.views)})"

    @classmethod
    def concatenate(cls, parts: Iterable[StructureSet]) -> StructureSet:
        parts = list(parts)
        if not parts:
            raise StructureError("StructureSet: nothing to concatenate")
        first = parts[0]
        for part in parts[1:]:
            if part.names != first.names or part.columns != first.columns:
                raise StructureError(f"StructureSet: views differ: {first.names} and {part.names}")
        return cls({name: _joined([part.views[name] for part in parts]) for name in first.names}, columns=first.columns)


def _joined(views: Sequence[PathSet | CompactTable | NDArray[Any]]) -> PathSet | CompactTable | NDArray[Any]:
    """One view of several sets, their rows one after the other."""
    if isinstance(views[0], PathSet):
        return PathSet.concatenate([view for view in views if isinstance(view, PathSet)])
    if all(isinstance(view, CompactTable) for view in views):
        return CompactTable.concatenate([view for view in views if isinstance(view, CompactTable)])
    return np.concatenate([view.dense() if isinstance(view, CompactTable) else np.asarray(view) for view in views])


DEFAULT_VIEWS = ("path+edges", "between", "descriptors")


def build_structures(candidates: Iterable[Candidate | Scene], views: Sequence[str] = DEFAULT_VIEWS) -> StructureSet:
    """Structures of ``candidates``, one row each, in the views named.

    Candidates are taken one at a time, so they may come from a generator over a corpus of any size; those of a sentence should
    follow each other. To read evidence as well, prepare the scenes once and give these: ``list(scenes(candidates))``.

    Parameters
    ----------
    candidates
        Candidates, or their scenes (:func:`relhash.candidates.scene.scenes`).
    views
        Names of views (see :mod:`relhash.candidates.views`).

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
    chosen = {name: view_named(name) for name in names}
    collectors = {name: one.collector() for name, one in chosen.items()}
    adders = [collector.add for collector in collectors.values()]
    for scene in scenes(candidates):
        for add in adders:
            add(scene)
    return StructureSet(
        {name: collector.build() for name, collector in collectors.items()},
        columns={name: one.columns for name, one in chosen.items() if one.columns is not None},
    )
