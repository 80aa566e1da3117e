"""Text and annotation taken apart."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import relhash
from relhash.bench.datasets.raw_text_gold import CORPORA, gold_of_documents, gold_texts
from relhash.corpus import Attribute, Document, Mention, Relation, Sentence
from relhash.corpus.document import Argument
from relhash.errors import DataMissingError


def annotated(text: str, names: list[str], pairs: list[tuple[int, int]], *, denied: tuple[int, ...] = ()) -> Document:
    mentions = tuple(Mention(f"T{n}", "Protein", ((text.index(x), text.index(x) + len(x)),), x) for n, x in enumerate(names))
    relations = tuple(
        Relation(f"R{n}", "interaction", (Argument("e1", f"T{first}"), Argument("e2", f"T{second}")))
        for n, (first, second) in enumerate(pairs)
    )
    marks = tuple(Attribute(f"M{n}", "Negation", f"R{n}") for n in denied)
    return Document("d", text, mentions=mentions, relations=relations, attributes=marks)


def shown(gold, pairs):
    text = gold.document.text
    names = ["".join(text[a:b] for a, b in spans) for spans in gold.entities]
    return sorted((names[first], names[second]) for first, second in pairs)


def test_separate_sentences_become_running_text_and_names_move_with_them():
    text = "Ras binds Raf\nMEK activates ERK."
    document = replace(
        annotated(text, ["Ras", "Raf", "MEK", "ERK"], [(1, 0), (2, 3)]),
        sentences=(Sentence("s0", 0, 13), Sentence("s1", 14, len(text))),
    )
    (gold,) = gold_of_documents([document])
    assert gold.document.text == "Ras binds Raf. MEK activates ERK."
    assert not gold.document.mentions
    assert not gold.document.sentences
    assert shown(gold, gold.related) == shown(gold, gold.within_sentence) == [("MEK", "ERK"), ("Ras", "Raf")]
    assert not gold.negated


def test_denied_pairs_are_no_relations_and_pairs_of_two_sentences_cannot_be_found():
    text = "Ras binds Raf but not SOS. It activates ERK."
    (gold,) = gold_of_documents([annotated(text, ["Ras", "Raf", "SOS", "ERK"], [(0, 1), (0, 2), (0, 3)], denied=(1,))])
    assert gold.document.text == text
    assert shown(gold, gold.related) == [("Ras", "ERK"), ("Ras", "Raf")]
    assert shown(gold, gold.within_sentence) == [("Ras", "Raf")]
    assert shown(gold, gold.negated) == [("Ras", "SOS")]


def test_events_of_a_folder_become_pairs(tmp_path: Path) -> None:
    events = Document(
        "PMID-1",
        "Ras does not bind Raf.",
        mentions=(
            Mention("T1", "Protein", ((0, 3),), "Ras"),
            Mention("T2", "Protein", ((18, 21),), "Raf"),
            Mention("T3", "Binding", ((13, 17),), "bind", is_trigger=True),
        ),
        relations=(Relation("E1", "Binding", (Argument("Theme", "T1"), Argument("Theme2", "T2")), "T3"),),
        attributes=(Attribute("M1", "Negation", "E1"),),
    )
    (tmp_path / "bionlp" / "2013").mkdir(parents=True)
    relhash.write([events], tmp_path / "bionlp" / "2013" / "devel", "bionlp")
    (gold,) = gold_texts(tmp_path, "BioNLP 2013 devel")
    assert len(gold.entities) == 2
    assert (gold.related, shown(gold, gold.negated)) == (frozenset(), [("Ras", "Raf")])


@pytest.mark.parametrize("name", CORPORA)
def test_a_corpus_that_is_not_there_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(DataMissingError, match=r"needs"):
        gold_texts(tmp_path, name)
