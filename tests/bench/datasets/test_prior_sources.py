"""Sources of priors: protein pairs of one type, without papers that are tested."""

from __future__ import annotations

import relhash
from relhash.bench.systems.prior_votes import INTERACTION, PRIOR_SOURCES, judged_pairs, protein_pairs, read_prior_source
from tests.corpus.test_nero import table


def test_only_sentences_with_pairs_of_proteins_are_left(tmp_path):
    rows = [("Ras", "binds", "Raf", "Ras binds Raf."), ("MEK", "binds", "ERK", "Then MEK binds ERK."), ("p53", "", "", "p53.")]
    (tmp_path / "nero.txt").write_text(table(*rows).replace("MEK\tGP", "MEK\tChemical"))
    (document,) = protein_pairs(relhash.read(tmp_path / "nero.txt"))
    assert document.text == "Ras binds Raf."
    assert len(document.candidates) == len(document.relations) == 1
    document.check()


def test_pairs_of_any_types_stay_with_the_entities_that_somebody_judged(tmp_path):
    rows = [
        ("p53", "", "", "p53 was seen."),
        ("MEK", "binds", "ERK", "Then MEK binds ERK in DNA."),
        ("DNA", "", "", "Then MEK binds ERK in DNA."),
    ]
    (tmp_path / "nero.txt").write_text(table(*rows).replace("MEK\tGP", "MEK\tChemical"))
    (document,) = judged_pairs(relhash.read(tmp_path / "nero.txt"))
    assert document.text == "Then MEK binds ERK in DNA."
    assert [(mention.text, mention.type) for mention in document.mentions] == [("MEK", "chemical"), ("ERK", "protein")]
    assert len(document.candidates) == len(document.relations) == 1
    document.check()


def test_sentences_keep_their_places(tmp_path):
    rows = [("p53", "", "", "p53 was seen."), ("Ras", "binds", "Raf", "Ras binds Raf."), ("MEK", "cut", "ERK", "MEK cut ERK.")]
    (tmp_path / "nero.txt").write_text(table(*rows))
    (document,) = protein_pairs(relhash.read(tmp_path / "nero.txt"))
    assert document.text == "Ras binds Raf.\nMEK cut ERK."
    document.check()
    assert [document.text[one.start : one.end] for one in document.sentences] == ["Ras binds Raf.", "MEK cut ERK."]


def test_papers_of_a_test_set_are_left_out(tmp_path):
    (tmp_path / "nero").mkdir()
    rows = [("Ras", "binds", "Raf", "Ras binds Raf.", "9000001"), ("MEK", "cuts", "ERK", "MEK cuts ERK.", "9000002")]
    (tmp_path / "nero" / "annotation_results.txt.gz").write_text(table(*rows))
    tested = [relhash.corpus.Document("d", "", metadata={"origId": "9000002"})]
    (document,) = read_prior_source("nero", tmp_path, without_papers=[tested])
    assert (document.id, document.relations[0].type) == ("9000001", INTERACTION)


def test_every_source_states_its_licence():
    assert all(source.licence and source.cite for source in PRIOR_SOURCES.values())
