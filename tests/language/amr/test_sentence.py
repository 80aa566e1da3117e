"""The sentence of a graph, and where its words are."""

from __future__ import annotations

from relhash.language.amr.graphs import sentence_of


def test_tokens_are_looked_up_in_the_sentence_as_it_was_written() -> None:
    given = {"snt": "Ras-induced growth.", "tok": "Ras @-@ induced growth ."}
    assert sentence_of(given, None) == (given["snt"], ((0, 3), (3, 4), (4, 11), (12, 18), (18, 19)))


def test_without_tokens_words_are_what_blanks_part() -> None:
    assert sentence_of({"snt": "Ras binds."}, None) == ("Ras binds.", ((0, 3), (4, 10)))


def test_a_sentence_that_lacks_a_token_is_put_together_of_the_tokens() -> None:
    assert sentence_of({"snt": "Ras grows", "tok": "Ras @-@ induced"}, None) == ("Ras-induced", ((0, 3), (3, 4), (4, 11)))
    # a text that was given is kept, with the words found in it
    assert sentence_of({"tok": "Ras @-@ induced"}, "Ras grows") == ("Ras grows", ((0, 3),))
