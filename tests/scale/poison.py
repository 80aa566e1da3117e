"""A document that breaks the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from relhash.scale.job import Job
from relhash.scale.partitions import Partition, cut, find_files


def poisoned(path: Path, job: Job, method: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, Partition]:
    """The id of a document that ``method`` of the model cannot take any more, and all documents of its file."""
    fitted = type(job.loaded())
    whole = getattr(fitted, method)
    (file,) = find_files([path])
    ids = [document.id for document in file.documents()]

    def broken(self: Any, documents: Any, **options: Any) -> Any:
        documents = list(documents)
        if any(document.id == ids[3] for document in documents):
            raise ZeroDivisionError("too much")
        return whole(self, documents, **options)

    monkeypatch.setattr(fitted, method, broken)
    return ids[3], cut([file], [len(ids)], len(ids))[0]
