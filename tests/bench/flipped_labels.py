"""A data set in which every label of the test rows is the opposite of what it was, and quick forms of all systems."""

from __future__ import annotations

import copy
from dataclasses import replace

from relhash.bench.systems.system import PresetSystem
from relhash.corpus import Argument, Relation
from relhash.learn import CommitteeClassifier, ForestClassifier


def flipped(dataset, rows):
    """The data set with all labels of ``rows`` turned round, also in the documents that its candidates point to."""
    turned = copy.copy(dataset)
    turned._views, turned._columns = {}, {}  # nothing that was computed before
    turned.y = dataset.y.copy()
    turned.y[rows] = ~dataset.y[rows]
    by_document = {}
    for row in rows:
        by_document.setdefault(id(dataset.candidates[row].document), []).append(dataset.candidates[row])
    documents = {key: flipped_document(members[0].document, members) for key, members in by_document.items()}
    turned.candidates = list(dataset.candidates)
    for row in rows:
        old = dataset.candidates[row]
        types = () if old.is_positive else ("flipped",)
        turned.candidates[row] = replace(old, relations=types, document=documents[id(old.document)])
    return turned


def flipped_document(document, members):
    """The document with relations between exactly those pairs that had none."""
    relations = tuple(
        Relation(f"flipped{number}", "flipped", tuple(map(Argument, one.roles, (mention.id for mention in one.mentions))))
        for number, one in enumerate(members)
        if not one.is_positive
    )
    return replace(document, relations=relations, attributes=())


def quick_preset(preset):
    """The preset with few bits and small forests; everything else, also every choice that it makes, as it is."""
    learner = {**preset.learner, "n_bits": 6}
    if learner.get("supervised"):
        learner |= {"n_shared": 5, "n_candidates": 2, "n_trial_bits": 5, "max_points": 50}
    if "network" in learner:
        learner["network"] = {**learner["network"], "layers": 1, "units": 2}
    decision = replace(
        preset.decision,
        classifiers=tuple(map(_quick, preset.decision.classifiers)),
        few_label_classifiers=tuple(map(_quick, preset.decision.few_label_classifiers)),
        n_folds=2,
    )
    return replace(preset, learner=learner, decision=decision)


def quick(system):
    """A system with its preset made quick."""
    if isinstance(system, PresetSystem):
        return replace(system, preset=quick_preset(system.preset))
    return system


def _quick(classifier):
    if isinstance(classifier, ForestClassifier):
        return replace(classifier, n_trees=4)
    if isinstance(classifier, CommitteeClassifier):
        return replace(classifier, members=tuple(replace(m, classifier=_quick(m.classifier)) for m in classifier.members))
    return classifier
