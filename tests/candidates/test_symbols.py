from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates import is_symbol
from relhash.candidates.symbols import NUMBER, edge_down, edge_up, entity_class, normalise_word, role_symbol, type_symbol


@given(st.text(min_size=1, max_size=12))
def test_a_word_never_looks_like_a_symbol(text):
    word = normalise_word(text)
    assert word
    assert word == NUMBER or not is_symbol(word)


@given(st.text(alphabet=st.characters(categories=["Ll", "Lu", "Nd"]), min_size=1, max_size=12))
def test_roles_types_and_edges_are_symbols(name):
    assert all(is_symbol(symbol(name)) for symbol in (role_symbol, type_symbol, edge_up, edge_down))
    assert edge_up(name) != edge_down(name)


def test_numerals_are_one_class():
    for text in ("5", "0.05", "1,000", "-3", "10%", "2.5e-3", "±7", "1:20", "<0.001"):
        assert normalise_word(text) == NUMBER, text
    for text in ("p53", "IL-2", "14-3-3", "2b", "twofold"):
        assert normalise_word(text) == text.lower()


def test_names_of_genes_and_proteins_are_one_class():
    names = ["Protein", "GENE", "Individual_protein", "Gene/protein/RNA", "gene_or_gene_product"]
    assert {entity_class(name) for name in names} == {"protein"}
    assert entity_class("Drug") == entity_class("chemical")
    assert entity_class("Tissue") == "tissue"
