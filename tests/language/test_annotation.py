"""What a pipeline adds to a document: stored, read back, and laid onto documents with other names."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from relhash.corpus.document import CandidatePair, Document, Mention, Sentence, Token
from relhash.errors import LanguageError
from relhash.language.annotation import Annotation, ParsedSentence, PredictedMention

TEXT = "Ras binds Raf."
PARSED = ParsedSentence(
    0, 14, ((0, 3, "NNP", "ras"), (4, 9, "VBZ", "bind"), (10, 13, "NNP", "raf")), ((1, 0, "nsubj"), (1, 2, "dobj"))
)
ANNOTATION = Annotation((PARSED,), (PredictedMention(0, 3, "protein", ("HGNC:1",)), PredictedMention(10, 13, "protein")))


def applied(document: Document, annotation: Annotation = ANNOTATION, **options: bool) -> Document:
    return annotation.applied_to(document, parser="p 1 (craft)", scheme="craft", **options).check()


def test_json_and_back() -> None:
    both = replace(ANNOTATION, sentences=(None, PARSED))
    assert Annotation.from_json(both.to_json()) == both


@pytest.mark.parametrize("text", ["", "[]", "[[1], []]", "[[[0, 1]], []]", '[[], [["a", 1, "x", []]]]', "{}"])
def test_what_is_no_annotation_is_an_error_that_the_cache_knows(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        Annotation.from_json(text)


def test_ids_are_those_of_the_document() -> None:
    for name in ("d", "e"):
        document = applied(Document(name, TEXT))
        assert [sentence.id for sentence in document.sentences] == [f"{name}.s0"]
        assert [(mention.id, mention.text, mention.ids) for mention in document.mentions] == [
            (f"{name}.p0", "Ras", ("HGNC:1",)), (f"{name}.p1", "Raf", ()),
        ]  # fmt: skip
        assert {arc.scheme for arc in document.sentences[0].dependencies} == {"craft"}


def test_numbers_that_are_taken_are_passed_over() -> None:
    taken = Mention("d.p0", "protein", ((4, 9),), "binds")
    assert [mention.id for mention in applied(Document("d", TEXT, mentions=(taken,))).mentions] == ["d.p0", "d.p1", "d.p2"]


def test_a_given_sentence_keeps_its_id_its_bounds_and_what_its_tokens_say() -> None:
    tokens = (Token(0, 3, "Ras", "", "RAS"), Token(4, 9, "binds", "VB"), Token(10, 13, "Raf"))
    (sentence,) = applied(Document("d", TEXT, (Sentence("own", 0, 14, tokens),))).sentences
    assert (sentence.id, sentence.start, sentence.end, sentence.parser) == ("own", 0, 14, "p 1 (craft)")
    assert [(token.pos, token.lemma) for token in sentence.tokens] == [("NNP", "RAS"), ("VB", "bind"), ("NNP", "raf")]


def test_where_there_is_no_parse_the_documents_own_stays() -> None:
    own = Sentence("own", 0, 14)
    assert applied(Document("d", TEXT, (own,)), replace(ANNOTATION, sentences=(None,))).sentences == (own,)


def test_the_parses_of_another_document_are_refused() -> None:
    with pytest.raises(LanguageError, match="1 parses for 2 sentences"):
        applied(Document("d", TEXT, (Sentence("a", 0, 3), Sentence("b", 4, 9))))


def test_replaced_mentions_take_what_refers_to_them_along() -> None:
    mentions = (Mention("T1", "x", ((0, 3),), "Ras"), Mention("T2", "x", ((10, 13),), "Raf"))
    given = Document("d", TEXT, mentions=mentions, candidates=(CandidatePair("P", "T1", "T2"),))
    assert len(applied(given).mentions) == 4
    replaced = applied(given, replace_mentions=True)
    assert [mention.id for mention in replaced.mentions] == ["d.p0", "d.p1"]
    assert replaced.candidates is None


def test_the_stored_form_is_plain_json() -> None:
    rows, mentions = json.loads(ANNOTATION.to_json())
    assert rows[0][:2] == [0, 14]
    assert mentions[0] == [0, 3, "protein", ["HGNC:1"], 1.0, ""]
