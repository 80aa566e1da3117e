"""A preset with parts of it replaced."""

from __future__ import annotations

from relhash.learn import ForestClassifier, LinearClassifier, NgramPart
from relhash.model.fitting.adjustment import adjusted
from relhash.model.presets import preset


def test_nothing_given_changes_nothing():
    assert adjusted(preset("best")) == preset("best")


def test_single_parameters_of_learner_and_kernel_are_replaced():
    changed = adjusted(preset("KLSH-NU-RF"), learner={"n_bits": 7}, kernel={"gap_decay": 0.5})
    assert changed.learner == {**preset("KLSH-NU-RF").learner, "n_bits": 7}
    assert changed.kernel == {"gap_decay": 0.5}
    assert changed.learner_choices, "n_bits settles nothing that is up for choice"


def test_what_the_user_has_settled_is_no_longer_up_for_choice():
    assert adjusted(preset("KLSH-NU-RF"), learner={"hash_function": "margin"}).learner_choices == ()


def test_views_given_are_those_of_the_ngrams_too():
    changed = adjusted(preset("best"), views=("between", "descriptors"))
    assert changed.parts[-1] == NgramPart(["between"])


def test_a_part_that_the_preset_has_keeps_its_parameters():
    changed = adjusted(adjusted(preset("best"), views=("between",)), parts=("ngrams", "bits"))
    assert changed.parts[0] == NgramPart(["between"])
    assert changed.part_names == ("ngrams", "bits")


def test_classifiers_by_name_as_one_or_as_several():
    base = preset("best")
    assert adjusted(base, classifier="forest").decision.classifiers == (ForestClassifier(),)
    several = [LinearClassifier(0.1), LinearClassifier(1.0)]
    changed = adjusted(base, classifier=several, threshold=0.7)
    assert changed.decision.classifiers == tuple(several)
    assert changed.decision.few_label_classifiers == ()
    assert changed.decision.threshold == 0.7
