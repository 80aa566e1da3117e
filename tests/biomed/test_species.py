"""Whose genes a text is about."""

import re
import time

import pytest

from relhash.biomed.species import Species, SpeciesOf, shipped_rule, shipped_words, species_at


@pytest.mark.parametrize(
    ("text", "name", "species"),
    [
        ("RAF1 binds MEK1.", "RAF1", Species.HUMAN),
        ("Stat1 in knockout mice.", "Stat1", Species.MOUSE),
        ("Il6 of rats with shock", "Il6", Species.RAT),
        ("STAT1 in mice and in patients", "STAT1", Species.HUMAN),
        ("Il6 of mice, mice and one rat", "Il6", Species.MOUSE),
        ("IL-6 is expressed in Jurkat cells and murine fibroblasts", "IL-6", Species.HUMAN),
        ("Rpd3 of Drosophila melanogaster", "Rpd3", Species.OTHER),
        ("TBP binds to TFIID of yeast", "TBP", Species.OTHER),
        ("a yeast two-hybrid screen with RAF1", "RAF1", Species.HUMAN),
        ("MEK1 of HeLa and NIH 3T3 cells", "MEK1", Species.HUMAN),
        ("Mek1 of NIH-3T3 cells", "Mek1", Species.MOUSE),
        ("human RAF1 in Xenopus oocytes", "RAF1", Species.HUMAN),
        ("corporate strategy for RAF1", "RAF1", Species.HUMAN),  # no rat in it
        ("AKT1 of bovine liver", "AKT1", Species.HUMAN),  # has no list
    ],
)
def test_what_a_text_is_about(text, name, species):
    assert SpeciesOf(text, [(text.index(name), name)])(text.index(name), name) is species


def test_the_word_at_the_name_counts():
    text = "Human and murine IL-3 differ; rat Fas and Fas."
    assert species_at(text, text.index("IL-3"), "IL-3") is Species.MOUSE
    assert species_at(text, text.index("Fas"), "Fas") is Species.RAT
    assert species_at(text, text.rindex("Fas"), "Fas") is None
    assert species_at(text, 0, "human RAF1") is Species.HUMAN


def test_how_a_document_writes_symbols_speaks_for_its_species():
    text = "We used human and mouse cells."
    names = ["Stat1", "Stat3", "Jak2", "Socs1"]
    of_mice, of_man = (SpeciesOf(text, [(0, name) for name in own]) for own in (names, [name.upper() for name in names]))
    rule = shipped_rule()
    assert rule.probability(of_mice.hints(0, "Stat1")) < rule.probability(of_man.hints(0, "STAT1"))


def test_the_sentence_of_a_name_counts():
    text = "We looked at mice and patients. STAT1 was lost in mice. STAT1 was lost in patients."
    first, second = (SpeciesOf(text, [(place, "STAT1")]).hints(place, "STAT1") for place in (32, text.rindex("STAT1")))
    assert shipped_rule().probability(first) < shipped_rule().probability(second)


def test_a_name_is_one_gene_in_the_whole_text():
    text = "Mice lacking IL-10 had colitis. In mice and mouse cells. Patients had more IL-10. Human IL-10 was measured."
    starts = [found.start() for found in re.finditer("IL-10", text)]
    species = SpeciesOf(text, [(start, "IL-10") for start in starts])
    alone = [SpeciesOf(text, [(start, "IL-10")]).hints(start, "IL-10") for start in starts]
    assert alone[0] != alone[1]
    assert species(starts[0], "IL-10") is species(starts[1], "IL-10")
    assert species(starts[2], "IL-10") is Species.HUMAN  # the word says so


def test_of_a_text_without_sentences_no_name_reads_all():
    text = "mouse Stat1 human " * 20_000
    starts = [found.start() for found in re.finditer("Stat1", text)]
    names = [(start, f"Stat{number}") for number, start in enumerate(starts)]
    species = SpeciesOf(text, names)
    began = time.process_time()
    for start, name in names:
        species.hints(start, name)
    assert time.process_time() - began < 10  # if each name reads all, minutes


def test_every_group_of_words_has_weights():
    groups = {hint.rpartition(" in text")[0] for hint in shipped_rule().weights} - {""}
    assert groups == set(shipped_words().groups.values())
