from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from relhash.codec import APART, FLAT, LATER, InArrays, InJson, pack_strings, unpack_strings
from relhash.errors import ModelFileError

# a lone surrogate (a PDF that somebody decoded wrongly) must survive as well
strings = st.lists(st.text(st.characters(blacklist_categories=())))


@given(strings)
def test_packed_strings_come_back(given_strings):
    packed = pack_strings(given_strings)
    assert packed.dtype == np.uint8
    assert unpack_strings(packed) == tuple(given_strings)


def test_the_last_character_of_unicode_comes_back_too():
    strings = ("a\U0010ffffb", "", "c")
    assert unpack_strings(pack_strings(strings)) == strings


@dataclass(frozen=True)
class Leaf(InJson):
    names: tuple[str, ...]
    bound: float = 1.0
    later: int | None = field(default=None, metadata=LATER)


@dataclass(frozen=True)
class Branch(InJson):
    leaves: Mapping[str, Leaf]
    pairs: tuple[tuple[str, float], ...] = ()


def test_settings_come_back_from_json():
    branch = Branch({"a": Leaf(("x", "y"), float("inf")), "b": Leaf((), later=3)}, (("p", 0.5),))
    written = json.loads(json.dumps(branch.to_dict()))
    assert written["leaves"]["a"] == {"names": ["x", "y"], "bound": None}  # programs before `later` read it, too
    assert Branch.from_dict(written) == branch


@pytest.mark.parametrize("given", [{"names": "x"}, {"names": [], "more": 1}, {"bound": 1.0}, {"names": [1]}, 3], ids=str)
def test_other_settings_are_refused(given):
    with pytest.raises(ModelFileError, match="Leaf"):
        Leaf.from_dict(given)


@dataclass(frozen=True, eq=False)
class Inner(InArrays):
    numbers: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Outer(InArrays):
    inner: Inner
    flat: Inner = field(metadata=FLAT)
    words: tuple[str, ...]
    parts: list[NDArray[np.float64]]
    kind: str = field(metadata=APART)


def test_arrays_come_back_by_their_names():
    outer = Outer(
        Inner(np.arange(2, dtype=np.int32)), Inner(np.arange(3, dtype=np.int32)), ("a",), [np.ones(2), np.zeros(1)], "k"
    )
    arrays = outer.to_arrays()
    assert sorted(arrays) == ["inner/numbers", "numbers", "parts.0", "parts.1", "words"]
    again = Outer.from_arrays(arrays, kind="k")
    assert (again.inner.numbers.size, again.flat.numbers.size, again.words, len(again.parts), again.kind) == (
        2,
        3,
        ("a",),
        2,
        "k",
    )
    with pytest.raises(ModelFileError, match="numbers is of the wrong kind"):
        Outer.from_arrays({**arrays, "numbers": np.array([0.5])}, kind="k")
