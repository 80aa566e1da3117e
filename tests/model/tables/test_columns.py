"""What a row says, seen by somebody who reads it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import relhash
from relhash.candidates import Candidate
from relhash.candidates.scene import scenes
from relhash.corpus import Document, Mention, Sentence
from relhash.model import Prediction
from relhash.model.prediction import ModelIdentity
from relhash.model.tables.columns import COLUMNS, Column, candidate_row, prediction_row, table_columns

TEXT = "Before. TNF and\nits receptor p55 bind."


def prediction(*mentions: Mention, roles=("e1", "e2"), directed=False) -> Prediction:
    document = Document("d1", TEXT, (Sentence("s0", 0, 7), Sentence("s1", 8, len(TEXT))), mentions)
    (scene,) = scenes([Candidate(document, 1, mentions, roles)])
    return Prediction(scene, "interaction", 0.123456789, 0.5, True, directed, ModelIdentity("mine", "2026"))


def mention(name: str, *texts: str, ids: tuple[str, ...] = ()) -> Mention:
    spans = tuple((TEXT.index(text), TEXT.index(text) + len(text)) for text in texts)
    return Mention(name, "protein", spans, " ".join(texts), ids)


def test_a_row_says_all_that_is_needed_to_judge_it():
    row = prediction_row(prediction(mention("T1", "TNF", ids=("HGNC:11892", "x")), mention("T2", "p55")))
    assert row == {
        "document": "d1",
        "entity1": "TNF", "type1": "protein", "start1": 8, "end1": 11, "ids1": "HGNC:11892;x",
        "entity2": "p55", "type2": "protein", "start2": 29, "end2": 32, "ids2": "",
        "relation": "interaction", "probability": 0.123457, "assertion": "asserted", "is_relation": True,
        "evidence": "TNF — and its receptor — p55",
        "sentence": "TNF and its receptor p55 bind.",
        "marked": "[E1]TNF[/E1] and its receptor [E2]p55[/E2] bind.",
        "directed": False,
        "role1": "", "role2": "", "trigger": "", "trigger_start": None, "trigger_end": None, "entity3": "", "start3": None,
        "end3": None, "ids3": "", "role3": "",
        "model": "mine", "model_version": "2026", "also1": "", "also2": "",
        "modifier1": "", "modifier2": "", "human1": "", "human2": "", "type_probability": 1.0,
        "statement": "", "sign": "", "perturbation": "",
        "path": "<E1> and its receptor <E2>",
        "participants": [
            {"role": "e1", "text": "TNF", "type": "protein", "spans": [[8, 11]], "ids": ["HGNC:11892", "x"]},
            {"role": "e2", "text": "p55", "type": "protein", "spans": [[29, 32]], "ids": []},
        ],
    }  # fmt: skip


def test_other_names_stand_with_their_participant_whatever_its_role():
    names = mention("T1", "TNF"), mention("T2", "p55")
    told = replace(prediction(*names, roles=("e2", "e1")), also=((mention("T3", "receptor"), mention("T4", "bind")), ()))
    row = prediction_row(told)
    assert (row["entity1"], row["also1"], row["entity2"], row["also2"]) == ("p55", "", "TNF", "receptor; bind")


def test_marks_follow_the_roles_and_may_be_nested_or_apart():
    swapped = prediction_row(prediction(mention("T1", "TNF"), mention("T2", "p55"), roles=("e2", "e1")))
    assert swapped["entity1"] == "p55"
    assert swapped["marked"] == "[E2]TNF[/E2] and its receptor [E1]p55[/E1] bind."
    nested = prediction(mention("T1", "receptor p55"), mention("T2", "p55"))
    assert prediction_row(nested)["marked"] == "TNF and its [E1]receptor [E2]p55[/E2][/E1] bind."
    apart = prediction_row(prediction(mention("T1", "TNF", "receptor"), mention("T2", "p55")))
    assert apart["marked"] == "[E1]TNF[/E1] and its [E1]receptor[/E1] [E2]p55[/E2] bind."
    assert (apart["start1"], apart["end1"]) == (8, 28)


def test_an_arrow_leads_to_the_second_participant():
    first, second = mention("T1", "TNF"), mention("T2", "p55")
    assert prediction_row(prediction(first, second, directed=True))["evidence"] == "TNF — and its receptor → p55"
    backward = prediction_row(prediction(first, second, roles=("e2", "e1"), directed=True))
    assert (backward["entity1"], backward["directed"]) == ("p55", True)
    assert (backward["role1"], backward["role2"]) == ("cause", "theme")
    assert backward["evidence"] == "TNF ← and its receptor — p55"


def test_an_interaction_names_its_trigger_its_roles_and_its_third_participant():
    names = (mention("T1", "TNF"), mention("T2", "receptor"), mention("T3", "p55"))
    word = Mention("Binding@33-37", "Binding", ((33, 37),), "bind", is_trigger=True)
    row = prediction_row(prediction(*names, word, roles=("cause", "theme", "theme2", "trigger"), directed=True))
    assert [row[f"entity{number}"] for number in (1, 2, 3)] == ["TNF", "receptor", "p55"]
    assert [row[f"role{number}"] for number in (1, 2, 3)] == ["cause", "theme", "theme2"]
    assert (row["trigger"], row["trigger_start"], row["trigger_end"]) == ("bind", 33, 37)
    assert row["evidence"] == "TNF — induces binding of → receptor and p55"
    alone = prediction_row(prediction(names[0], word, roles=("theme", "trigger")))
    assert (alone["entity1"], alone["entity2"], alone["start2"], alone["trigger"]) == ("TNF", "", None, "bind")


def test_a_registered_column_stands_in_every_row(monkeypatch):
    monkeypatch.setattr(COLUMNS, "_parts", dict(COLUMNS._parts))
    COLUMNS.register("length", Column(lambda prediction: len(prediction.relation), int))
    assert table_columns()[-1] == "length"
    assert prediction(mention("T1", "TNF"), mention("T2", "p55")).as_row()["length"] == 11


def test_lists_are_for_json():
    assert "participants" not in table_columns()
    assert table_columns()[0] == "document"


@pytest.mark.parametrize("roles", [("e1", "e2"), ("e2", "e1")])
def test_a_candidate_that_nobody_has_judged(roles):
    row = candidate_row(prediction(mention("T1", "TNF"), mention("T2", "p55"), roles=roles).candidate)
    assert list(row)[:3] == ["document", "entity1", "type1"]
    assert {row["entity1"], row["entity2"]} == {"TNF", "p55"}


def test_tables_have_no_columns_that_the_model_never_fills():
    pairs, interactions = table_columns(relhash.load("ppi")), table_columns(relhash.load("events"))
    assert {"trigger", "entity3", "role1", "type_probability"}.isdisjoint(pairs)
    assert {"trigger", "entity3", "role1"} <= set(interactions)
    assert set(interactions) <= set(table_columns())
