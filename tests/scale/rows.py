"""The rows of a dataset and of one process, to be compared."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from relhash.model import FittedModel
from relhash.model.tables import read_rows
from relhash.model.tables.columns import table_columns
from tests.cli.running import exit_code


def rows_in(folder: Path) -> list[dict[str, Any]]:
    return [row for _, row in read_rows(folder)]


def local_rows(model: Path, inputs: Iterable[Path]) -> list[dict[str, Any]]:
    fitted, columns = FittedModel.load(model, cache=False), table_columns()
    rows = [one.as_row() for path in inputs for one in fitted.predict(path, all_candidates=True)]
    return [{name: row[name] for name in columns} for row in rows]


def predict(model: Path, *arguments: str | Path) -> int:
    return exit_code("predict", model, *arguments, "--engine", "dask", "--quiet", "--all")
