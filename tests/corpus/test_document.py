"""The records: what they say of themselves."""

from __future__ import annotations

import pytest

from relhash.corpus import Argument, Corpus, Dependency, Document, Mention, Relation, Sentence, Token
from relhash.errors import CorpusError


def test_a_mention_reaches_from_its_first_span_to_its_last() -> None:
    mention = Mention("T1", "cell", ((0, 1), (8, 13)), "T cells")
    assert (mention.start, mention.end, mention.is_discontinuous) == (0, 13, True)
    assert not Mention("T2", "cell", ((6, 13),), "B cells").is_discontinuous


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (Sentence("s", 0, 3), False),
        (Sentence("s", 0, 3, (Token(0, 3, "Ras"),)), False),
        (Sentence("s", 0, 3, (Token(0, 3, "Ras"),), parser="x"), True),
        (Sentence("s", 0, 3, parser="x"), False),
        (Sentence("s", 0, 7, (Token(0, 3, "Ras"), Token(4, 7, "Raf")), (Dependency(1, 0, "nn"),)), True),
    ],
)
def test_a_sentence_is_parsed_if_it_has_arcs_or_a_parser_with_tokens(sentence: Sentence, expected: bool) -> None:
    assert sentence.is_parsed == expected


def test_relations_by_role_and_documents_by_id() -> None:
    relation = Relation("R1", "binds", (Argument("Theme", "T1"), Argument("Cause", "T2")))
    assert relation.roles == {"Theme": "T1", "Cause": "T2"}
    assert relation.targets == ("T1", "T2")
    mention = Mention("T1", "protein", ((0, 3),), "Ras")
    document = Document("d", "Ras", mentions=(mention,), relations=(relation,))
    assert document.mention_by_id == {"T1": mention}
    assert document.relation_by_id == {"R1": relation}


def test_a_check_names_the_file() -> None:
    with pytest.raises(CorpusError, match=r"^a\.xml \[T1\]: .*outside the text"):
        Document("d", "Ra", mentions=(Mention("T1", "protein", ((0, 3),), "Ras"),)).check("a.xml")


def test_a_corpus_is_its_documents() -> None:
    corpus = Corpus.of(iter([Document("a", "A."), Document("b", "B.")]), "two")
    assert (corpus.name, len(corpus), [document.id for document in corpus], corpus.skipped) == ("two", 2, ["a", "b"], ())
