"""Verdicts to a file: the rows as they came, with columns added; INDRA's statements with an annotation in each evidence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from relhash.files import STANDARD_STREAM, replacing
from relhash.model.checking.checked import ADDED, Checked
from relhash.model.checking.rows import Rows
from relhash.model.tables import row_format, write_rows

ANNOTATION = "relhash"
"""Under this name the verdict stands among the annotations of an evidence."""


def is_indra(path: Path) -> bool:
    """Whether the verdicts go back into INDRA's JSON."""
    return path.name.lower().endswith(".json")


def columns_of(rows: Rows) -> list[str]:
    """The columns of a table of verdicts: the verdict first where people read, then what the row had."""
    given = ("subject", "object", "type", "sentence") if rows.statements is not None else rows.columns
    return [*(name for name in given if name not in ADDED), *ADDED]


def write_checked(rows: Rows, found: Iterable[Checked], path: Path, *, title: str) -> int:
    """Write what was found for the groups of ``rows``, one row each, and count them; nothing is left out."""
    if rows.statements is not None and is_indra(path):
        count = 0
        for one in found:
            _annotate(one)
            count += 1
        with replacing(path, "wb") as handle:
            handle.write(json.dumps(rows.statements, indent=1, ensure_ascii=False).encode())
        return count
    kind = "jsonl" if path != STANDARD_STREAM and row_format(path) == "json" else row_format(path)
    return write_rows(_records(found, rows), path, kind, columns_of(rows), title=title)


def _records(found: Iterable[Checked], rows: Rows) -> Iterator[dict[str, Any]]:
    for one in found:
        yield record_of(one, is_indra=rows.statements is not None)


def record_of(one: Checked, *, is_indra: bool = False) -> dict[str, Any]:
    """The row of a claim with the columns that were added."""
    claim = one.claim
    given = {"subject": claim.subject, "object": claim.object, "type": claim.type, "sentence": claim.sentence}
    return {**(given if is_indra else dict(claim.row)), **one.columns()}


def _annotate(one: Checked) -> None:
    evidence = one.claim.row["evidence"]
    evidence.setdefault("annotations", {})[ANNOTATION] = one.columns()
