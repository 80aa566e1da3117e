"""Recipes: with parts of them replaced, as files, and as what a model is made by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.errors import ParameterError
from relhash.learn import ForestClassifier, LinearClassifier, NgramPart
from relhash.model import PRESETS, Recipe, RelationExtractor, preset
from relhash.model.recipe import for_interactions


def test_nothing_given_changes_nothing():
    assert preset("best").adjusted() == preset("best")


def test_single_parameters_of_learner_and_kernel_are_replaced():
    changed = preset("KLSH-NU-RF").adjusted(learner={"n_bits": 7}, kernel={"gap_decay": 0.5})
    assert changed.learner == {**preset("KLSH-NU-RF").learner, "n_bits": 7}
    assert changed.kernel == {"gap_decay": 0.5}
    assert changed.learner_choices, "n_bits settles nothing that is up for choice"


def test_what_the_user_has_settled_is_no_longer_up_for_choice():
    assert preset("KLSH-NU-RF").adjusted(learner={"hash_function": "margin"}).learner_choices == ()


def test_views_given_are_those_of_the_ngrams_too():
    changed = preset("best").adjusted(views=("between", "descriptors"))
    assert changed.parts[-1] == NgramPart(["between"])


def test_a_part_that_the_preset_has_keeps_its_parameters():
    changed = preset("best").adjusted(views=("between",)).adjusted(parts=("ngrams", "bits"))
    assert changed.parts[0] == NgramPart(["between"])
    assert changed.part_names == ("ngrams", "bits")


def test_classifiers_by_name_as_one_or_as_several():
    base = preset("best")
    assert base.adjusted(classifier="forest").decision.classifiers == (ForestClassifier(),)
    several = [LinearClassifier(0.1), LinearClassifier(1.0)]
    changed = base.adjusted(classifier=several, threshold=0.7)
    assert changed.decision.classifiers == tuple(several)
    assert changed.decision.few_label_classifiers == ()
    assert changed.decision.threshold == 0.7


@pytest.mark.parametrize("name", PRESETS)
def test_every_recipe_comes_back_from_toml(name):
    for recipe in (preset(name), for_interactions(preset(name))):
        assert Recipe.from_toml(recipe.to_toml()) == recipe


def test_a_file_may_say_only_what_is_different(tmp_path):
    (tmp_path / "mine.toml").write_text('base = "KLSH-NU-RF"\n[learner]\nhash_function = "margin"\n[decision]\nn_folds = 2\n')
    mine, base = Recipe.read(tmp_path / "mine.toml"), preset("KLSH-NU-RF")
    assert mine == replace(
        base,
        learner={**base.learner, "hash_function": "margin"},
        learner_choices=(),
        decision=replace(base.decision, n_folds=2),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("views = [", "not TOML"),
        ("views = " + "[" * 3000, "not TOML"),
        ("view = []", "there is no 'view'; there are base, decision"),
        ('base = "worst"', "there is no 'worst'"),
        ('[[parts]]\nname = "oracle"', "oracle"),
        ("[decision]\nfolds = 3", "not a recipe"),
    ],
)
def test_a_file_that_is_no_recipe_is_refused_by_name(tmp_path, text, said):
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(ParameterError, match=said) as error:
        Recipe.read(tmp_path / "mine.toml")
    assert str(error.value).startswith(str(tmp_path / "mine.toml"))


def test_a_recipe_of_ones_own_makes_the_model_of_its_preset():
    from relhash.corpus.read_write import demo_corpora

    abstracts, _ = demo_corpora()
    recipe = Recipe.from_toml('base = "KLSH-kNN"\n[learner]\nn_bits = 8\n')
    mine = RelationExtractor(recipe, random_state=1).fit(abstracts).model_
    same = RelationExtractor("KLSH-kNN", learner={"n_bits": 8}, random_state=1).fit(abstracts).model_
    assert mine.preset == "recipe"
    assert mine.settings == same.settings
    assert [one.score for one in mine.predict(abstracts)] == [one.score for one in same.predict(abstracts)]
