"""A model as the prior of another: found, fitted, stored inside or by reference, refused where it does not fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import relhash
from relhash.corpus import Corpus
from relhash.corpus.read_write import demo_corpora
from relhash.errors import ModelFileError, ParameterError
from relhash.learn.correction import FittedCorrection
from relhash.learn.end_to_end import EndToEnd
from relhash.learn.threshold import CUT, parse_strategy
from relhash.model import FittedModel, RelationExtractor
from relhash.model.model_file import shipped_models
from relhash.model.prior import PriorPart, _shipped, load_prior
from tests.model.changed_text import of_chemicals

SMALL = {"preset": "best", "learner": {"n_bits": 10}, "views": ["between"], "random_state": 0}


@pytest.fixture(scope="module")
def corpora():
    return demo_corpora()


@pytest.fixture(scope="module")
def prior(corpora) -> FittedModel:
    """A model of half of the abstracts."""
    abstracts, _ = corpora
    return RelationExtractor(**SMALL, prior=None).fit(Corpus.of(abstracts.documents[::2])).model_


@pytest.fixture(scope="module")
def rest(corpora) -> Corpus:
    abstracts, _ = corpora
    return Corpus.of(abstracts.documents[1::2])


@pytest.fixture(scope="module")
def model(prior, rest, corpora) -> FittedModel:
    return RelationExtractor(**SMALL, prior=prior).fit(rest, adapt_to=corpora[1], labels=60).model_


def test_labels_correct_the_prior_and_the_card_says_so(model):
    assert isinstance(model.decision.classifier, FittedCorrection)
    assert model.card["prior"]["name"] == "best"
    assert model.card["prior"]["slope"] == model.decision.classifier.terms.slope > 0
    assert "prior: best; log-odds" in relhash.model.card.card_text(model.card)
    rule, cut = parse_strategy(model.decision.threshold.strategy)
    assert (rule, cut) == ("fixed", pytest.approx(CUT, abs=0.05))  # sixty labels move it a little
    said = relhash.model.card.card_text(model.card)
    assert "your 60 labels, each judged without those of its document: " in said
    assert "in the text to adapt to:" in said


def test_labels_that_name_types_are_not_called_superfluous(tmp_path):
    """Nothing but the types was new in a sheet of three each, and its reader was told to do without them."""
    rows = "[E1]Aspirin[/E1] inhibits [E2]COX-1[/E2].,{}\n[E1]Insulin[/E1] activates [E2]AKT1[/E2].,{}\n"
    rows += "[E1]Imatinib[/E1] inhibits [E2]ABL1[/E2].,{}\n[E1]TNF[/E1] and [E2]aspirin[/E2] were measured.,0\n"
    said = {}
    for labels in (("inhibits", "activates", "inhibits"), (1, 1, 1)):
        (tmp_path / "sheet.csv").write_text("text,label\n" + rows.format(*labels), encoding="utf-8")
        (tmp_path / "text.txt").write_text("Celecoxib inhibits COX-2.\nIL-6 activates STAT3.\n", encoding="utf-8")
        fitted = RelationExtractor().fit(tmp_path / "sheet.csv", adapt_to=tmp_path / "text.txt").model_
        said[labels] = any("as well without them" in line for line in fitted.card["gain"])
    assert said == {("inhibits", "activates", "inhibits"): False, (1, 1, 1): True}


def test_what_the_prior_knows_of_raw_text_is_inherited(prior, rest, corpora):
    """58 labels and --adapt made rows of raw text worse than no label: names and pairs were taken at face value again."""
    rule = EndToEnd(1.1, 0.5, 0.5, 0.4, {"id": 1.9}, {"fusion": -3.5}, threshold=0.47)
    calibrated = replace(prior, end_to_end=rule)
    how = {"adapt_to": corpora[1], "labels": 60}
    assert RelationExtractor(**SMALL, prior=calibrated).fit(rest, **how).model_.end_to_end == rule
    chosen = RelationExtractor(**SMALL, prior=calibrated, threshold=0.8).fit(rest, **how).model_
    assert chosen.end_to_end == replace(rule, threshold=None)


def test_a_prior_of_ones_own_is_inside_the_file(model, corpora, tmp_path):
    model.save(tmp_path / "m.relhash")
    again = relhash.load(tmp_path / "m.relhash")
    np.testing.assert_array_equal(again.scores(corpora[1]), model.scores(corpora[1]))


def test_rows_do_not_depend_on_each_other(model, corpora):
    documents = corpora[1].documents[:6]
    together = model.scores(documents)
    apart = np.concatenate([model.scores([document]) for document in documents])
    np.testing.assert_array_equal(together, apart)


def test_sentences_of_the_prior_count_as_trained_on(model, prior):
    assert np.isin(prior.training_sentences, model.training_sentences).all()


def test_without_labels_the_prior_is_the_model(prior, corpora):
    target = corpora[1]
    alone = RelationExtractor(**SMALL, prior=prior).fit(None, adapt_to=target).model_
    np.testing.assert_allclose(alone.predict_proba(target), prior.predict_proba(target), atol=0.001)
    assert alone.decision.threshold.strategy == "fixed:0.333"
    assert alone.end_to_end == prior.end_to_end
    assert alone.hashcodes(target).shape[0] == len(alone.candidates(target))


def test_without_labels_and_without_what_is_needed_instead(prior, corpora):
    with pytest.raises(ParameterError, match="must be a prior"):
        RelationExtractor(**SMALL, prior=None).fit(None, adapt_to=corpora[1])
    with pytest.raises(ParameterError, match="text to adapt to"):
        RelationExtractor(**SMALL, prior=prior).fit(None)
    with pytest.raises(ParameterError, match="needs labels"):
        RelationExtractor(**SMALL, prior=prior, threshold="precision:0.8").fit(None, adapt_to=corpora[1])


def test_a_prior_that_knows_the_labels_by_heart_is_refused(prior, corpora):
    with pytest.raises(ParameterError, match="proves nothing"):
        RelationExtractor(**SMALL, prior=prior).fit(Corpus.of(corpora[0].documents[::2]))


def test_a_prior_with_a_prior_is_refused(model, rest):
    with pytest.raises(ParameterError, match="has a prior itself"):
        PriorPart.of(model)


def test_a_prior_for_other_types_is_refused(prior, rest):
    with pytest.raises(ParameterError, match="not learned from pairs of chemical"):
        RelationExtractor(**SMALL, prior=prior).fit(of_chemicals(rest))


def test_parses_of_another_source_leave_the_shipped_prior_aside_and_refuse_a_named_one(rest):
    fitted = RelationExtractor(**SMALL).fit(rest, labels=60).model_
    assert fitted.card["prior"]["name"] is None
    assert "--parses embedded" in fitted.card["prior"]["why"]
    assert not isinstance(fitted.decision.classifier, FittedCorrection)
    with pytest.raises(ParameterError, match="--parses embedded"):
        RelationExtractor(**SMALL, prior="ppi").fit(rest, labels=60)


def test_systems_of_the_literature_have_no_prior_by_default(rest):
    fitted = RelationExtractor("KLSH-NU-RF", learner={"n_bits": 10}, parses="embedded").fit(rest, labels=60).model_
    assert fitted.card["prior"]["name"] is None


def test_a_shipped_prior_is_a_reference_that_is_checked(tmp_path):
    ppi, name, shipped_as = load_prior("ppi")
    assert (name, shipped_as) == ("ppi", "ppi")
    part = PriorPart.of(ppi, "ppi")
    assert not part.to_arrays()
    again = PriorPart.from_arrays(part.to_arrays(), part.parameters, None)
    assert again.views == part.views
    with pytest.raises(ModelFileError, match="another version"):
        PriorPart.from_arrays(part.to_arrays(), {**part.parameters, "sha256": "0" * 64}, None)
    with pytest.raises(ModelFileError, match="does not ship"):
        _shipped("no-such-model", "")


def test_a_file_comes_before_a_shipped_model_of_its_name(prior, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    prior.save("ppi")
    assert load_prior("ppi")[2] == ""
    assert shipped_models()["ppi"].exists()


@pytest.mark.parametrize("change", [{"decision/calibration/scores": np.array([[1.0]])}, {"notes": None}])
def test_damaged_arrays_are_refused(prior, change):
    part = PriorPart.of(prior)
    arrays = {**part.to_arrays(), **change}
    with pytest.raises(ModelFileError):
        PriorPart.from_arrays({name: one for name, one in arrays.items() if one is not None}, part.parameters, None)
