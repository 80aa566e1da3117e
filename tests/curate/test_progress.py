"""How far people are, and what their answers say."""

from __future__ import annotations

from relhash.curate.api import progress_of
from tests.curate.gold import answer_by_gold


def test_questions_drawn_at_random_tell_the_precision(client, teaching):
    replies = answer_by_gold(client, teaching, 15, order="random")
    found = replies[-1]["progress"]["precision"]
    assert 0 <= found["low"] <= found["value"] <= found["high"] <= 1
    assert found["n"] > 0


def test_the_page_knows_when_the_model_has_learned(client, curation, teaching):
    """The weight of the model was still 1 after 34 yes and 22 no, and the page went on saying that learning would start."""
    assert not progress_of(curation)["has_learned"]
    answer_by_gold(client, teaching, 30)
    curation.settled()
    assert progress_of(curation)["has_learned"]


def test_the_lowest_accepted_probability_is_one_of_an_accepted_row(curation):
    taught = curation.moment.taught
    lowest = float(taught.probabilities[taught.accepted].min())
    assert lowest > taught.probabilities.min()  # else nothing is tested
    assert progress_of(curation)["threshold"] == lowest


def test_the_page_says_what_the_answers_have_gained(client, curation, teaching):
    replies = answer_by_gold(client, teaching, 25)
    assert replies[10]["progress"]["compared"] == []
    curation.settled(300)
    progress = client.get("/api/progress").json()
    said, changed = progress["compared"], progress["changed"]
    assert said[0].startswith("your 25 labels, each judged without those of its document: ")
    assert said[1].startswith("40 labels more: ")
    assert changed[0].startswith(f"{progress['gained']} rows gained, {progress['lost']} lost, of ")
    assert len(changed) == 1 + min(progress["gained"], 5) + min(progress["lost"], 5)
