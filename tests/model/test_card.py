"""The model card."""

from __future__ import annotations

import json

import pytest

from relhash.model.card import card_summary, card_text
from relhash.model.model_file import find_model, read_manifest, shipped_models


def test_card_says_what_it_was_made_from(rich_model):
    card = rich_model.model_.card
    json.dumps(card, allow_nan=False)
    text = card_text(card)
    assert f"{card['training']['labelled']} labelled candidates" in text
    assert "parses:" in text
    assert card["training_side"]["auc"] > 0.5


def test_the_card_tells_whether_the_model_was_adapted(small_model, abstracts):
    card = dict(small_model.model_.card)
    assert card["adapted_to"]["documents"] > 0
    assert "without labels" in card_text(card)
    assert "not adapted to other text" in card_text({**card, "adapted_to": None})


def test_what_to_expect_of_raw_text_comes_first(small_model):
    rows = {"rows": 120, "judgeable": 0.5, "precision": 0.81}
    few = {"rows": 3, "judgeable": 0.0, "precision": None}
    figures = [{"corpus": "HPRD50", "recall": 0.6, "accepted": rows, "confident": few}]
    measured = {"calibrated_on": {"rows": 200, "read": 150, "bel": 50}, "figures": figures}
    first, second = [
        line for line in card_text({**small_model.model_.card, "raw_text": measured}).splitlines() if line.startswith("- ")
    ][:2]
    assert first == (
        "- raw text, HPRD50: finds 60% of the relations; of 120 rows the annotation can judge 50%, 81% of these are right "
        "(probability ≥ .9: 3 rows, –)"
    )
    assert second.endswith("calibrated on 200 judged rows (150 read by language models, 50 of BEL)")
    both = {
        "raw_text": {**measured, "figures_of_both": [{**figures[0], "recall": 0.7}]},
        "second_reader": {"encoder": "e", "weight": 1.0},
    }
    assert "finds 70% of the relations" in card_text({**small_model.model_.card, **both})
    assert "raw text" not in card_text(small_model.model_.card)


def test_a_threshold_below_one_half_is_explained(small_model):
    card = dict(small_model.model_.card)
    low, high = (card_text({**card, "rows": {**card["rows"], "lowest": value}}) for value in (0.31, 0.62))
    assert "from probability 0.31 on) of the text it was adapted to (as many as the threshold's rule wants" in low
    assert "however probable they are" not in high


def test_five_lines_say_what_a_person_wants_to_know(small_model):
    lines = card_summary(small_model.model_.card, "m.relhash").splitlines()
    assert len(lines) == 5
    assert f"{small_model.model_.card['training']['labelled']:,} labelled pairs" in lines[0]
    assert "relhash info m.relhash" in lines[4]


@pytest.mark.parametrize("name", shipped_models())
def test_the_card_of_every_model_that_ships_can_be_shown(name):
    """relhash info ppi ended in a KeyError."""
    assert "candidates" in card_text(read_manifest(find_model(name))["card"])
