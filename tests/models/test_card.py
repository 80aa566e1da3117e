"""The model card."""

from __future__ import annotations

import json

from relhash.models.card import card_text


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
