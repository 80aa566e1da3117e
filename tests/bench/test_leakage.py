"""Shared text is found whatever its spacing and case."""

from __future__ import annotations

from relhash.bench.runner import leakage, without_shared
from relhash.candidates.pairs import candidates
from relhash.corpus import Document, Mention, Sentence


def document(name: str, *sentences: str) -> Document:
    """Sentences in which the first and the last word are proteins."""
    text, spans, mentions = "", [], []
    for sentence in sentences:
        start = len(text)
        text += sentence + " "
        words = sentence.split(" ")
        end = start + len(sentence)
        spans.append(Sentence(f"s{len(spans)}", start, end))
        mentions.append(Mention(f"T{len(mentions)}", "protein", ((start, start + len(words[0])),), words[0]))
        mentions.append(Mention(f"T{len(mentions)}", "protein", ((end - len(words[-1]), end),), words[-1]))
    return Document(name, text, tuple(spans), tuple(mentions)).check()


TRAIN = [document("a", "Ras binds Raf", "MEK activates ERK"), document("b", "p53 inhibits MDM2")]
TEST = [document("a", "RAS  binds - Raf", "Abl binds Crk"), document("c", "p53 inhibits  mdm2")]


def test_counts_of_what_is_shared():
    found = leakage(list(candidates(TRAIN)), list(candidates(TEST)))
    assert "2 sentences (2 candidates) and 1 documents" in found


def test_shared_sentences_can_be_left_out():
    assert without_shared(list(candidates(TRAIN)), list(candidates(TEST))).tolist() == [False, True, False]


def test_nothing_shared_is_said():
    assert "no sentence" in leakage(list(candidates(TRAIN[:1])), list(candidates(TEST[1:])))
