from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.corpus import CandidatePair, Sentence
from relhash.structures import PairPolicy, StructureSet, build_structures, candidates, descriptors
from relhash.structures.description.names import is_abbreviation, likeness
from relhash.structures.description.path import label_kinds
from relhash.structures.description.triggers import stem_groups
from relhash.structures.descriptors import COLUMNS, is_fact
from relhash.structures.scene import scenes
from tests.structures.drawn_sentences import draw
from tests.structures.test_views import documents


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
              "log_path_entities": 0, "comma_between": 0, "log_words": 14, "log_verbs_between": 2, "log_nouns_between": 1,
              "log_triggers_between": 3, "log_path_triggers": 2, "log_path_coordinations": 0, "log_names": 4,
              "log_same_name_elsewhere": 0, "log_distance": 11, "log_closer_to_either": 1, "log_closer_to_one": 2,
              "log_path_distance": 3, "log_path_closer_to_either": 1, "log_path_closer_to_one": 1}  # fmt: skip
    for name, count in counts.items():
        assert row[name] == pytest.approx(np.log1p(count)), name
    holds = {"parenthesis_between", "negation_between", "negation_near", "followed_by_parenthesis", "has_path",
             "path_subject", "path_object", "path_preposition", "top_verb", "path_negation", "binding_between", "binding_path",
             "inhibition_between", "part_of_between", "part_of_path", "starts_sentence", "between:of", "before_last:of",
             "after_last:and", "path_two_words", "top_trigger", "top_root"}  # fmt: skip
    facts = {name for name, value in row.items() if value == 1.0}
    assert facts == holds
    assert row["binding_closeness"] == pytest.approx(1 / 6)
    assert row["name_shared_start"] == pytest.approx(2 / 3)  # Ra
    assert row["name_likeness"] == pytest.approx(1 / 5)  # #ra of #ra, ras, as#, raf, af#


def test_coordination_apposition_and_neighbours():
    raf_and_mek = describe(SENTENCE, 5)
    assert raf_and_mek["coordination_between"] == raf_and_mek["path_coordination"] == raf_and_mek["followed_by_and"] == 1
    assert raf_and_mek["top_participant"] == 1
    assert raf_and_mek["path_only_lists"] == raf_and_mek["path_one_step"] == raf_and_mek["trigger_just_before"] == 1
    ras_p21 = describe(SENTENCE, 0)
    assert ras_p21["path_apposition"] == ras_p21["unclosed_parenthesis_between"] == ras_p21["path_only_lists"] == 1


def test_what_announces_a_pair():
    document = draw("interaction between Ras and Raf ; MEK", names=["Ras", "Raf", "MEK"])
    row = describe(document)
    assert row["between_just_before"] == row["trigger_just_before"] == row["before_last:and"] == 1
    assert row["clause_sign_between"] == row["before_first:and"] == row["starts_sentence"] == 0
    assert describe(document, 2)["clause_sign_between"] == 1  # Raf ; MEK


def test_a_name_that_stands_nearer_a_second_time():
    document = draw("Ras was seen and ras binds Raf", names=["Ras", "ras", "Raf"])
    far, near = describe(document, 1), describe(document, 2)
    assert (far["same_name_closer"], near["same_name_closer"]) == (1, 0)
    assert far["log_same_name_elsewhere"] == near["log_same_name_elsewhere"] == pytest.approx(np.log1p(1))
    assert far["log_names"] == pytest.approx(np.log1p(2))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("tumor necrosis factor", "TNF", True),
        ("TNF-alpha", "tumor necrosis factor alpha", True),
        ("interleukin-2", "IL-2", True),
        ("IL-2", "IL-4", False),
        ("IL-2 receptor", "IL-2", True),  # by its letters; that one is inside the other is a column of its own
        ("insulin", "IGF", False),
        ("actin", "", False),
    ],
)
def test_abbreviations(first, second, expected):
    assert is_abbreviation(first, second) is is_abbreviation(second, first) is expected


@given(st.text(max_size=20), st.text(max_size=20))
def test_likeness_is_symmetric_and_within_bounds(first, second):
    values = likeness(first, second)
    assert values == likeness(second, first)
    assert all(0 <= value <= 1 for value in values)
    assert likeness(first, first)[0] == 1


def test_names_that_are_equal_nested_or_share_a_token():
    same = describe(draw("Ras binds ras", names=["Ras", "ras"]))
    assert same["same_name"] == 1
    shared = describe(draw("the Ras/Raf complex", "complex nn Ras/Raf", ["Ras", "Raf"]))
    assert (shared["shared_token"], shared["nested"], shared["has_path"], shared["followed_by_hyphen"]) == (1, 0, 0, 1)
    nested = draw("IL-2 receptor", "receptor nn IL-2", ["IL-2", "IL-2 receptor"])
    nested = describe(replace(nested, candidates=(CandidatePair("p", "T1", "T2"),)))
    assert (nested["nested"], nested["adjacent"]) == (1, 1)


def test_without_a_parse_only_the_columns_of_path_and_tags_are_zero():
    bare = replace(SENTENCE, sentences=(Sentence("s", 0, len(SENTENCE.text)),))
    with_parse, without = describe(SENTENCE, 1), describe(bare, 1)
    differing = {name for name in COLUMNS if with_parse[name] != without[name]}
    assert differing
    of_tags = {"log_verbs_between", "log_nouns_between"}
    assert all("path" in name or "top" in name or "steps" in name for name in differing - of_tags)


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
    found = list(candidates([document], PairPolicy(self_pairs=True)))
    together = descriptors(found)
    assert together.dtype == np.float32
    assert together.shape == (len(found), len(COLUMNS))
    assert np.isfinite(together).all()
    assert np.isin(together[:, [is_fact(name) for name in COLUMNS]], (0, 1)).all()
    built = build_structures(found, ["descriptors"]) if found else None
    if built is not None:  # kept in less memory, and the same numbers
        np.testing.assert_array_equal(built["descriptors"], together)
        np.testing.assert_array_equal(
            StructureSet.concatenate([built[1:], built[:1]])["descriptors"], np.roll(together, -1, axis=0)
        )
    np.testing.assert_array_equal(together, np.concatenate([descriptors([c]) for c in found]))


@given(documents())
def test_closer_entities_are_those_that_one_counts(document):
    found = list(candidates([document], PairPolicy(self_pairs=True)))
    for scene, row in zip(scenes(found), descriptors(found), strict=True):
        stage, value = scene.stage, dict(zip(COLUMNS, row.tolist(), strict=True))
        pair = scene.candidate.mentions

        def gap(one, two, stage=stage):
            return max(
                stage.tokens_of(two)[0] - stage.tokens_of(one)[-1], stage.tokens_of(one)[0] - stage.tokens_of(two)[-1], 0
            )

        closer = sorted(sum(gap(own, m) < gap(*pair) for m in stage.mentions if m.id != own.id) for own in pair)
        assert value["log_closer_to_either"] == pytest.approx(np.log1p(closer[0]))
        assert value["log_closer_to_one"] == pytest.approx(np.log1p(closer[1]))
        if stage.is_parsed:
            steps = stage.graph.distances(stage.tokens_of(pair[0]))
            reached = [steps[token] for token in stage.tokens_of(pair[1]) if steps[token] >= 0]
            assert value["log_path_distance"] == pytest.approx(np.log1p(min(reached, default=30)))


def test_columns_have_unique_names_and_no_rows_give_an_empty_table():
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert descriptors([]).shape == (0, len(COLUMNS))
