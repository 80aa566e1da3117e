"""The ranking of meanings, before anybody looks at the text around a name."""

import pytest

from relhash.biomed.names.senses import Senses
from relhash.biomed.names.table import shipped_names


@pytest.fixture(scope="module")
def senses():
    return Senses(shipped_names())


def ids(senses, name, kind="protein"):
    return {concept.id for concept in senses.of(name, kind).concepts}


def test_a_symbol_beats_an_alias(senses):
    assert ids(senses, "FAS") == {"HGNC:11920"}  # FASN has the alias FAS


def test_the_way_of_writing_tells_a_gene_from_a_family(senses):
    assert ids(senses, "MKKS") == {"HGNC:7108"}
    assert ids(senses, "MKKs") == {"FPLX:MAP2K"}


def test_equally_sure_meanings_all_stay(senses):
    assert len(ids(senses, "p40")) > 1


def test_types_are_kept_apart(senses):
    assert ids(senses, "water", "chemical") == {"CHEBI:15377"}
    assert ids(senses, "water", "disease") == set()
    assert ids(senses, "asthma", "disease") == {"MESH:D001249"}


@pytest.mark.parametrize(
    "word", ["rest", "Rest", "was", "impact", "protein", "kinase", "zinc finger protein", "55-kDa protein"]
)
def test_words_are_no_genes(senses, word):
    assert ids(senses, word) == set()


def test_capitals_make_the_gene(senses):
    assert ids(senses, "REST") == {"HGNC:9966"}


def test_a_kinase_of_a_kinase_is_another(senses):
    assert ids(senses, "JAK2 kinase") == {"HGNC:6192"}
    assert "FPLX:MEK" not in ids(senses, "MEK kinase")


@pytest.mark.parametrize("name", ["p65 RelA", "RelA/p65"])
def test_two_names_side_by_side_agree(senses, name):
    assert ids(senses, name) == {"HGNC:9955"}


def test_two_names_that_disagree_are_unknown(senses):
    assert ids(senses, "p50/p65") == set()
