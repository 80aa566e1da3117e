"""Rows of raw text by what is known of their names: ids, human genes, modifiers, and a recogniser of one's own."""

from __future__ import annotations

import relhash
from relhash.language.annotation import PredictedMention

PROMOTER = "NF-kappa B binds to the human IL-2 promoter, and Xyz9 binds to MEK1."


def rows(model, text):
    return [one.as_row() for one in model.predict(text, all_candidates=True)]


def test_only_grounded_names_are_related():
    model = relhash.load("ppi")
    assert any(not row["ids1"] or not row["ids2"] for row in rows(model, PROMOTER))
    grounded = rows(model.only_grounded(), PROMOTER)
    assert grounded
    assert all(row["ids1"] and row["ids2"] for row in grounded)


def test_a_row_says_what_of_a_gene_is_meant():
    [row] = [row for row in rows(relhash.load("ppi"), PROMOTER) if (row["entity1"], row["entity2"]) == ("NF-kappa B", "IL-2")]
    assert (row["modifier1"], row["modifier2"]) == ("", "promoter")
    assert row["ids2"] == "HGNC:6001"


def test_mouse_genes_have_the_human_gene_beside_them():
    row = rows(relhash.load("ppi"), "Stat1 binds to Stat3 in mice.")[0]
    assert (row["ids1"], row["human1"]) == ("MGI:103063", "HGNC:11362")


def test_the_whole_name_of_a_shortened_one():
    found = rows(relhash.load("ppi"), "TIMP1 inhibits MMP-2 and -9.")
    assert {("TIMP1", "MMP-2"), ("TIMP1", "MMP-9")} <= {(row["entity1"], row["entity2"]) for row in found}


def test_a_recogniser_of_ones_own():
    def found(text):
        place = text.index("zorb")
        return [PredictedMention(place, place + 4, "Gene", ("X:1",), 0.9)]

    own = rows(relhash.load("ppi", recogniser=found), "The zorb binds to MEK1.")
    assert [(row["entity1"], row["ids1"], row["entity2"]) for row in own] == [("zorb", "X:1", "MEK1")]
    assert not rows(relhash.load("ppi"), "The zorb binds to MEK1.")
