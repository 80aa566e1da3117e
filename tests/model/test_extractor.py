"""Corpora in, relations out: on the embedded corpora, through the public API."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.candidates import PairPolicy, candidates
from relhash.candidates.scene import Stage
from relhash.corpus import Corpus
from relhash.corpus.document import Argument, Document, Mention, Relation
from relhash.errors import ParameterError, RelHashWarning, StructureError
from relhash.learn import BitsPart, ForestClassifier, LinearClassifier
from relhash.model import RelationExtractor
from relhash.model.card import card_text
from relhash.model.judging import Prepared
from relhash.model.prior import AUTO_PRIOR, NO_PRIOR
from relhash.model.tables.columns import COLUMNS
from tests.model.changed_text import without_parses

TINY = {"learner": {"n_bits": 12}, "classifier": ForestClassifier(5)}


def test_learns_more_than_chance(small_model, rich_model, abstracts, fulltext):
    assert small_model.evaluate(abstracts).auc > 0.8  # on the text it was trained on: 24 bits say something
    assert rich_model.evaluate(fulltext).auc > 0.6


def test_rows_do_not_depend_on_each_other(rich_model, fulltext):
    """A relation's score is the same whatever else is in the file, whatever the order of the documents."""
    whole = dict(zip((c.key for c in rich_model.candidates(fulltext)), rich_model.scores(fulltext), strict=True))
    for documents in ([fulltext.documents[3]], fulltext.documents[::-1]):
        part = dict(zip((c.key for c in rich_model.candidates(documents)), rich_model.scores(documents), strict=True))
        assert part
        assert all(whole[key] == score for key, score in part.items())


def test_same_seed_same_model_for_any_number_of_threads(abstracts, fulltext, small_model):
    again = RelationExtractor("KLSH-NU-RF", learner={"n_bits": 24}, classifier=ForestClassifier(15), random_state=1, n_jobs=2)
    again.fit(abstracts, adapt_to=fulltext)
    np.testing.assert_array_equal(again.hashcodes(fulltext), small_model.hashcodes(fulltext))
    np.testing.assert_array_equal(again.scores(fulltext), small_model.scores(fulltext))


def test_predictions_are_the_candidates_above_the_threshold(small_model, fulltext):
    everything = small_model.predict(fulltext, all_candidates=True)
    found = small_model.predict(fulltext)
    assert len(everything) == len(small_model.candidates(fulltext))
    assert [p.candidate.key for p in everything if p.is_relation] == [p.candidate.key for p in found]
    assert all(p.score >= small_model.model_.decision.threshold.score for p in found)
    np.testing.assert_array_equal([p.probability for p in everything], small_model.predict_proba(fulltext))
    row = found[0].as_row()
    assert list(row) == list(COLUMNS)
    assert row["path"].startswith("<E1>")
    assert row["relation"] == "interaction"


def test_a_sentence_is_prepared_once_for_features_and_rows(small_model, fulltext, monkeypatch):
    """It was prepared twice, and once a list of 200 names took two minutes, preparing its sentence for each pair."""
    prepared = []
    made = Stage.__init__
    monkeypatch.setattr(Stage, "__init__", lambda self, *args, **kwargs: prepared.append(args) or made(self, *args, **kwargs))
    new = [replace(document) for document in fulltext]  # of those that other tests hold sentences are prepared already
    predictions = small_model.predict(new, all_candidates=True)
    assert all(prediction.as_row()["sentence"] and prediction.evidence.words for prediction in predictions)
    assert len(prepared) == len({(p.candidate.document.id, p.candidate.sentence) for p in predictions}) < len(predictions)


