from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from drawn_sentences import draw
from hypothesis import given
from test_views import documents

from relhash.corpus import CandidatePair, Sentence
from relhash.structures import CandidatePolicy, candidates, descriptors
from relhash.structures.descriptors import COLUMNS, label_kinds, stem_groups


def describe(document, number=0):
    return dict(zip(COLUMNS, descriptors(list(candidates([document]))[number : number + 1])[0].tolist(), strict=True))


SENTENCE = draw(
    "Ras ( p21 ) does not bind the inhibitory subunit of Raf and MEK",
    "Ras appos p21, bind nsubj Ras, bind aux does, bind neg not, bind dobj subunit, subunit amod inhibitory, subunit det the, "
    "subunit prep_of Raf, subunit prep_of MEK, Raf conj_and MEK",
    ["Ras", "p21", "Raf", "MEK"],
    tags="NN -LRB- NN -RRB- VBZ RB VB DT JJ NN IN NN CC NN",
)


def test_the_columns_of_a_sentence_that_one_can_read():
    row = describe(SENTENCE, 1)  # Ras and Raf
    counts = {"log_entities": 4, "log_entities_between": 1, "log_words_between": 10, "log_words_before": 0,
              "log_words_after": 2, "log_path_nodes": 2, "log_steps_up": 1, "log_steps_down": 2,
              "log_path_entities": 0, "comma_between": 0}  # fmt: skip
    for name, count in counts.items():
        assert row[name] == pytest.approx(np.log1p(count)), name
    holds = {"parenthesis_between", "negation_between", "negation_near", "followed_by_parenthesis", "has_path",
             "path_subject", "path_object", "path_preposition", "top_verb", "path_negation", "binding_between", "binding_path",
             "inhibition_between", "part_of_between", "part_of_path"}  # fmt: skip
    facts = {name for name, value in row.items() if value == 1.0}
    assert facts == holds
    assert row["binding_closeness"] == pytest.approx(1 / 6)


def test_coordination_apposition_and_neighbours():
    raf_and_mek = describe(SENTENCE, 5)
    assert raf_and_mek["coordination_between"] == raf_and_mek["path_coordination"] == raf_and_mek["followed_by_and"] == 1
    assert raf_and_mek["top_participant"] == 1
    ras_p21 = describe(SENTENCE, 0)
    assert ras_p21["path_apposition"] == ras_p21["unclosed_parenthesis_between"] == 1


def test_names_that_are_equal_nested_or_share_a_token():
    same = describe(draw("Ras binds ras", names=["Ras", "ras"]))
    assert same["same_name"] == 1
    shared = describe(draw("the Ras/Raf complex", "complex nn Ras/Raf", ["Ras", "Raf"]))
    assert (shared["shared_token"], shared["nested"], shared["has_path"], shared["followed_by_hyphen"]) == (1, 0, 0, 1)
    nested = draw("IL-2 receptor", "receptor nn IL-2", ["IL-2", "IL-2 receptor"])
    nested = describe(replace(nested, candidates=(CandidatePair("p", "T1", "T2"),)))
    assert (nested["nested"], nested["adjacent"]) == (1, 1)


def test_without_a_parse_only_the_columns_of_the_path_are_zero():
    bare = replace(SENTENCE, sentences=(Sentence("s", 0, len(SENTENCE.text)),))
    with_parse, without = describe(SENTENCE, 1), describe(bare, 1)
    differing = {name for name in COLUMNS if with_parse[name] != without[name]}
    assert differing
    assert all("path" in name or "top" in name or "steps" in name for name in differing)


def test_words_inside_names_are_no_trigger_words():
    document = draw("Ras and binding protein near Raf", names=["Ras", "binding protein", "Raf"])
    assert describe(document, 1)["binding_between"] == 0


def test_labels_of_all_schemes_have_kinds():
    assert label_kinds("prep_by") == ("agent", "preposition")
    assert label_kinds("nsubj:pass") == ("passive_subject",)
    assert label_kinds("nsubjpass") == ("passive_subject",)
    assert label_kinds("obl:in") == label_kinds("prep_in") == label_kinds("prepc_in") == label_kinds("pobj") == ("preposition",)
    assert label_kinds("conj_and") == ("coordination",)
    assert label_kinds("acl:relcl") == ("clause",)
    assert stem_groups("<E1>") == ()


@given(documents())
def test_rows_are_finite_and_do_not_depend_on_neighbours(document):
    found = list(candidates([document], CandidatePolicy(self_pairs=True)))
    together = descriptors(found)
    assert together.dtype == np.float32
    assert together.shape == (len(found), len(COLUMNS))
    assert np.isfinite(together).all()
    np.testing.assert_array_equal(together, np.concatenate([descriptors([c]) for c in found]))


def test_columns_have_unique_names_and_no_rows_give_an_empty_table():
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert descriptors([]).shape == (0, len(COLUMNS))
