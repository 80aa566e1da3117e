"""A sentence with very many entities: only the closest pairs are candidates, and somebody is told."""

from __future__ import annotations

import warnings
from dataclasses import replace
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates import PairPolicy, candidates
from relhash.candidates.pairs import closest_pairs
from relhash.corpus import CandidatePair, Document, Mention, Sentence, Token
from relhash.errors import ParameterError, RelHashWarning
from tests.candidates.drawn_sentences import draw


def listed(n: int, *, kinds: tuple[str, ...] = ("protein",), gap: int = 1) -> Document:
    """A sentence of ``n`` one-letter names, with ever more words between them: A x B x x C x x x D …"""
    words: list[str] = []
    mentions = []
    for number in range(n):
        start = sum(len(word) + 1 for word in words)
        name = f"N{number}"
        mentions.append(Mention(f"T{number}", kinds[number % len(kinds)], ((start, start + len(name)),), name))
        words += [name, *["x"] * (gap * (number + 1))]
    text = " ".join(words)
    return Document("long", text, (Sentence("long.s0", 0, len(text)),), tuple(mentions))


def names(document, policy, **options):
    return [tuple(m.text for m in c.mentions) for c in candidates([document], policy, **options)]


def test_the_closest_pairs_stay_in_surface_order_and_the_sentence_is_named():
    document = listed(6)
    with pytest.warns(RelHashWarning, match=r"document 'long', sentence 'long.s0': 6 entities .* 4 pairs.*max-pairs") as said:
        found = names(document, PairPolicy(max_pairs_per_sentence=4))
    assert found == [("N0", "N1"), ("N0", "N2"), ("N1", "N2"), ("N2", "N3")]
    assert len(said) == 1


def test_a_sentence_at_the_bound_is_whole_and_nothing_is_said():
    document = listed(6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert names(document, PairPolicy(max_pairs_per_sentence=15)) == names(document, None)


def test_only_what_may_relate_counts():
    document = listed(8, kinds=("protein", "chemical"))
    policy = PairPolicy(types=[("protein", "protein")], max_pairs_per_sentence=6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(names(document, policy)) == 6
        proteins = names(
            document, PairPolicy(max_pairs_per_sentence=6), allow=lambda c: {m.type for m in c.mentions} == {"protein"}
        )
    assert proteins == names(document, policy)
    with pytest.warns(RelHashWarning):
        assert len(names(document, replace(policy, max_pairs_per_sentence=5))) == 5


def test_both_directions_of_a_pair_stay_together():
    with pytest.warns(RelHashWarning):
        found = list(candidates([listed(5)], PairPolicy(directed=True, max_pairs_per_sentence=2)))
    assert [c.key for c in found] == ["long|T0|T1", "long|T1|T0", "long|T1|T2", "long|T2|T1"]


def test_overlapping_mentions_are_passed_over():
    document = draw("IL-2 receptor binds IL-2 and IL-4", names=["IL-2", "IL-2 receptor", "IL-2#1", "IL-4"])
    with pytest.warns(RelHashWarning):
        assert names(document, PairPolicy(max_pairs_per_sentence=2)) == [("IL-2 receptor", "IL-2"), ("IL-2", "IL-4")]


def test_a_document_that_is_not_split_is_named_without_a_sentence():
    document = replace(listed(5), sentences=())
    with pytest.warns(RelHashWarning, match="document 'long': 5 entities"):
        assert len(names(document, PairPolicy(unsplit="document", max_pairs_per_sentence=3))) == 3


def test_pairs_that_the_corpus_lists_all_stay():
    pairs = tuple(CandidatePair(f"p{i}{j}", f"T{i}", f"T{j}") for i, j in combinations(range(5), 2))
    assert len(names(replace(listed(5), candidates=pairs), PairPolicy(max_pairs_per_sentence=3))) == 10


def test_the_bound_is_at_least_one():
    with pytest.raises(ParameterError, match="max_pairs_per_sentence=0"):
        PairPolicy(max_pairs_per_sentence=0)


def test_thousands_of_entities_take_no_time():
    """All pairs of these would be 12.5 million."""
    with pytest.warns(RelHashWarning):
        assert len(names(listed(5000, gap=0), None)) == 500


@st.composite
def sentences(draw_one):
    """Tokens, some of them mentions of one to three tokens that may overlap, in surface order."""
    n = draw_one(st.integers(2, 12))
    tokens = tuple(Token(2 * i, 2 * i + 1, "x") for i in range(n))
    places = draw_one(st.lists(st.tuples(st.integers(0, n - 1), st.integers(1, 3)), min_size=1, max_size=8))
    spans = sorted((2 * first, 2 * min(first + size, n) - 1) for first, size in places)
    mentions = [Mention(f"T{number}", "protein", (span,), "x") for number, span in enumerate(spans)]
    return mentions, Sentence("s", 0, 2 * n, tokens)


@given(sentences(), st.booleans())
def test_order_is_that_of_all_pairs_sorted(given_sentence, with_itself):
    mentions, sentence = given_sentence

    def between(pair):
        one, other = (mentions[number] for number in pair)
        return max(0, other.start // 2 - (one.end - 1) // 2), *pair

    made = combinations_with_replacement if with_itself else combinations
    expected = sorted(made(range(len(mentions)), 2), key=between)
    assert list(closest_pairs(mentions, sentence, " " * sentence.end, with_itself=with_itself)) == expected
