"""What raw text adds to a decision: hints of names, and of pairs that are only named together."""

from __future__ import annotations

import numpy as np
import pytest

import relhash
from relhash.candidates.candidate import Candidate
from relhash.corpus import Document, Mention
from relhash.learn.end_to_end import EndToEnd
from relhash.model.reading.found_names import FEWEST, judged_names, names_of, with_one_cut


def accepted(text: str) -> set[tuple[str, str]]:
    return {(row["entity1"], row["entity2"]) for row in (one.as_row() for one in relhash.load("ppi").predict(text))}


def test_a_name_that_is_part_of_a_stretch_of_dna_makes_a_row_far_less_probable_and_says_so():
    model = relhash.load("ppi")
    (bare,), (site,) = (
        model.predict(text, all_candidates=True)
        for text in ("Stat5 binds to IL-2.", "Stat5 binds to the IL-2 response element.")
    )
    assert bare.is_relation
    assert not site.is_relation
    assert site.as_row()["modifier2"] == "site"


def test_a_binding_site_for_a_protein_is_not_the_protein():
    assert accepted("The Ah receptor recognizes BSAP.")
    assert not accepted("The Ah receptor recognizes binding sites for BSAP.")


@pytest.mark.parametrize("said", ["We asked whether RAF1 binds MEK1.", "RAF1 does not bind MEK1.", "RAF1 may bind MEK1."])
def test_what_a_sentence_does_not_state_is_less_probable(said):
    model = relhash.load("ppi")
    (stated,), (unstated,) = (model.predict(text, all_candidates=True) for text in ("RAF1 binds MEK1.", said))
    assert unstated.probability < stated.probability


def test_a_name_that_is_known_as_a_drug_is_doubted():
    [candidate] = relhash.load("ppi").candidates("Nutlin-3 activates p53.")
    names = names_of([candidate])
    assert names.hints[0, :, names.of_names.index("other thing")].tolist() == [True, False]
    assert not accepted("Nutlin-3 activates p53.")


def test_a_pathway_with_two_names_makes_no_row_of_them():
    assert accepted("Activation of the Janus kinase 3-STAT5a complex after triggering of CD40.") >= {
        ("Janus kinase 3", "STAT5a")
    }
    assert ("Janus kinase 3", "STAT5a") not in accepted(
        "Activation of the Janus kinase 3-STAT5a pathway after triggering of CD40."
    )


def test_hints_of_names_in_their_text():
    [candidate] = relhash.load("ppi").candidates("Stat5 binds to the IL-2 response element.")
    names = names_of([candidate])
    said = [[hint for hint, has in zip(names.of_names, own, strict=True) if has] for own in names.hints[0]]
    assert said == [["id"], ["id", "site"]]
    assert not names.pair_hints[0, :-2].any()


def test_a_rule_sees_how_many_names_and_words_a_sentence_has_and_those_on_the_path():
    [candidate] = relhash.load("ppi").candidates("RAF1 phosphorylates MEK1.")
    names = names_of([candidate])
    assert names.of_pairs[-2:] == ("names", "words")
    assert np.exp(names.pair_hints[0, -2:]).round(6).tolist() == [2, 12]  # no sentence is shorter, as far as a rule sees
    assert names.words == [("phosph",)]


