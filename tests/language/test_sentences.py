"""Sentences by rules alone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.corpus.document import Document, Passage, Sentence
from relhash.language import split_sentences


def texts(document: Document) -> list[str]:
    return [document.text[sentence.start : sentence.end] for sentence in document.sentences]


def test_full_stops_and_blank_lines():
    document = split_sentences(Document("d", "Title without stop\n\nRas binds Raf. It works (p = 0.05)! Why?"))
    assert texts(document) == ["Title without stop", "Ras binds Raf.", "It works (p = 0.05)!", "Why?"]
    assert [sentence.id for sentence in document.sentences] == ["d.s0", "d.s1", "d.s2", "d.s3"]


def test_passages_are_bounds():
    document = split_sentences(
        Document("d", "A title An abstract.", passages=(Passage("title", 0, 7), Passage("abstract", 8, 20)))
    )
    assert texts(document) == ["A title", "An abstract."]


def test_given_sentences_stay():
    document = Document("d", "A. B.", (Sentence("s", 0, 5),))
    assert split_sentences(document) is document


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=80))
def test_every_visible_character_is_in_one_sentence(text):
    document = split_sentences(Document("d", text)).check()
    inside = "".join(texts(document))
    assert [c for c in inside if not c.isspace()] == [c for c in text if not c.isspace()]
    assert all(sentence == sentence.strip() or sentence for sentence in texts(document))


def test_threads_share_the_rules():
    texts = [f"Protein{number} binds Raf{number}. It was seen {number} times." for number in range(200)]
    documents = [Document(f"d{number}", text) for number, text in enumerate(texts)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(split_sentences, documents)) == [split_sentences(document) for document in documents]
