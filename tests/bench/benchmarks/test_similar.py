"""Codes as an index, measured: the table holds every control, and lists that hold everything lose nothing."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from relhash.bench.benchmarks import similar
from relhash.candidates import Candidate, PairPolicy, build_structures, candidates
from relhash.corpus import Document, Mention, Sentence
from relhash.corpus.read_write import demo_corpora
from relhash.model.index import VIEWS


@pytest.fixture(scope="module")
def task():
    asked, searched = (list(candidates(list(corpus)[:25], PairPolicy())) for corpus in demo_corpora())
    asked = [pair for pair in asked if pair.is_positive][:15]
    return similar.SearchTask(
        "demo",
        build_structures(asked, VIEWS),
        build_structures(searched, VIEWS),
        np.array(["related"] * len(asked)),
        np.array(["related" if pair.is_positive else "" for pair in searched]),
        tuple(pair.document.id for pair in asked),
        [similar._words(pair) for pair in [*asked, *searched]],
        build_structures([*asked, *searched], VIEWS),
    )


def test_tfidf_compares_the_words_between_and_forty_signs_on_either_side():
    """No name, and nothing of the neighbouring sentences."""
    own = f"{'far ' * 12}near Ras binds Raf here {'off ' * 12}."
    text = f"Before. {own} After."
    places = [text.index(name) for name in ("Ras", "Raf")]
    names = tuple(Mention(f"T{n}", "protein", ((at, at + 3),), text[at : at + 3]) for n, at in enumerate(places))
    sentence = Sentence("s", 8, 8 + len(own))
    pair = Candidate(Document("d", text, (sentence,), names), 0, names, ("e1", "e2"))
    before, between, after = re.split(" E1 | E2 ", similar._words(pair))
    assert (len(before), between.strip(), len(after)) == (40, "binds", 40)
    assert before.endswith("near ")
    assert after.startswith(" here off")
    short = replace(pair, document=Document("d", text[: places[1] + 3], (replace(sentence, end=places[1] + 3),), names))
    assert similar._words(short).endswith(" E2 ")


def test_every_control_stands_beside_ours(task, monkeypatch, tmp_path):
    monkeypatch.setattr(similar, "BITS", (8, 16))
    monkeypatch.setattr(similar, "LISTS", (20, len(task.searched)))
    monkeypatch.setattr(similar, "USUAL", (16, 20))
    (figures,) = similar.similar_figures([task], seeds=2)
    by_key = {(one.family, one.bits, one.listed): one for one in figures}
    everything = [one for one in figures if one.listed == len(task.searched)]
    assert len(everything) == 2 * len(similar.FAMILIES) + 1  # TF-IDF, which has no length
    assert all(one.recall == 1 for one in everything)
    exact = by_key["exact scan", 0, 0]
    assert all(one.precision == pytest.approx(exact.precision) for one in everything)
    for family in similar.FAMILIES:
        short = by_key[family, 16, 20]
        assert by_key[family, 16, 0].recall <= short.recall < 1  # ten near codes against twenty, ordered by the kernels
        assert (short.minus is None) == (family == similar.OURS)
    similar.report_of(figures, 2).write(tmp_path)
    assert len(json.loads((tmp_path / "similar.json").read_text())["rows"]) == len(figures)
    said = (tmp_path / "similar.md").read_text()
    assert all(family in said for family in similar.FAMILIES)
    assert (tmp_path / "recall.svg").read_bytes().startswith(b"<?xml")