def test_a_short_form_whose_long_form_is_no_protein_is_doubted():
    text = "Zorbal tertiary modulators (ZTM) were found. MEK1 binds to ZTM."
    spans = [(text.rindex(name), text.rindex(name) + len(name)) for name in ("MEK1", "ZTM")]
    mentions = tuple(Mention(f"T{n}", "protein", (span,), text[slice(*span)], certainty=0.7) for n, span in enumerate(spans))
    names = names_of([Candidate(Document("d", text, mentions=mentions), 0, mentions, ("e1", "e2"))])
    assert names.hints[0, :, names.of_names.index("explained otherwise")].tolist() == [False, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("JAK1 or JAK2", ["near", "series"]),
        ("RAF1, unlike MEK1 of the same cells, activates ERK2", ["one between"]),
        ("RAF1, unlike MEK1 and TP53 of the same cells, activates ERK2", ["several between"]),
    ],
)
def test_how_two_names_stand_is_a_hint(text, expected):
    names = ("RAF1", "MEK1", "TP53", "ERK2", "JAK1", "JAK2")
    places = sorted((text.index(name), name) for name in names if name in text)
    mentions = tuple(Mention(name, "protein", ((at, at + 4),), name, certainty=0.9) for at, name in places)
    pair = Candidate(Document("d", text, mentions=mentions), 0, (mentions[0], mentions[-1]), ("e1", "e2"))
    found = names_of([pair])
    said = {hint for hint, has in zip(found.of_pairs, found.pair_hints[0], strict=True) if has}
    assert said & {"near", "one between", "several between", "series", "twin"} == set(expected)


def test_only_a_rule_that_was_fitted_to_read_rows_doubts_a_pair():
    [candidate] = relhash.load("ppi").candidates("the Jak-STAT pathway")
    rules = EndToEnd(), EndToEnd(pair_hints={"pathway": -3.0})
    (plain, _), (fitted, _) = (judged_names(rule, names_of([candidate]), np.array([0.9]), np.array([True])) for rule in rules)
    assert fitted[0] < 0.5 < plain[0] / names_of([candidate]).certainties.prod()


def test_no_candidates_have_no_names():
    assert names_of([]).certainties.shape == (0, 0)


class TestOneCut:
    def test_as_many_rows_are_accepted_as_before_and_none_below_one_that_is_not(self):
        found = relhash.load("ppi").candidates(
            [Document(str(n), "RAF1 binds to MEK1, and ABCx binds to ERK2.") for n in range(20)]
        )
        rng = np.random.default_rng(0)
        pairs = rng.random(len(found))
        labels = pairs > 0.6
        before, accepted = judged_names(EndToEnd(), names_of(found), pairs, labels)
        assert accepted.any()
        rule = with_one_cut(EndToEnd(), names_of(found), pairs, labels)
        after, cut = judged_names(rule, names_of(found), pairs, labels)
        assert after.tolist() == before.tolist()
        assert cut.sum() == accepted.sum()
        assert after[cut].min() > after[~cut].max()
        assert before[accepted].min() < after[cut].min()  # there was something to repair

    def test_short_text_annotated_names_and_a_fitted_rule_change_nothing(self):
        found = relhash.load("ppi").candidates("RAF1 binds to MEK1.")
        assert with_one_cut(EndToEnd(), names_of(found), np.array([0.9]), np.array([True])) == EndToEnd()
        many = relhash.load("ppi").candidates([Document(str(n), "RAF1 binds to MEK1.") for n in range(FEWEST)])
        nothing = np.zeros(FEWEST, bool)
        assert with_one_cut(EndToEnd(), names_of(many), np.full(FEWEST, 0.1), nothing) == EndToEnd()
        fitted = EndToEnd(threshold=0.4)
        assert with_one_cut(fitted, names_of(many), np.full(FEWEST, 0.9), ~nothing) == fitted


def test_twenty_names_in_a_row_are_no_stronger_a_statement_than_eight():
    """How many names a sentence has says something up to where rows were judged: rows of lists were accepted."""
    eight = "RAF1 MEK1 ERK2 STAT3 JAK2 MDM2 EGFR GRB2"
    twenty = f"{eight} AKT1 PTEN BRAF SOS1 SRC FYN LCK LAT CD28 CTLA4 CXCR4 CCR5"
    few, many = (names_of(list(relhash.load("ppi").candidates(f"{names}."))) for names in (eight, twenty))
    assert np.exp(few.pair_hints[:, -2]).round(6).tolist() == [8] * len(few.words)
    assert np.exp(many.pair_hints[:, -2]).round(6).tolist() == [8] * len(many.words)
    assert accepted(f"{twenty}.") == set()
