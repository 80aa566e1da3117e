"""Keys of names: what is one name stays one, what differs stays apart."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.biomed.names.spelling import Case, case_of, name_key

SAME = [
    ("NF-kappaB", "NF-κB", "NF kappa B", "nf-kappab"),
    ("TNF-alpha", "TNFα", "TNF-α"),
    ("interleukin-2", "Interleukin 2", "INTERLEUKIN-2"),
    ("topoisomerase II", "topoisomerase 2", "Topoisomerase-II"),
    ("tumour necrosis factor", "tumor necrosis factor"),
    ("Ca2+", "Ca(2+)"),
]
APART = [("IL-1-2", "IL-12"), ("p53", "p5"), ("Stat3", "Stat5"), ("CD4", "CD4+"), ("IL-2", "IL-2R"), ("I kappa B", "1 kappa B")]


@pytest.mark.parametrize("names", SAME, ids=lambda names: names[0])
def test_ways_of_writing_one_name_have_one_key(names):
    assert len({name_key(name) for name in names}) == 1


@pytest.mark.parametrize("names", APART, ids=" / ".join)
def test_different_names_have_different_keys(names):
    assert len({name_key(name) for name in names}) == 2


@given(st.text())
def test_a_key_holds_only_what_the_table_can_store(name):
    key = name_key(name)
    assert "\n" not in key
    assert " " not in key
    assert not any(character in string.ascii_uppercase for character in key)


@given(st.from_regex(r"[A-Za-z]{2,6}[- ]?[0-9]{0,2}", fullmatch=True))
def test_case_and_hyphens_do_not_matter(name):
    assert name_key(name) == name_key(name.upper()) == name_key(name.replace("-", " "))


@pytest.mark.parametrize(
    ("name", "case"),
    [("insulin", Case.LOWER), ("p53", Case.LOWER), ("Stat3", Case.CAPITALISED), ("IL-2", Case.UPPER), ("hTERT", Case.MIXED)],
)
def test_how_a_name_is_written(name, case):
    assert case_of(name) is case
