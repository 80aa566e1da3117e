"""docs/baselines.md names every baseline (that its Python runs: tests/test_docs.py)."""

from __future__ import annotations

from pathlib import Path

from relhash.baselines import BASELINES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "baselines.md"


def test_the_page_names_every_baseline():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in BASELINES if f"`{name}`" not in text] == []
