"""The work folder of a fit: finished stages on disk, so that a fit that was killed ends with the very model it would have made.

Parses are kept document by document, hash functions one by one, feature parts and the decision as a whole. Everything belongs
to one key of input and settings (:mod:`relhash.models.fitting.key`); parses, which are found by their text, serve any fit.
Nothing here is a pickle, every record has its checksum, and what is damaged is made again.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.journal import Journal, installed_program
from relhash.language.kept_parses import KeptParses
from relhash.language.parse_cache import ParseCache

_NOTES = "notes"
_MARK = "relhash-work"
"""A file that tells a folder of ours from one that only has its name."""
_PARSES = "parses"


def work_beside(output: Path) -> Path:
    """Where the stages of a fit are kept until its model is there.

    >>> work_beside(Path("models/mine.relhash")).as_posix()
    'models/mine.relhash.work'
    """
    return output.with_name(f"{output.name}.work")


class FitWork:
    """A folder of stages (:class:`relhash.features.stages.Stages`).

    Parameters
    ----------
    folder
        The folder; it is made if it is not there.
    key
        Input and settings; stages of another key are made anew.
    prefix
        Before the name of each stage.

    Attributes
    ----------
    recalled
        Names of the stages that were found, in order.
    """

    def __init__(self, folder: str | os.PathLike[str], key: str = "", prefix: str = "") -> None:
        self.folder, self.key, self.prefix = Path(folder), key, prefix
        self.recalled: list[str] = []
        self._journals: list[Journal] = []

    def of(self, key: str) -> FitWork:
        """The same folder for a fit with this key."""
        return self._like(key, self.prefix)

    def below(self, name: str) -> FitWork:
        return self._like(self.key, f"{self.prefix}{name}-")

    def _like(self, key: str, prefix: str) -> FitWork:
        other = FitWork(self.folder, key, prefix)
        other.recalled, other._journals = self.recalled, self._journals
        return other

    def parses(self, cache: ParseCache | None) -> KeptParses:
        """A cache that keeps parses here, too; several processes may share it."""
        self._make()
        folder = self.folder.absolute() / _PARSES  # workers of a cluster may stand elsewhere
        if found := sum(1 for _ in folder.glob("??/*")):
            self.recalled.append(f"{found:,} parses")
        return KeptParses(folder, cache)

    def journal(self, name: str) -> Journal:
        journal = self._open(name, self.key)
        if journal.n_found:
            self.recalled.append(f"{journal.n_found:,} trials of {name}")
        return journal

    def recall(self, name: str) -> tuple[dict[str, NDArray[Any]], dict[str, Any]] | None:
        with self._open(name, self.key) as journal:
            if not journal.n_found:
                return None
            with np.load(io.BytesIO(journal[0]), allow_pickle=False) as archive:
                arrays = {key: archive[key] for key in archive.files}
        self.recalled.append(name)
        return arrays, json.loads(str(arrays.pop(_NOTES)))

    def keep(self, name: str, arrays: Mapping[str, NDArray[Any]], notes: Mapping[str, Any]) -> None:
        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **{**arrays, _NOTES: np.array(json.dumps(dict(notes)))})
        with self._open(name, self.key) as journal:
            journal.cut(0)
            journal.append(buffer.getvalue())

    def close(self) -> None:
        """Let go of all files; the folder goes if nothing is in it."""
        for journal in self._journals:
            journal.close()
        self._journals.clear()
        if not any(self.folder.glob("*.journal")) and not (self.folder / _PARSES).is_dir():
            self.remove()

    def remove(self) -> None:
        """The model is written: forget all stages. Nothing but our own files is touched."""
        for journal in self._journals:
            journal.close()
        self._journals.clear()
        if (self.folder / _MARK).is_file():
            shutil.rmtree(self.folder, ignore_errors=True)

    def _make(self) -> None:
        if not self.folder.is_dir():
            self.folder.mkdir()
        (self.folder / _MARK).touch()

    def _open(self, name: str, key: str) -> Journal:
        self._make()
        journal = Journal(self.folder / f"{self.prefix}{name}.journal", f"{installed_program()} {key}")
        self._journals.append(journal)
        return journal
