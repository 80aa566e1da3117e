"""Descriptors raw and as bits."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import StructureSet
from relhash.candidates.descriptors import COLUMNS
from relhash.errors import ModelFileError
from relhash.learn import DescriptorBitsPart, RawDescriptorsPart, Text


def text(table, columns=("p", "q")) -> Text:
    return Text(StructureSet({"descriptors": np.asarray(table, np.float32)}, columns={"descriptors": columns}))


def test_raw_descriptors_are_the_table():
    seen = text([[0, 5], [1, 7]])
    part = RawDescriptorsPart().fit(seen)
    assert part.columns == ["p", "q"]
    assert part.transform(seen).toarray().tolist() == [[0, 5], [1, 7]]


def test_bits_are_cut_where_both_texts_have_values():
    alone = DescriptorBitsPart().fit(text([[0, 5], [1, 5]]))
    assert alone.columns == ["p > 0.50"]
    both = DescriptorBitsPart().fit(text([[0, 5], [1, 5]]), text([[0, 9], [0, 5]]))
    assert both.columns == ["p > 0.50", "q > 7.00"]
    assert both.transform(text([[1, 5], [0, 9]])).toarray().tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("kind", [RawDescriptorsPart, DescriptorBitsPart])
def test_a_model_made_with_other_descriptors_is_refused(kind):
    table = np.arange(2.0 * len(COLUMNS)).reshape(2, -1)
    part = kind().fit(text(table, COLUMNS))
    again = kind.from_arrays(part.to_arrays(), part.parameters, None)
    assert again.columns == part.columns
    other = kind().fit(text([[0, 5], [1, 7]]))
    with pytest.raises(ModelFileError, match="other descriptors"):
        kind.from_arrays(other.to_arrays(), other.parameters, None)
