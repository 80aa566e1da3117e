"""The shipped model of interactions, from raw text to rows and events."""

from __future__ import annotations

from pathlib import Path

import pytest

import relhash
from relhash.model import FittedModel
from relhash.model.answers.teaching import Teaching
from relhash.model.model_file import shipped_models
from relhash.model.prediction import with_predictions


@pytest.fixture(scope="module")
def model() -> FittedModel:
    return FittedModel.load("events", cache=False)


def test_it_is_small_and_says_what_it_was_made_from(model: FittedModel) -> None:
    assert shipped_models()["events"].stat().st_size < 5_000_000
    assert (shipped_models()["events"].parent / "README.md").exists()


def test_who_does_what_to_whom(model: FittedModel) -> None:
    rows = [one.as_row() for one in model.predict("IKKbeta phosphorylates RPS3 in cells. PTEN activates Cdc42.")]
    assert [row["evidence"] for row in rows] == ["IKKbeta — phosphorylates → RPS3", "PTEN — activates → Cdc42"]
    assert [(row["role1"], row["role2"], row["trigger"]) for row in rows] == [
        ("cause", "theme", "phosphorylates"),
        ("cause", "theme", "activates"),
    ]


def test_a_denied_interaction_is_left_out_unless_it_is_asked_for(model: FittedModel) -> None:
    """It came out as a phosphorylation, and as a regulation by the word "does"."""
    text = "IKKbeta does not phosphorylate RPS3 in cells."
    assert model.predict(text) == []
    rows = [one.as_row() for one in model.keeping("negated").predict(text)]
    assert [(row["evidence"], row["assertion"]) for row in rows] == [("IKKbeta — does not phosphorylate → RPS3", "negated")]


def test_what_is_denied_of_two_is_not_said_of_one_of_them(model: FittedModel) -> None:
    """A phosphorylation of MEK1 came out, asserted, because those by RAF1 and BRAF had been left out before."""
    text = "Neither RAF1 nor BRAF phosphorylates MEK1."
    assert model.predict(text) == []
    denied = [one.as_row()["evidence"] for one in model.keeping("negated").predict(text)]
    assert denied == ["RAF1 — does not phosphorylate → MEK1", "BRAF — does not phosphorylate → MEK1"]


def test_events_are_nested_in_standoff(model: FittedModel, tmp_path: Path) -> None:
    ((document, found),) = model.annotate([relhash.Document("d", "IL-4 induced expression of FOXP3 in T cells.")])
    relhash.write([with_predictions(document, found)], tmp_path / "out", "bionlp")
    events = [line.split("\t")[1] for line in (tmp_path / "out" / "d.a2").read_text().splitlines() if line[0] == "E"]
    assert [event.split(":")[0] for event in events] == ["Gene_expression", "Positive_regulation"]
    assert "Theme:E1" in events[1]


def test_teaching_starts_from_what_the_model_says(model: FittedModel) -> None:
    """Types have thresholds of their own, and decisions of one sentence fit together; answers alone had neither."""
    text = "IL-4 induced expression of FOXP3 in T cells. IKKbeta phosphorylates RPS3. PTEN activates Cdc42 and binds to Ras."
    found = model.predict(text, all_candidates=True)
    taught = Teaching.of(model, text).taught({})
    assert taught.accepted.tolist() == [one.is_relation for one in found]
    assert any(taught.accepted)
