"""Stated, denied, or left open: sentences drawn by hand, one per kind of cue, and sentences that nobody would write."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.biomed.assertion import Assertion, AssertionModel, assertion_by_rules, shipped_model
from relhash.biomed.cues import CUES, CueScope, Statement
from relhash.corpus import Dependency, Sentence, Token

LEMMAS = {
    "binds": "bind", "failed": "fail", "does": "do", "investigated": "investigate", "was": "be", "observed": "observe",
    "detected": "detect", "examined": "examine", "results": "result",
}  # fmt: skip


def assertion_of(sentence: Sentence, statement: Statement) -> Assertion:
    return shipped_model().of(CueScope.of(sentence), statement)


def drawn(text: str, arcs: str) -> Sentence:
    """Words apart by spaces; arcs as ``head label dependent`` by number, apart by commas."""
    tokens, position = [], 0
    for word in text.split():
        tokens.append(Token(position, position + len(word), word, "", LEMMAS.get(word, word.lower())))
        position += len(word) + 1
    triples = (triple.split() for triple in arcs.split(",") if triple.strip())
    return Sentence(
        "s", 0, position, tuple(tokens), tuple(Dependency(int(head), int(tail), label) for head, label, tail in triples)
    )


SENTENCES = {
    "A binds B": ("1 nsubj 0, 1 dobj 2", (1,), (0, 2), "asserted"),
    "A does not bind B": ("3 nsubj 0, 3 aux 1, 3 neg 2, 3 dobj 4", (3,), (0, 4), "negated"),
    "A never binds B": ("2 nsubj 0, 2 neg 1, 2 dobj 3", (2,), (0, 3), "negated"),
    "A failed to bind B": ("1 nsubj 0, 1 xcomp 3, 3 aux 2, 3 xsubj 0, 3 dobj 4", (3,), (0, 4), "negated"),
    "A was unable to bind B": ("2 nsubj 0, 2 cop 1, 2 xcomp 4, 4 aux 3, 4 dobj 5", (4,), (0, 5), "negated"),
    "No interaction of A with B": ("1 det 0, 1 prep_of 3, 1 prep_with 5", (1,), (3, 5), "negated"),
    "Lack of interaction of A with B": ("0 prep_of 2, 2 prep_of 4, 2 prep_with 6", (2,), (4, 6), "negated"),
    "Binding of A to B was not detected": (
        "0 prep_of 2, 0 prep_to 4, 7 nsubjpass 0, 7 auxpass 5, 7 neg 6", (0,), (2, 4), "negated",
    ),
    "Neither C nor A binds B": ("1 preconj 0, 1 conj_nor 3, 4 nsubj 1, 4 nsubj 3, 4 dobj 5", (4,), (3, 5), "negated"),
    "C but not A binds B": ("0 conj_negcc 3, 1 neg 2, 4 nsubj 0, 4 nsubj 3, 4 dobj 5", (4,), (3, 5), "negated"),
    # wherever a parser hangs the "not" of "but not"
    "A binds C but not to B": ("1 nsubj 0, 1 dobj 2, 1 dep 4, 4 dep 5, 1 prep_to 6", (1,), (0, 6), "negated"),
    "A binds C , not D or B": ("1 nsubj 0, 1 dobj 2, 2 dep 5, 2 dep 4, 5 conj_or 7", (1,), (0, 7), "negated"),
    "A binds B but not C": ("1 nsubj 0, 1 dobj 2, 2 dep 5, 5 dep 4", (1,), (0, 2), "asserted"),
    "A binds C but not when B is there": ("1 nsubj 0, 1 dobj 2, 1 dep 4, 4 dep 7, 7 nsubj 6", (1,), (0, 6), "asserted"),
    "A may bind B": ("2 nsubj 0, 2 aux 1, 2 dobj 3", (2,), (0, 3), "speculative"),
    "We examined binding of A to B": ("1 nsubj 0, 1 dobj 2, 2 prep_of 4, 2 prep_to 6", (2,), (4, 6), "speculative"),
    "We investigated whether A binds B": ("1 nsubj 0, 1 ccomp 4, 4 mark 2, 4 nsubj 3, 4 dobj 5", (4,), (3, 5), "questioned"),
    # cues that stand in the sentence and have nothing to do with the statement
    "A which does not bind C binds B": (
        "0 rcmod 4, 4 rel 1, 4 nsubj 0, 4 aux 2, 4 neg 3, 4 dobj 5, 6 nsubj 0, 6 dobj 7", (6,), (0, 7), "asserted",
    ),
    "A but not C binds B": ("0 conj_negcc 3, 1 neg 2, 4 nsubj 0, 4 nsubj 3, 4 dobj 5", (4,), (0, 5), "asserted"),
    "A binds not only B but C": ("1 nsubj 0, 1 dobj 4, 4 neg 2, 4 advmod 3, 4 conj_but 6", (1,), (0, 4), "asserted"),
    "A binds B and may bind C": ("1 nsubj 0, 1 dobj 2, 1 conj_and 5, 5 aux 4, 5 dobj 6", (1,), (0, 2), "asserted"),
}  # fmt: skip


ON_THE_PATH = {
    # words of a pair's path that are cues themselves
    "A is noninducible by B": ("2 nsubj 0, 2 cop 1, 2 prep_by 4", (2,), (0, 4), "negated"),
    "A is non - inducible by B": ("4 nsubj 0, 4 cop 1, 4 hyphen 2, 4 prep_by 6", (4,), (0, 6), "negated"),
    "A is uninducible by B": ("2 nsubj 0, 2 cop 1, 2 prep_by 4", (2,), (0, 4), "negated"),
    "A is inducible by B": ("2 nsubj 0, 2 cop 1, 2 prep_by 4", (2,), (0, 4), "asserted"),
    "A is non - responsive to B": ("4 nsubj 0, 4 cop 1, 4 hyphen 2, 4 prep_to 6", (4,), (0, 6), "negated"),
    "A is insensitive to B": ("2 nsubj 0, 2 cop 1, 2 prep_to 4", (2,), (0, 4), "negated"),
    "A was refractory to B": ("2 nsubj 0, 2 cop 1, 2 prep_to 4", (2,), (0, 4), "negated"),
    "A - independent activation of B was examined": (
        "2 hyphen 0, 3 amod 2, 3 prep_of 5, 7 nsubjpass 3, 7 auxpass 6", (3, 2), (0, 5), "negated",
    ),
    "C - independent activation of B by A": (
        "2 hyphen 0, 3 amod 2, 3 prep_of 5, 3 prep_by 7", (3,), (5, 7), "asserted",
    ),
    "failure of A to activate B": ("0 prep_of 2, 0 infmod 4, 4 aux 3, 4 dobj 5", (0, 4), (2, 5), "negated"),
    # "appear" governs both verbs, and is a word of the path to one of them only
    "A appear to bind B and promote C": (
        "1 nsubj 0, 1 xcomp 3, 3 xsubj 0, 3 dobj 4, 3 conj_and 6, 1 xcomp 6, 6 dobj 7", (1, 6), (0, 7), "speculative",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", ON_THE_PATH)
def test_a_word_of_the_path_that_is_itself_a_cue(text):
    # "non-inducible by IFN-gamma" was accepted; "appear to promote" was asserted, its neighbour "appear to induce" was not
    arcs, head, participants, expected = ON_THE_PATH[text]
    assert assertion_of(drawn(text, arcs), Statement(head, participants)) == expected


@pytest.mark.parametrize("text", SENTENCES)
def test_a_cue_counts_where_the_statement_is_in_its_scope(text):
    arcs, head, participants, expected = SENTENCES[text]
    assert assertion_of(drawn(text, arcs), Statement(head, participants)) == expected


@pytest.mark.parametrize("text", SENTENCES)
def test_the_rules_alone_say_the_same_of_plain_sentences(text):
    arcs, head, participants, expected = SENTENCES[text]
    assert assertion_by_rules(CueScope.of(drawn(text, arcs)), Statement(head, participants)) == expected


@pytest.mark.parametrize(
    ("text", "participants", "expected"),
    [
        ("A binds B", (0, 2), "asserted"),
        ("A does not bind B", (0, 4), "negated"),
        ("No interaction of A with B", (3, 5), "negated"),
        ("A may bind B", (0, 3), "speculative"),
        ("We do not yet know but ask whether here A binds B", (8, 10), "questioned"),
        ("A binds B but not C", (0, 2), "asserted"),
    ],
)
def test_without_a_parse_the_words_between_and_right_before_count(text, participants, expected):
    assert assertion_of(drawn(text, ""), Statement((), participants)) == expected


@given(st.data())
def test_any_graph_gets_an_answer(data):
    """With cycles, loops, in pieces or without arcs, and whatever the statement is made of."""
    some = st.sampled_from(["A", "bind", "only", *sorted(CUES)[::7], "not", "whether", ""])
    words = data.draw(st.lists(some, min_size=1, max_size=9))
    tokens = tuple(Token(0, len(word), word, "", word) for word in words)
    token = st.integers(0, len(words) - 1)
    label = st.sampled_from(["nsubj", "neg", "ccomp", "prep_without", "conj_negcc", "conj_nor", "mark", "nmod:of"])
    arcs = tuple(data.draw(st.lists(st.builds(Dependency, token, token, label), max_size=14)))
    parts = st.lists(token, max_size=3).map(tuple)
    statement = Statement(data.draw(parts), data.draw(parts))
    sentence = Sentence("s", 0, 9, tokens, arcs)
    assert assertion_of(sentence, statement) in Assertion
    assert assertion_of(sentence, statement) is assertion_of(
        Sentence("s", 0, 9, tokens, arcs[::-1]), statement
    )  # the order of arcs in a file says nothing


def test_the_file_is_read_as_it_was_written(tmp_path):
    path = tmp_path / "model.json"
    path.write_text(
        '{"negated": {"bias": -1.0, "weights": {"x": 2.0}, "threshold": 0.5},'
        ' "speculative": {"bias": 0.0, "weights": {}, "threshold": 0.6}}'
    )
    model = AssertionModel.read(path)
    assert model.negated.holds({"x", "y"})
    assert not model.negated.holds({"y"})
    assert model.speculative.probability(()) == 0.5


def test_the_shipped_model_is_small_and_decides_both():
    model = shipped_model()
    assert 0 < len(model.negated.weights) <= 600
    assert 0 < model.speculative.threshold < 1
