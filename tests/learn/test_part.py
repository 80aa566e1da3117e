"""The contract, seen by somebody who writes a part of her own."""

from __future__ import annotations

import pytest
from scipy import sparse

from relhash.candidates import PathSet, StructureSet
from relhash.errors import ParameterError
from relhash.learn import FEATURE_PARTS, FeaturePart, NgramPart, Text, to_part
from relhash.learn.codes import BitsPart


class LengthPart(FeaturePart):
    name = "length"
    views = ("between",)

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    def transform(self, text):
        return sparse.csr_matrix([[self.scale * len(words)] for words in text.sequences("between")])

    @property
    def columns(self):
        return ["words"]


def test_a_part_is_what_its_parameters_say():
    assert LengthPart(2.0) == LengthPart(2.0) != LengthPart()
    assert repr(LengthPart(2.0)) == "LengthPart(scale=2.0)"
    assert len({LengthPart(2.0), LengthPart(2.0)}) == 1
    assert LengthPart().to_dict() == {"name": "length", "parameters": {"scale": 1.0}}


def test_a_part_that_is_not_registered_is_refused_with_the_remedy():
    with pytest.raises(ParameterError, match=r"FEATURE_PARTS\.register\('length', LengthPart\)"):
        LengthPart().check()
    BitsPart().check()


def test_every_shipped_part_comes_back_from_its_record():
    for name in FEATURE_PARTS:
        part = to_part(name)
        assert to_part(part.to_dict()) == part
        part.check()
    assert to_part({"name": "ngrams", "parameters": {"views": ["a"], "sizes": [2]}}) == NgramPart(("a",), (2,))


def test_a_part_asks_for_views_of_the_right_kind():
    text = Text(StructureSet({"between": PathSet.from_sequences([["a"]])}))
    with pytest.raises(ParameterError, match="must be a table"):
        text.table("between")
    with pytest.raises(ParameterError, match="needs hash functions"):
        _ = text.bits
