"""The candidates that a protocol tests, with their gold labels and documents: what cells are judged by.

Written beside the cells, so that figures, intervals and differences can be computed again without the corpora.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.errors import DataMissingError
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.protocols import Task
from relhash.files import replacing

TESTS = ".tests.json.gz"


@dataclass(frozen=True, eq=False)
class TestSet:
    """One test set: a direction, or a fold of one."""

    __test__ = False  # not for pytest

    direction: str
    fold: int
    keys: Sequence[str]
    y: NDArray[np.bool_]
    documents: NDArray[Any]

    @classmethod
    def of(cls, dataset: Dataset, task: Task) -> TestSet:
        """The test set of a task."""
        keys = [dataset.candidates[row].key for row in task.test]
        return cls(task.direction, task.fold, keys, dataset.y[task.test], dataset.documents[task.test])


def write_tests(path: Path, protocol: str, tests: Sequence[TestSet], about: dict[str, Any]) -> None:
    """Write test sets, and ``about``: what else is to be said with the tables."""
    stored = []
    for test in tests:
        names, place = np.unique(test.documents, return_inverse=True)
        stored.append(
            {
                "direction": test.direction, "fold": test.fold, "keys": list(test.keys), "documents": names.tolist(),
                "document_of": place.tolist(), "n": int(test.y.size),
                "gold": base64.b64encode(np.packbits(test.y).tobytes()).decode(),
            }
        )  # fmt: skip
    text = json.dumps({"protocol": protocol, **about, "tests": stored}, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, "wb") as handle:
        handle.write(gzip.compress(text.encode(), 9, mtime=0))


def read_tests(path: Path) -> tuple[dict[str, Any], list[TestSet]]:
    """The inverse of :func:`write_tests`."""
    try:
        stored = json.loads(gzip.decompress(path.read_bytes()))
        tests = [
            TestSet(
                one["direction"],
                one["fold"],
                one["keys"],
                np.unpackbits(np.frombuffer(base64.b64decode(one["gold"]), np.uint8), count=one["n"]).astype(bool),
                np.array(one["documents"])[one["document_of"]],
            )
            for one in stored.pop("tests")
        ]
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise DataMissingError(f"{path}: not a file of test sets ({error}); run the benchmark again with -o") from error
    return stored, tests
