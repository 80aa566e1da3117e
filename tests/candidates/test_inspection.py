from __future__ import annotations

from dataclasses import replace

from relhash.candidates import PairPolicy
from relhash.candidates.inspection import inspect_corpus
from relhash.corpus import CandidatePair, Mention
from tests.candidates.drawn_sentences import draw

PARSED = draw(
    "Ras binds Raf and Ras/MEK complex",
    "binds nsubj Ras, binds dobj Raf",
    ["Ras", "Raf", "MEK"],
    related=[(1, 2)],
    kinds=["protein", "protein", "gene"],
)

TEXT = "Ras binds Raf. MEK is far away."

UNSPLIT = replace(
    draw("Ras binds Raf", names=["Ras", "Raf"], related=[(1, 2)], identifier="u"),
    text=TEXT,
    sentences=(),
    mentions=tuple(Mention(f"T{i}", "protein", ((a, a + 3),), TEXT[a : a + 3]) for i, a in enumerate((0, 10, 15), start=1)),
)


def test_counts_of_a_parsed_corpus():
    found = inspect_corpus(iter([PARSED, replace(PARSED, id="copy")]))
    assert (found.documents, found.sentences, found.sentences_with_parses, found.duplicate_sentences) == (2, 2, 2, 1)
    assert (found.mentions, found.mentions_by_type) == (6, {"protein": 4, "gene": 2})
    assert (found.relations, found.relations_by_type, found.events) == (2, {"interaction": 2}, 0)
    assert (found.positive, found.negative) == (2, 4)
    assert found.coverage == {"path": 2, "shared_token": 0, "disconnected": 4}
    assert found.path_length == {"p5": 2, "p25": 2, "p50": 2, "p75": 2, "p95": 2, "p100": 2}
    assert (found.parsers, found.schemes) == ({"drawn by hand": 2}, {"stanford-collapsed": 2})


def test_types_restrict_the_candidates_not_the_mentions():
    found = inspect_corpus([PARSED], PairPolicy(types=[("protein", "chemical")]))
    assert (found.mentions, found.positive + found.negative, found.coverage) == (3, 0, None)


def test_text_without_a_parse_is_split_by_rules():
    found = inspect_corpus([UNSPLIT])
    assert (found.sentences, found.sentences_from, found.coverage) == (2, "rules", None)
    assert (found.positive, found.negative, found.candidates_without_parse) == (1, 0, 1)


def test_a_row_of_a_spreadsheet_is_one_sentence():
    found = inspect_corpus([replace(UNSPLIT, candidates=(CandidatePair("p", "T1", "T3"),))])
    assert (found.sentences, found.listed_pairs, found.negative) == (0, 1, 1)


def test_an_empty_corpus():
    found = inspect_corpus([])
    assert (found.documents, found.coverage, found.path_length) == (0, None, None)


def test_discontinuous_mentions_and_triggers():
    document = draw("alpha and beta subunit", names=["alpha … subunit", "beta"])
    trigger = Mention("T9", "Binding", ((6, 9),), "and", is_trigger=True)
    found = inspect_corpus([replace(document, mentions=(*document.mentions, trigger))])
    assert (found.mentions, found.discontinuous_mentions, found.triggers) == (2, 1, 1)