def test_few_labels_and_given_labels(abstracts, fulltext):
    few = RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, adapt_to=fulltext, labels=60)
    assert few.model_.card["training"]["labelled"] == 60
    candidates = few.candidates(abstracts)
    chosen = {candidate.key: number % 2 == 0 for number, candidate in enumerate(candidates[:40])}
    given = RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, adapt_to=fulltext, labels=chosen)
    assert given.model_.card["training"] | {"labelled": 40, "positive": 20} == given.model_.card["training"]
    with pytest.raises(ParameterError, match="no candidate"):
        RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, labels={"nowhere|T1|T2": True})
    with pytest.raises(ParameterError, match="at least"):
        RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, labels=2)


def test_without_adaptation_the_threshold_comes_from_the_training_side(abstracts):
    model = RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts)
    assert model.model_.decision.threshold.basis == "training"
    assert model.model_.card["adapted_to"] is None


def test_several_corpora_are_one(abstracts, fulltext):
    model = RelationExtractor("KLSH-NU-RF", **TINY).fit([abstracts, fulltext])
    assert model.model_.card["training"]["documents"] == len({c.document.id for c in model.candidates([abstracts, fulltext])})


class TestClearErrors:
    def test_one_class_only(self, abstracts):
        blank = Corpus.of(replace(document, relations=()) for document in abstracts)
        with pytest.raises(ParameterError, match=r"all .* labelled candidates are negative"):
            RelationExtractor("KLSH-NU-RF", **TINY).fit(blank)

    def test_no_candidates(self, abstracts):
        policy = PairPolicy(types=[("protein", "chemical")])
        with pytest.raises(ParameterError, match="no candidates"):
            RelationExtractor("KLSH-NU-RF", **TINY, policy=policy).fit(abstracts)

    def test_no_parses(self, abstracts):
        with pytest.raises(StructureError, match=r"no parses.*--parses embedded.*between"):
            RelationExtractor("KLSH-NU-RF", **TINY, parses="file").fit(without_parses(abstracts))

    def test_no_parses_in_the_target(self, abstracts, fulltext):
        with pytest.raises(StructureError, match="different sources"):
            RelationExtractor("KLSH-NU-RF", **TINY, parses="file").fit(abstracts, adapt_to=without_parses(fulltext))

    def test_no_parses_when_predicting(self, small_model, fulltext):
        with pytest.raises(StructureError, match=r"no parse, but the model was fitted .*--parses embedded"):
            small_model.predict(without_parses(fulltext))

    def test_another_parser_when_predicting(self, small_model, fulltext):
        other = Corpus.of(replace(d, sentences=tuple(replace(s, parser="other 1.0") for s in d.sentences)) for d in fulltext)
        with pytest.raises(StructureError, match=r"parsed by other 1\.0"):
            small_model.evaluate(other)

    def test_not_fitted(self, fulltext):
        with pytest.raises(ParameterError, match="not fitted"):
            RelationExtractor().predict_proba(fulltext)

    def test_unknown_names(self, abstracts):
        for arguments in ({"preset": "KLSH"}, {"parts": ("oracle",)}, {"classifier": "oracle"}, {"learner": {"bits": 5}}):
            with pytest.raises(ParameterError):
                RelationExtractor(**{"preset": "KLSH-NU-RF", **arguments}).fit(abstracts)


def test_views_without_parses_do_without(abstracts, fulltext):
    model = RelationExtractor(
        "KLSH-NU-RF", views=("between", "window(2,2)"), learner={"n_bits": 12}, classifier=LinearClassifier(0.1)
    ).fit(without_parses(abstracts), adapt_to=without_parses(fulltext))
    assert model.model_.parse_source == "none"
    assert model.evaluate(without_parses(fulltext)).n == len(model.candidates(fulltext))


