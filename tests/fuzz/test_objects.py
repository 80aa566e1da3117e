"""Objects of other libraries with anything in them: read, or refused with an error of ours."""

from __future__ import annotations

import random
import warnings

import pytest
import spacy
from spacy.tokens import Doc, Span

from relhash.candidates import PairPolicy
from relhash.candidates.inspection import inspect_corpus
from relhash.corpus.read_write import documents_of
from relhash.errors import RelHashError
from tests.fuzz.mutations import ROUNDS, VALUES

WORDS = ["RAF1", "binds", "MEK1", ".", " ", "\n", "α", "\u202e", "\x00", "\U0001f600", "(", "-", "p53", "not"]
COLUMNS = [
    "id", "text", "entity1", "entity2", "label", "e1_start", "e1_end", "e2_start", "e2_end", "title", "abstract", "x", "pmid",
]  # fmt: skip
CELLS = [*VALUES, "RAF1 binds MEK1.", "[E1]RAF1[/E1] binds [E2]MEK1[/E2].", "RAF1", "MEK1", 4, 14, 18, float("nan"), b"a"]


def refused(read, *given) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read(*given)
        except RelHashError:
            return True
    return False


def test_data_frames_of_anything():
    pandas = pytest.importorskip("pandas")
    chance, read = random.Random(2), 0
    for number in range(ROUNDS or 300):
        columns = chance.choice([COLUMNS[:5], ["text", *COLUMNS[5:9], "label"], chance.sample(COLUMNS, 3), ["text"]])
        rows = [[chance.choice(CELLS) for _ in columns] for _ in range(chance.randrange(4))]
        try:
            read += not refused(lambda frame: list(documents_of(frame)), pandas.DataFrame(rows, columns=columns, dtype=object))
        except Exception as error:
            raise AssertionError(f"frame {number}: {columns} {rows}") from error
    assert read


def test_docs_of_spacy_with_any_trees_and_names():
    vocab, chance, read = spacy.blank("en").vocab, random.Random(2), 0
    for number in range(ROUNDS or 300):
        words = chance.choices(WORDS, k=chance.randrange(9))
        n = len(words)
        parsed = {
            "heads": [chance.randrange(n) for _ in words],
            "deps": chance.choices(["nsubj", "dobj", "dep", "", "ROOT", "nsubj:pass"], k=n),
            "tags": chance.choices(["NN", "", "VBZ"], k=n),
        }
        made = {"spaces": chance.choices([True, False], k=n), **(parsed if chance.random() < 0.5 else {})}
        try:
            doc = Doc(vocab, words=words, **made)
            starts = sorted(chance.sample(range(n + 1), chance.choice([0, 2, 4]) if n > 3 else 0))
            doc.ents = [
                Span(doc, start, end, label=chance.choice(["protein", "", "ORG", "GENE"]))
                for start, end in zip(starts[::2], starts[1::2], strict=True)
            ]
        except ValueError:  # spaCy refuses a circle, and names of blanks
            continue
        try:
            read += not refused(lambda doc: inspect_corpus(documents_of(doc), PairPolicy()), doc)
        except Exception as error:
            raise AssertionError(f"doc {number}: {words} {made}") from error
    assert read > (ROUNDS or 300) / 5
