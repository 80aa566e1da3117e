"""Tables as text, and the document of the first row of the plainest one."""

from __future__ import annotations

from pathlib import Path

import relhash
from relhash.corpus import Argument, CandidatePair, Document, Mention, Relation

TNF_BINDS_P53 = Document(
    "a:2",
    "TNF binds p53.",
    mentions=(Mention("T1", "entity", ((0, 3),), "TNF"), Mention("T2", "entity", ((10, 13),), "p53")),
    relations=(Relation("R1", "interaction", (Argument("e1", "T1"), Argument("e2", "T2"))),),
    candidates=(CandidatePair("P1", "T1", "T2"),),
)


def read_table(folder: Path, content: str, name: str = "a.csv") -> tuple[Document, ...]:
    """The documents of a table with this content."""
    (folder / name).write_text(content, encoding="utf-8", newline="")
    return relhash.read(folder / name).documents