def test_small_balanced_corpus_with_other_types(abstracts):
    """300 pairs of another type, as many positive as negative: defaults must not fall over."""

    def retyped(document):
        return replace(
            document,
            mentions=tuple(replace(m, type="Chemical") for m in document.mentions),
            relations=tuple(replace(r, type="effect") for r in document.relations),
        )

    small = [retyped(document) for document in abstracts.documents[:12]]
    extractor = RelationExtractor("KLSH-NU-RF", **TINY)
    found = extractor.candidates(small)
    positive = [c.key for c in found if c.is_positive]
    negative = [c.key for c in found if not c.is_positive][: len(positive)]
    model = extractor.fit(small, labels={**dict.fromkeys(positive, True), **dict.fromkeys(negative, False)})
    assert all(p.relation == "effect" for p in model.predict(small))


def test_typed_relations_are_told_apart(abstracts):
    """Two types that the words tell apart: every second kind of verb."""

    def typed(document):
        relations = []
        for relation in document.relations:
            first = document.mention_by_id[relation.targets[0]]
            sentence = next(s for s in document.sentences if s.start <= first.start < s.end)
            text = document.text[sentence.start : sentence.end].lower()
            relations.append(replace(relation, type="bind" if "bind" in text or "bound" in text else "other"))
        return replace(document, relations=tuple(relations))

    corpus = Corpus.of(typed(document) for document in abstracts)
    model = RelationExtractor("best", parts=("ngrams",), classifier=LinearClassifier(1.0)).fit(corpus)
    if len(model.model_.relation_types.names) < 2:
        pytest.skip("too few sentences with 'bind' in this part of the corpus")
    found = [p for p in model.predict(corpus, all_candidates=True) if p.candidate.is_positive]
    right = np.mean([p.relation in p.candidate.relations for p in found])
    assert right > 0.9


def test_views_given_are_those_of_the_ngrams_too(abstracts):
    """The remedy that the error about missing parses names must work for every preset."""
    model = RelationExtractor("best", views=("between", "descriptors"), parts=("ngrams",), classifier=LinearClassifier(0.1))
    model.fit(without_parses(abstracts))
    assert model.settings.all_views == ("between",)


def test_a_pair_without_a_label_is_text_and_not_a_negative_example(tmp_path):
    """A spreadsheet whose label column is partly empty: the empty rows are neither learned from nor measured on."""
    rows = ["text,label"]
    rows += [f'"[E1]A{n}[/E1] binds [E2]B{n}[/E2] today.",1' for n in range(8)]
    rows += [f'"[E1]C{n}[/E1] sees [E2]D{n}[/E2] today.",0' for n in range(8)]
    rows += [f'"[E1]U{n}[/E1] binds [E2]V{n}[/E2] today.",' for n in range(30)]
    path = tmp_path / "labels.csv"
    path.write_text("\n".join(rows) + "\n")
    model = RelationExtractor("KLSH-NU-RF", views=["between"], classifier="linear", learner={"n_bits": 12}).fit(path)
    assert model.model_.card["training"]["labelled"] == 16
    measured = model.evaluate(path)
    assert (measured.n, measured.positive) == (16, 8)
    assert measured.auc == 1.0


def test_an_interrupted_second_fit_leaves_the_first_model_whole(abstracts, fulltext):
    """State was assigned step by step: after Ctrl-C the new features went with the old classifier."""
    extractor = RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, adapt_to=fulltext)
    first, before = extractor.model_, extractor.scores(fulltext)

    def stop(step):
        if step.n_functions == 5:
            raise RuntimeError("stopped in the middle")

    extractor.set_params(learner={"n_bits": 20}, random_state=7)
    with pytest.raises(RuntimeError, match="in the middle"):
        extractor.fit(fulltext, adapt_to=abstracts, callback=stop)
    assert extractor.model_ is first
    np.testing.assert_array_equal(extractor.scores(fulltext), before)


def test_it_is_an_estimator_as_scikit_learn_knows_them(abstracts, fulltext):
    from sklearn.base import clone

    extractor = RelationExtractor("KLSH-NU-RF", **TINY, random_state=3)
    assert extractor.get_params()["learner"] == {"n_bits": 12}
    assert "KLSH-NU-RF" in repr(extractor)
    again = clone(extractor)
    assert again.get_params() == extractor.get_params()
    again.set_params(random_state=4)
    assert (again.random_state, extractor.random_state) == (4, 3)
    extractor.fit(abstracts, adapt_to=fulltext)
    assert not hasattr(clone(extractor), "model_")


