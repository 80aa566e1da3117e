"""Codes learned once and reused: the same bits as before, and nothing that does not fit."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest

from relhash.candidates import build_structures
from relhash.candidates.statements import InteractionPolicy
from relhash.errors import ModelFileError, ParameterError, StructureError
from relhash.hashing.algorithm import GreedyCode
from relhash.kernels import WordVectors
from relhash.learn import ForestClassifier
from relhash.model import FittedModel, RelationExtractor, SharedCodes

SMALL = {"preset": "KLSH-NU-RF", "learner": {"n_bits": 16}}


@pytest.fixture(scope="module")
def codes(abstracts, fulltext):
    return RelationExtractor(**SMALL, random_state=3).learn_codes([abstracts, fulltext])


@pytest.fixture(scope="module")
def codes_file(codes, tmp_path_factory):
    path = tmp_path_factory.mktemp("codes") / "shared.relhash"
    codes.save(path)
    return path


def extractor(codes, **changes):
    return RelationExtractor("KLSH-NU-RF", classifier=ForestClassifier(9), codes=codes, **changes)


def test_a_fit_with_codes_learns_no_function_and_has_their_bits(codes, codes_file, abstracts, fulltext, monkeypatch, tmp_path):
    def refuse(*args, **kwargs):
        raise AssertionError("a function was learned")

    monkeypatch.setattr(GreedyCode, "grow", refuse)
    model = extractor(codes).fit(abstracts, adapt_to=fulltext, labels=60)
    from_file = extractor(codes_file).fit(abstracts, adapt_to=fulltext, labels=60)
    np.testing.assert_array_equal(model.scores(fulltext), from_file.scores(fulltext))
    X = build_structures(model.candidates(fulltext), ["path+edges"])
    np.testing.assert_array_equal(model.hashcodes(fulltext), codes.code.learner.codes(X))
    model.save(tmp_path / "m.relhash")
    np.testing.assert_array_equal(FittedModel.load(tmp_path / "m.relhash").scores(fulltext), model.scores(fulltext))
    assert model.fitted.card["codes"]["text"]["documents"] == 65


def test_fits_do_not_disturb_each_other(codes, abstracts, fulltext):
    first = extractor(codes).fit(abstracts, adapt_to=fulltext)
    before = first.scores(fulltext)
    extractor(codes, parts=("nearest", "bits"), random_state=7).fit(abstracts)
    np.testing.assert_array_equal(first.scores(fulltext), before)


def test_coordinates_are_found_on_the_text_of_the_fit_and_the_same_each_time(abstracts, fulltext):
    settings = {"views": ("path+edges", "descriptors")}
    codes = RelationExtractor(learner={"n_bits": 10}, **settings).learn_codes(abstracts)
    settings |= {"classifier": ForestClassifier(9), "parts": ("coordinates", "bits"), "codes": codes}
    fits = [RelationExtractor("best", **settings).fit(abstracts, adapt_to=fulltext) for _ in range(2)]
    np.testing.assert_array_equal(fits[0].scores(fulltext), fits[1].scores(fulltext))


def test_no_label_is_looked_at(abstracts, fulltext, codes):
    from dataclasses import replace

    from relhash.corpus import Corpus

    blank = [Corpus.of([replace(document, relations=()) for document in corpus]) for corpus in (abstracts, fulltext)]
    again = RelationExtractor(**SMALL, random_state=3).learn_codes(blank)
    one, two = codes.code.to_arrays()[0], again.code.to_arrays()[0]
    assert all(np.array_equal(one[name], two[name]) for name in one)


def test_the_same_file_for_the_same_seed(codes, codes_file, tmp_path):
    SharedCodes.load(codes_file).save(tmp_path / "again.relhash")
    assert (tmp_path / "again.relhash").read_bytes() == codes_file.read_bytes()


def test_own_vectors_travel_with_the_codes(abstracts, fulltext, tmp_path):
    words = sorted({token.text.lower() for document in abstracts for s in document.sentences for token in s.tokens})
    vectors = WordVectors(words, np.random.default_rng(0).normal(size=(len(words), 8)))
    made = RelationExtractor(**SMALL, vectors=vectors).learn_codes([abstracts, fulltext])
    made.save(tmp_path / "own.relhash")
    scores = [
        extractor(one).fit(abstracts, adapt_to=fulltext).scores(fulltext)
        for one in (made, tmp_path / "own.relhash", SharedCodes.load(tmp_path / "own.relhash", vectors=vectors))
    ]
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


class TestWhatDoesNotFit:
    @pytest.mark.parametrize(
        ("preset", "changes", "message"),
        [
            ("best", {}, r"they have the views path\+edges, the model has path\+edges, path\+context, .*codes fit --preset"),
            ("KLSH-NU-RF", {"parts": ("raw-descriptors",)}, "no hash functions"),
            ("KLSH-NU-RF", {"learner": {"n_bits": 5}}, "learner: the codes have been learned with their own"),
            ("KLSH-NU-RF", {"kernel": {"max_length": 2}}, "kernel: the codes"),
        ],
    )
    def test_another_system(self, preset, changes, message, codes, abstracts):
        with pytest.raises(ParameterError, match=message):
            RelationExtractor(preset, codes=codes, **changes).fit(abstracts)

    def test_other_candidates(self, codes, abstracts):
        with pytest.raises(ParameterError, match="they have the views"):
            RelationExtractor("KLSH-NU-RF", codes=codes, policy=InteractionPolicy()).fit(abstracts)

    def test_another_kernel_than_the_presets(self, abstracts):
        made = RelationExtractor(**SMALL, kernel={"max_length": 2}).learn_codes(abstracts)
        with pytest.raises(ParameterError, match="the kernel"):
            extractor(made).fit(abstracts)

    def test_other_parses(self, codes, abstracts):
        with pytest.raises(StructureError, match=r"codes: they were learned on parses of .*, this text has biomed_en"):
            extractor(codes, parses="embedded", cache=False).fit(list(abstracts)[:8])

    @pytest.mark.parametrize(("preset", "message"), [("KLSH-RF", "with labels"), ("nothing", "there is no 'nothing'")])
    def test_presets_that_have_no_codes_to_share(self, preset, message, abstracts):
        with pytest.raises(ParameterError, match=message):
            RelationExtractor(preset).learn_codes(abstracts)

    def test_text_without_candidates(self):
        with pytest.raises(ParameterError, match="no candidates"):
            RelationExtractor(**SMALL, cache=False).learn_codes("Nothing here.")


class TestDamage:
    def test_a_model_is_no_codes_and_codes_are_no_model(self, codes_file, small_model, abstracts, tmp_path):
        small_model.save(tmp_path / "m.relhash")
        with pytest.raises(ModelFileError, match="not a RelHash codes file; it holds a model"):
            extractor(tmp_path / "m.relhash").fit(abstracts)
        with pytest.raises(ModelFileError, match="it holds hashcodes to share"):
            FittedModel.load(codes_file)

    @pytest.mark.parametrize("changes", [{"code": {}}, {"reading": 3}, {"views": None}], ids=str)
    def test_other_manifests(self, changes, codes_file, tmp_path):
        with zipfile.ZipFile(codes_file) as source, zipfile.ZipFile(tmp_path / "c.relhash", "w") as copy:
            for name in source.namelist():
                content = source.read(name)
                if name == "manifest.json":
                    content = json.dumps({**json.loads(content), **changes}).encode()
                copy.writestr(name, content)
        with pytest.raises(ModelFileError, match=r"c\.relhash: .*understands"):
            SharedCodes.load(tmp_path / "c.relhash")
