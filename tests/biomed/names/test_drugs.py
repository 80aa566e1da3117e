"""Drugs by the end of their names."""

from __future__ import annotations

import pytest

from relhash.biomed.names.drugs import is_a_drug, may_name_drugs
from relhash.biomed.names.table import shipped_names


@pytest.mark.parametrize("word", ["imatinib", "Gefitinib", "trametinib", "irinotecan", "rivaroxaban", "cetuximab"])
def test_drugs(word: str) -> None:
    assert may_name_drugs(f"We gave {word}.")
    assert is_a_drug(word, shipped_names())


@pytest.mark.parametrize("word", ["April", "somatostatin", "cholesterol", "histidine", "xyztinib", "imatinib-resistant", ""])
def test_other_words(word: str) -> None:
    assert not is_a_drug(word, shipped_names())
