"""The shipped tagger: what it finds, what it does not, how sure it is, and that its fast sums are the slow ones."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from relhash.biomed import genes
from relhash.biomed.genes import tagger as tagger_module
from relhash.biomed.genes.place_scores import form_features, place_features
from relhash.biomed.genes.tagger import BORDER, OFFSETS, GeneTagger, Taggers, shipped_gene_tagger, stretches
from relhash.corpus.document import Document
from relhash.language import Pipeline
from relhash.language.annotation import PredictedMention
from relhash.language.words import Words, words_of_text

SENTENCE = [
    "Grb2", "binds", "to", "the", "phosphorylated", "EGF", "receptor", "and", "activates", "Sos1", "(", "son", "of",
    "sevenless", "1", ")", "in", "HeLa", "cells", ".",
]  # fmt: skip


@pytest.fixture(scope="module")
def tagger() -> GeneTagger:
    return shipped_gene_tagger()


def test_scores_are_sums_of_the_weights_of_all_features(tagger):
    texts, spaces = SENTENCE, [True] * len(SENTENCE)
    model = tagger.model
    classes = tagger._known.classes(texts)
    places = place_features(texts, spaces, classes, [model.groups(text)[1] for text in texts])
    expected = np.zeros((len(texts), model.own.weights.shape[1]))
    for t in range(len(texts)):
        for k, offset in enumerate(OFFSETS):
            inside = 0 <= t + offset < len(texts)
            form = texts[t + offset] if inside else ""
            for name in [*form_features(form), *model.groups(form)] if inside else [BORDER]:
                if name in model.wide.rows:
                    expected[t] += model.wide.weights[model.wide.rows[name], k]
                if offset == 0 and name in model.own.rows:
                    expected[t] += model.own.weights[model.own.rows[name]]
        for name in places[t]:
            if name in model.places.rows:
                expected[t] += model.places.weights[model.places.rows[name]]
    assert np.allclose(np.concatenate(tagger.scores(texts, spaces), axis=1), expected, atol=1e-4)


def test_finds_names_and_says_how_sure_it_is(tagger):
    found = {" ".join(SENTENCE[a:b]): certainty for a, b, _, certainty in tagger.spans(SENTENCE, [True] * len(SENTENCE))}
    assert {"Grb2", "EGF receptor", "Sos1"} <= set(found)
    assert not any("HeLa" in name or "cells" in name for name in found)
    assert all(0 < certainty < 1 for certainty in found.values())
    assert found["Grb2"] > 0.7


def test_the_certainty_is_the_strict_probability_calibrated(tagger):
    texts = ["The", "protein", "kinase", "family", "binds", "Sos1", "and", "Grb2", "."]
    graded = tagger.graded_spans(texts, [True] * len(texts))
    certain = tagger.spans(texts, [True] * len(texts))
    slope, intercept = tagger.model.calibration[0]
    for (first, after, kind, likely), found in zip(graded, certain, strict=True):
        odds = slope * np.log(likely / (1 - likely)) + intercept
        assert found == (first, after, kind, pytest.approx(1 / (1 + np.exp(-odds)), rel=1e-3))
    by_name = {" ".join(texts[first:after]): certainty for first, after, _, certainty in certain}
    assert by_name["Grb2"] > max((sure for name, sure in by_name.items() if "family" in name), default=0)


def test_spellings_that_are_forgotten_are_weighed_again(tagger, monkeypatch):
    fresh = GeneTagger(tagger.model, tagger._known)
    before = fresh.scores(SENTENCE, [True] * len(SENTENCE))
    monkeypatch.setattr(tagger_module, "REMEMBERED", len(SENTENCE) + 3)
    for number in range(20):
        fresh.scores([f"word{number}", "Ras"], [True, True])
    assert np.array_equal(fresh.scores(SENTENCE, [True] * len(SENTENCE))[0], before[0])
    assert len(fresh._rows) <= len(SENTENCE) + 3


def test_each_type_has_its_names_and_none_overlap():
    text = "Imatinib blocks ABL1 in K562 cells of patients with leukemia; E2 is 17beta-estradiol."
    mentions = Pipeline(types=["protein", "chemical", "disease", "cell"])(text).mentions
    found = {mention.text: mention.type for mention in mentions}
    assert found["Imatinib"] == found["17beta-estradiol"] == "chemical"
    assert (found["ABL1"], found["K562 cells"], found["leukemia"]) == ("protein", "cell", "disease")
    assert all(before.end <= after.start for before, after in pairwise(mentions))


def test_a_gene_is_less_certain_where_the_text_has_its_name_as_a_chemical():
    class Finds:
        fingerprint = "finds"

        def __init__(self, *found: PredictedMention) -> None:
            self.found = found

        def mentions(self, words: object) -> list[PredictedMention]:
            return list(self.found)

    text = "VK2 binds BAK1 and VK2 is a vitamin"
    genes_found = [PredictedMention(start, start + 3, "protein", (), 0.8) for start in (0, 19)]
    bak1 = PredictedMention(10, 14, "protein", (), 0.9)
    taggers = Taggers(Finds(*genes_found, bak1), Finds(PredictedMention(19, 22, "chemical", (), 0.75)))
    found = {one.start: one.certainty for one in taggers.mentions(_words(text))}
    assert found == {0: pytest.approx(0.2), 10: 0.9, 19: pytest.approx(0.2)}


def _words(text: str) -> Words:
    spans = tuple((match.start(), match.end()) for match in re.finditer(r"\S+", text))
    tokens = tuple(text[start:end] for start, end in spans)
    groups = tuple((number, number + 1) for number in range(len(spans)))
    return Words(tokens, (True,) * len(tokens), spans, tokens, groups, (None,) * len(tokens))


def test_threads_share_it(tagger):
    fresh = GeneTagger(tagger.model, tagger._known)
    sentences = [[f"Ras{number}", "binds", f"Raf{number % 7}", "."] for number in range(400)] * 2
    expected = [tagger.spans(texts, [True] * 4) for texts in sentences]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda texts: fresh.spans(texts, [True] * 4), sentences)) == expected


def test_text_is_cut_where_sentences_end():
    text = "Ras binds Raf. It binds MEK, e.g. in\n\nHeLa cells. coli"
    words = words_of_text(Document("d", text), Pipeline(entities="none")._model.tokenize)
    pieces = [" ".join(words.texts[first:after]) for first, after in stretches(words)]
    assert pieces == ["Ras binds Raf .", "It binds MEK , e.g. in", "HeLa cells . coli"]


def test_the_tagger_is_part_of_the_key_of_the_cache_and_not_of_the_parse(monkeypatch):
    """Models fitted before stay valid: the source of parses is the same with another tagger."""
    before = Pipeline()
    fingerprint = before._model.fingerprint
    monkeypatch.setattr(genes, "VERSION", "0.0.0")
    after = Pipeline()
    assert after._model.fingerprint != fingerprint
    assert str(before.source) == str(after.source) == "biomed_en 1.0.0 (craft)"


def test_mentions_of_the_pipeline_carry_the_certainty():
    document = Pipeline()("Grb2 binds to Sos1.")
    assert [mention.text for mention in document.mentions] == ["Grb2", "Sos1"]
    assert all(0 < mention.certainty < 1 for mention in document.mentions)


def test_a_receptor_is_found_whole_though_an_abbreviation_stands_in_its_name():
    text = "PU.1 induces the macrophage colony-stimulating factor (M-CSF) receptor."
    found = Pipeline(types=["protein"])(text)
    assert [m.text for m in found.mentions] == ["PU.1", "macrophage colony-stimulating factor (M-CSF) receptor"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The gene rsfA is under the control of both sigma(F) and sigma(G).", {"rsfA", "sigma(F)", "sigma(G)"}),
        ("Both SigK and GerE were essential for ykvP expression.", {"SigK", "GerE", "ykvP"}),
        ("Phosphorylated ComA binds to the srfA promoter.", {"ComA", "srfA"}),
    ],
)
def test_genes_of_bacteria_are_found_that_no_list_has(text, names):
    """Once missed: *sigma(F)*, *GerE*; and ComA was the disease of that name."""
    assert {mention.text for mention in Pipeline(types=["protein"])(text).mentions} == names
