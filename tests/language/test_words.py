"""What a parser is given: words, their places, and where sentences start."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
import spacy

from relhash.corpus.document import Document, Mention, Passage, Sentence, Span, Token
from relhash.language.words import (
    LONGEST_RUN,
    divided,
    spans_of,
    stops_after_capitals,
    token_spans,
    words_of_sentence,
    words_of_text,
)


def tokenize(text: str) -> Iterable[Span]:
    """Runs of letters, single signs, and (to be left out) runs of blanks."""
    return [match.span() for match in re.finditer(r"\w+|\s+|[^\w\s]", text)]


def blank(text: str) -> list[Span]:
    """English rules of spaCy."""
    return spans_of(spacy.blank("en").tokenizer(text))


def test_blanks_are_no_words_and_every_word_knows_its_place() -> None:
    text = "Ras  binds\tRaf."
    words = words_of_text(Document("d", text), tokenize)
    assert words.texts == ("Ras", "binds", "Raf", ".")
    assert [text[start:end] for start, end in words.spans] == list(words.texts)
    assert words.spaces == (True, True, False, False)
    assert words.starts == (True, None, None, None)


def test_blank_lines_and_passages_start_sentences_and_line_ends_do_not() -> None:
    text = "Title\nA b.\n \nC d."
    words = words_of_text(Document("d", text, passages=(Passage("title", 0, 5), Passage("abstract", 6, 17))), tokenize)
    assert [word for word, start in zip(words.texts, words.starts, strict=True) if start] == ["Title", "A", "C"]


def test_a_text_of_blanks_has_no_words() -> None:
    assert words_of_text(Document("d", " \n "), tokenize).texts == ()


def test_a_given_sentence_starts_once() -> None:
    document = Document("d", "A b. C d.", (Sentence("s", 5, 9),))
    words = words_of_sentence(document, document.sentences[0], tokenize, keep_tokens=True)
    assert words.texts == ("C", "d", ".")
    assert words.spans[0] == (5, 6)
    assert words.starts == (True, False, False)


def test_tokens_of_the_document_are_kept_or_made_anew() -> None:
    sentence = Sentence("s", 0, 5, (Token(0, 5, "A-b"),))
    document = Document("d", "A - b", (sentence,))
    assert words_of_sentence(document, sentence, tokenize, keep_tokens=True).texts == ("A-b",)
    assert words_of_sentence(document, sentence, tokenize, keep_tokens=False).texts == ("A", "-", "b")


def test_a_blinded_mention_is_one_word_that_stands_for_its_tokens() -> None:
    words = words_of_text(Document("d", "the PAK1-binding protein binds Raf"), tokenize)
    names = [Mention("T1", "protein", ((4, 24),), ""), Mention("T2", "chemical", ((31, 34),), "Raf")]
    blinded = words.blinded(names)
    assert blinded.texts == ("the", "PROT", "binds", "CHEM")
    assert blinded.groups == ((0, 1), (1, 5), (5, 6), (6, 7))
    assert blinded.spaces == (True, True, True, False)
    assert (blinded.spans, blinded.tokens) == (words.spans, words.tokens)


def test_a_long_run_of_signs_is_tokenised_in_pieces():
    """spaCy's tokenizer costs the square of a run without white space: 20,000 brackets took a minute."""
    asked = []

    def tokenizer(text):
        asked.append(len(text))
        return [(0, len(text))]

    text = "Ras binds " + "(" * 2500 + " Raf"
    spans = token_spans(tokenizer, text)
    assert max(asked) <= LONGEST_RUN
    assert "".join(text[start:end] for start, end in spans) == text
    assert token_spans(blank, "Ras (Raf)") == [(0, 3), (4, 5), (5, 8), (8, 9)]


def test_long_texts_are_divided_where_something_ends():
    text = "A b.\n\n" + "c " * 10 + ". " + "d " * 30
    words = words_of_text(Document("d", text), tokenize)
    units = divided(words, 12)
    assert [place for unit in units for place in unit.spans] == list(words.spans)
    assert all(len(unit.texts) <= 12 and unit.starts[0] for unit in units)
    assert divided(words) == [words]


@pytest.mark.parametrize(
    "text",
    [
        "We bound ICAM-I. It did.", "Rb binds E2F.", "found CD11A. We", "led to (TaxI. The", "LFA-B.\nWe", "NF-kappa B. The",
        "NF-kappa B. Stimulation", "of NF-kappa B.", "protein kinase C. However, we", "by cathepsin G. It", "of c-Jun. We",
    ],
)  # fmt: skip
def test_a_full_stop_after_a_name_that_ends_with_a_capital_is_a_word(text) -> None:
    stop = text.index(".")
    assert stops_after_capitals(text) >= {stop}  # "ICAM-I." was a name, and the sentence went on
    spans = token_spans(blank, text)
    assert (stop, stop + 1) in spans
    assert "".join(text[start:end] for start, end in spans).replace("\n", "") == "".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "(J. Smith", "the U.S. has", "anti-E. coli serum", "J.-P. Roth", "a Ph.D. here", "E. coli", "v. S.", "with E. coli",
        "by J. Smith", "seen by M. The", "in Jun. We", "kappa B. subtilis",
    ],
)  # fmt: skip
def test_initials_and_abbreviations_keep_their_full_stop(text) -> None:
    assert not stops_after_capitals(text)


def test_a_line_without_a_full_stop_is_one_sentence() -> None:
    text = "Ras binds Raf\nMEK binds ERK. So it does\nTNF binds"
    lines = tuple(Passage("line", *match.span()) for match in re.finditer(r"[^\n]+", text))
    words = words_of_text(Document("d", text, passages=lines), tokenize)
    assert words.starts == (True, False, False, True, None, None, None, None, None, None, True, False)
    other = tuple(Passage("title", passage.start, passage.end) for passage in lines)
    assert False not in words_of_text(Document("d", text, passages=other), tokenize).starts


def test_a_line_longer_than_any_sentence_may_be_several() -> None:
    text = "Ras binds Raf " * 40 + "\nTNF"
    lines = tuple(Passage("line", *match.span()) for match in re.finditer(r"[^\n]+", text))
    assert False not in words_of_text(Document("d", text, passages=lines), tokenize).starts
