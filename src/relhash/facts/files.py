"""Facts to a file, in the format that its suffix asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from relhash.errors import ParameterError
from relhash.facts.cytoscape import write_cytoscape
from relhash.facts.graphml import write_graphml
from relhash.facts.merging import Fact
from relhash.facts.page import write_page
from relhash.facts.picture import write_picture
from relhash.facts.sif import write_sif
from relhash.facts.table import FACT_COLUMNS, fact_row
from relhash.files import check_place, replacing
from relhash.models.tables import TABLE_FORMATS, check_writable, row_format, write_rows
from relhash.registry import Registry

Writer = Callable[[Sequence[Fact], IO[bytes], str], int]

FACT_FORMATS: Registry[Writer] = Registry(
    "format of pairs",
    "relhash.fact_formats",
    {"html": write_page, "svg": write_picture, "graphml": write_graphml, "cyjs": write_cytoscape, "sif": write_sif},
)
"""Suffix → function that writes facts; every other format of tables works too."""


def write_facts(facts: Sequence[Fact], path: Path, *, title: str = "") -> int:
    """Write facts, complete or not at all, and count them; ``-`` prints a TSV."""
    kind = row_format(path)
    check_facts_writable(path, kind)
    if kind not in FACT_FORMATS:
        return write_rows(map(fact_row, facts), path, kind, FACT_COLUMNS, title=title)
    with replacing(path, "wb") as handle:
        return FACT_FORMATS[kind](facts, handle, title)


def check_facts_writable(path: Path, kind: str) -> None:
    """An error for a file that cannot be written, before anything is read."""
    if kind not in FACT_FORMATS:
        if kind not in TABLE_FORMATS:
            names = ", ".join(f".{name}" for name in dict.fromkeys([*TABLE_FORMATS, *FACT_FORMATS]))
            raise ParameterError(f"{path}: pairs cannot be written as {kind!r}; there are {names}")
        check_writable(path, kind)
    elif path.suffix.lower() == ".gz":
        raise ParameterError(f"{path}: .{kind} is not gzipped; leave out .gz")
    else:
        check_place(path)
