"""Genes that a chromosome joined."""

from __future__ import annotations

import pytest

from relhash.biomed.names.fusions import are_a_fusion


@pytest.mark.parametrize(
    ("first", "second"),
    [("BCR", "ABL"), ("bcr", "abl1"), ("PML", "RAR alpha"), ("PML", "RARα"), ("CBF-beta", "MYH11"), ("EWS", "Fli-1")],
)
def test_known_fusions_however_they_are_written(first: str, second: str) -> None:
    assert are_a_fusion(first, second)


@pytest.mark.parametrize(
    ("first", "second"), [("ABL", "BCR"), ("CDC42", "WASP"), ("Fas", "FasL"), ("BCR", "CD19"), ("", "ABL")]
)
def test_others_are_two_things(first: str, second: str) -> None:
    assert not are_a_fusion(first, second)