class TestRefusedBeforeTheFit:
    """What a model file could not hold is refused before anything is learned, with the remedy."""

    @pytest.fixture(autouse=True)
    def _never_learns(self, monkeypatch):
        monkeypatch.setattr("relhash.model.extractor.read_training_text", lambda *args, **kwargs: pytest.fail("read the text"))

    def test_an_estimator_of_scikit_learn(self, abstracts):
        from sklearn.svm import SVC

        with pytest.raises(ParameterError, match=r"SVC.*register"):
            RelationExtractor(classifier=SVC()).fit(abstracts)

    def test_a_part_that_nobody_has_registered(self, abstracts):
        class OwnPart(BitsPart):
            name = "own"

        with pytest.raises(ParameterError, match=r"FEATURE_PARTS\.register\('own', OwnPart\)"):
            RelationExtractor("KLSH-NU-RF", parts=[OwnPart()], classifier="forest").fit(abstracts)

    def test_a_committee_without_its_parts(self, abstracts):
        with pytest.raises(ParameterError, match="needs the feature parts coordinates"):
            RelationExtractor("best", parts=["raw-descriptors", "descriptors", "ngrams"]).fit(abstracts)

    def test_names_that_do_not_exist(self, abstracts):
        for arguments in ({"views": ("sideways",)}, {"learner": {"bits": 5}}, {"threshold": "magic"}, {"kernel": {"x": 1}}):
            with pytest.raises(ParameterError):
                RelationExtractor("KLSH-NU-RF", **arguments).fit(abstracts)


def test_a_model_that_accepts_suspiciously_much_says_so(abstracts, fulltext):
    """A sheet of selected labels accepted 69 % of all pairs of new text, without a word."""
    with pytest.warns(RelHashWarning, match=r"accepts 100% of all candidates.*--expect 0\.2.*precision:0\.8"):
        model = RelationExtractor("KLSH-NU-RF", **TINY, threshold="score:0").fit(abstracts, adapt_to=fulltext).model_
    assert model.decision.accepted == model.card["accepted"] == 1.0
    scores = model.decision.decide(Prepared(model, model.candidates(fulltext)).features)[0]
    strict = RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, adapt_to=fulltext).model_
    assert strict.decision.accepted == pytest.approx((scores >= strict.decision.threshold.score).mean())
    rows = strict.card["rows"]  # as predict counts them
    assert f"accepts {rows['accepted']} relations" in card_text(strict.card)
    assert f"{rows['candidates']} candidates" in card_text(strict.card)


def test_an_expected_share_is_what_is_accepted(abstracts, fulltext):
    fitted = RelationExtractor("KLSH-NU-RF", **TINY, expect=0.1).fit(abstracts, adapt_to=fulltext).model_
    assert fitted.decision.accepted == pytest.approx(0.1, abs=0.05)
    assert fitted.predict_proba(fulltext).mean() == pytest.approx(0.1, abs=1e-6)
    assert fitted.card["threshold"]["strategy"] == "share:0.1"
    for wrong in ({"expect": 0.1, "threshold": "fraction"}, {"expect": 1.5}):
        with pytest.raises(ParameterError, match="expect="):
            RelationExtractor("KLSH-NU-RF", **TINY, **wrong).fit(abstracts)


