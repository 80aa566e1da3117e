"""Evidence of a candidate: the sentence cut into marked pieces, the path as steps."""

from __future__ import annotations

from relhash.corpus import Document, Mention, Sentence
from relhash.corpus.demo import demo_corpora
from relhash.explain.evidence import evidence
from relhash.structures import Candidate, candidates

NAMES = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))


def test_pieces_make_the_sentence_again_and_mark_both_participants():
    for corpus in demo_corpora():
        pairs = list(candidates(corpus))
        for pair, found in zip(pairs, evidence(pairs), strict=True):
            sentence = pair.document.sentences[pair.sentence]
            assert found.text == pair.document.text[sentence.start : sentence.end]
            marked = [piece.text for piece in found.sentence if piece.kind == "participant"]
            assert tuple(marked) == found.participants == tuple(mention.text for mention in pair.mentions)


def test_path_runs_from_one_participant_to_the_other_through_words_of_the_sentence():
    for corpus in demo_corpora():
        for found in evidence(candidates(corpus)):
            stations, edges = found.path[::2], found.path[1::2]
            assert (stations[0].text, stations[-1].text) == found.participants
            assert [step.kind for step in (stations[0], stations[-1])] == ["participant"] * 2
            assert all(step.kind in ("word", "entity") for step in stations[1:-1])
            assert all(step.kind in ("up", "down") for step in edges)
            on_path = {piece.text for piece in found.sentence if piece.kind == "path"}
            assert {step.text for step in stations if step.kind == "word"} == on_path


def test_without_a_parse_there_is_a_sentence_but_no_path():
    document = Document("d", "Ras binds Raf", (Sentence("s", 0, 13),), NAMES)
    (found,) = evidence([Candidate(document, 0, NAMES, ("e1", "e2"))])
    assert found.path == ()
    assert [piece.kind for piece in found.sentence] == ["participant", "text", "participant"]
