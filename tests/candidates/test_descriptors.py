from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from relhash.candidates import PairPolicy, StructureSet, build_structures, candidates, descriptors
from relhash.candidates.descriptors import COLUMNS, is_fact
from relhash.corpus import Sentence
from tests.candidates.any_sentences import documents
from tests.candidates.description.described import SENTENCE, describe


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


def test_without_a_parse_only_the_columns_of_path_and_tags_are_zero():
    bare = replace(SENTENCE, sentences=(Sentence("s", 0, len(SENTENCE.text)),))
    with_parse, without = describe(SENTENCE, 1), describe(bare, 1)
    differing = {name for name in COLUMNS if with_parse[name] != without[name]}
    assert differing
    of_tags = {"log_verbs_between", "log_nouns_between"}
    assert all("path" in name or "top" in name or "steps" in name for name in differing - of_tags)


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


def test_columns_have_unique_names_and_no_rows_give_an_empty_table():
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert descriptors([]).shape == (0, len(COLUMNS))