def test_picked_labels_do_not_carry_their_fraction_over(abstracts, fulltext):
    """A sheet of 58 rows accepted 69 % of new text, because it had been picked to hold many relations."""
    found = list(candidates(abstracts))
    positive, negative = ([one.key for one in found if one.is_positive is sign] for sign in (True, False))
    picked = {**dict.fromkeys(positive[:40], True), **dict.fromkeys(negative[:10], False)}
    model = RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, adapt_to=fulltext, labels=picked).model_
    assert model.decision.threshold.strategy == "fixed:0.333"
    assert model.card["training"]["all_pairs"] is False
    assert "do not tell how common relations are" in card_text(model.card)
    asked = RelationExtractor("KLSH-NU-RF", **TINY, threshold="fraction")
    assert asked.fit(abstracts, adapt_to=fulltext, labels=picked).model_.decision.threshold.strategy == "fraction"
    complete = RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, adapt_to=fulltext).model_
    assert complete.decision.threshold.strategy == "fraction"
    assert complete.card["training"]["all_pairs"] is True


@pytest.mark.parametrize("how", [{}, {"labels": 60}])
def test_labels_of_the_target_change_nothing(abstracts, fulltext, how):
    """Every label of the text to adapt to is turned round: scores, threshold, probabilities, labels stay."""
    flipped = [_flipped(document) for document in fulltext]
    models = [
        RelationExtractor("KLSH-NU-RF", **TINY).fit(abstracts, adapt_to=text, **how).model_ for text in (fulltext, flipped)
    ]
    honest, told = (model.decision.decide(Prepared(model, model.candidates(fulltext)).features) for model in models)
    for one, other in zip(honest, told, strict=True):
        np.testing.assert_array_equal(one, other)
    assert models[0].decision.threshold == models[1].decision.threshold
    assert models[0].decision.accepted == models[1].decision.accepted


def _flipped(document):
    related = [frozenset(m.id for m in one.mentions) for one in candidates([document]) if one.is_positive]
    unrelated = [one.mentions for one in candidates([document]) if frozenset(m.id for m in one.mentions) not in related]
    relations = tuple(
        Relation(f"R{number}", "interaction", (Argument("e1", first.id), Argument("e2", second.id)))
        for number, (first, second) in enumerate(unrelated)
    )
    return replace(document, relations=relations, attributes=())


def test_identical_text_with_both_labels_warns():
    """scikit-learn's traceback: "Found array with 0 feature(s)"."""
    names = (Mention("T1", "protein", ((0, 4),), "RAF1"), Mention("T2", "protein", ((11, 15),), "MEK1"))
    relation = Relation("R1", "interaction", (Argument("e1", "T1"), Argument("e2", "T2")))
    documents = [
        Document(f"d{number}", "RAF1 binds MEK1.", mentions=names, relations=(relation,) if number % 2 else ())
        for number in range(20)
    ]
    with pytest.warns(RelHashWarning, match="look the same"):
        model = RelationExtractor("best", prior="none", cache=False).fit(documents)
    assert np.unique(model.predict_proba(documents)).size == 1


def test_one_callback_hears_of_reading_and_of_learning(abstracts):
    steps = []
    text = [Document(f"d{number}", "RAF1 binds MEK1. RAF1 and TNF were measured.") for number in range(2)]
    model = RelationExtractor("KLSH-NU-RF", **TINY, cache=False).fit(abstracts, adapt_to=text, callback=steps.append)
    phases = [(step.phase, step.done) for step in steps]
    assert phases[-1] == ("learning hash functions", steps[-1].wanted)
    steps.clear()
    model.predict(text, callback=steps.append)
    assert [(step.phase, step.done, step.remark) for step in steps] == [("reading", 1, "d0"), ("reading", 2, "d1")]


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ({}, AUTO_PRIOR),
        ({"preset": "KLSH-RF"}, NO_PRIOR),
        ({"parts": ["bits"]}, NO_PRIOR),
        ({"classifier": ForestClassifier(5)}, NO_PRIOR),
        ({"parts": ["bits"], "prior": "ppi"}, "ppi"),
    ],
)
def test_systems_of_the_literature_and_named_parts_take_no_prior_unless_they_are_told(asked, wanted):
    assert RelationExtractor(**asked)._wanted_prior == wanted
