"""Rows as predict makes them, some of them nasty."""

from __future__ import annotations

from typing import Any

COLUMNS = [
    "document", "entity1", "type1", "start1", "end1", "ids1", "entity2", "type2", "start2", "end2", "ids2", "relation",
    "probability", "assertion", "is_relation", "evidence", "sentence", "marked", "directed", "model", "model_version",
]  # fmt: skip


def row(**changes: Any) -> dict[str, Any]:
    """RAF1 binds to MEK1, but for the changes."""
    return {
        "document": "d1", "entity1": "RAF1", "type1": "protein", "start1": 0, "end1": 4, "ids1": "HGNC:9829",
        "entity2": "MEK1", "type2": "protein", "start2": 14, "end2": 18, "ids2": "", "relation": "interaction",
        "probability": 0.93, "assertion": "asserted", "is_relation": True, "evidence": "RAF1 — binds to — MEK1",
        "sentence": "RAF1 binds to MEK1.", "marked": "[E1]RAF1[/E1] binds to [E2]MEK1[/E2].", "directed": False,
        "model": "ppi", "model_version": "2026-11-17-530a0db8", **changes,
    }  # fmt: skip


FORMULAS = ["=HYPERLINK(0)", "+1", "-catenin", "@SUM(1)", "\t=1", "\r=1", "'=1", "''-x", "'tis", "#N/A", "{=1}"]
