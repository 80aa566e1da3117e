"""From text that is read to a model: labels, prior, codes and features, decision, model, in the order of :func:`learned_model`.

Reading comes first (:mod:`relhash.model.training_text`); :class:`~relhash.model.RelationExtractor` holds the settings.
"""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.metadata import version
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse, special

import relhash
from relhash.biomed.assertion import Assertion
from relhash.candidates import StructureSet, build_structures
from relhash.candidates.candidate import Candidate
from relhash.candidates.scene import scenes
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.candidates.statement import assertion_of_scene
from relhash.codec import plain
from relhash.files import today
from relhash.hashing.trace import Progress, Step
from relhash.kernels import WordVectors
from relhash.learn import FeatureMap
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import Choice, Fitting, both_classes
from relhash.learn.codes import make_code
from relhash.learn.correction import (
    DRAWN,
    OTHER_TEXT,
    PRIOR,
    CorrectionClassifier,
    FittedCorrection,
    clipped_log_odds,
    corrected,
    held_out_log_odds,
)
from relhash.learn.decision import Decision
from relhash.learn.end_to_end import EndToEnd
from relhash.learn.labels import are_all_pairs, example_of, training_labels
from relhash.learn.metrics import measure, oracle_threshold
from relhash.learn.part import Text
from relhash.learn.relation_types import FEW, RelationTypes
from relhash.learn.threshold import CUT, choose_threshold
from relhash.model.adaptation import UNLABELLED, Seen, familiarity_of
from relhash.model.card import counts_of
from relhash.model.estimates import Gain, JudgedRows, rows_changed
from relhash.model.fitted import FittedModel
from relhash.model.judging import paths_and_kinds, rows_accepted
from relhash.model.prior import ChosenPrior, choose_prior, prior_note
from relhash.model.reading.found_names import judged_names, with_one_cut
from relhash.model.recipe import Recipe, name_of
from relhash.model.training_text import TrainingText

if TYPE_CHECKING:
    from relhash.model.extractor import RelationExtractor

SOURCE = "source"
"""Metadata of documents that says which corpus they come from, for classifiers that learn from several."""
FEWEST_LABELS = 200
"""With fewer labels, or a class of one, the first kind of hash functions is taken: there is too little to choose by."""
MOST_DOUBLED = 400
"""Labels up to which the card says what more would add."""


def learned_model(
    settings: RelationExtractor,
    recipe: Recipe,
    prior_wanted: FittedModel | str | os.PathLike[str] | None,
    text: TrainingText,
    labels: int | Mapping[str, bool] | None,
    callback: Callable[[Progress], object] | None = None,
) -> FittedModel:
    """Everything after the reading; without any label the prior alone decides."""
    seed, n_jobs = settings.random_state, settings.n_jobs
    labelled = TrainingLabels.of(text, labels, negated_are_negative=settings.negated_are_negative, random_state=seed)
    prior, why = choose_prior(prior_wanted, text, labelled.candidates)
    has_labels = bool(labelled.rows.size)
    asked_threshold = recipe.decision.threshold
    if prior is not None:
        recipe = replace(recipe, parts=(*recipe.parts, prior.part))

    train = build_structures(text.learned_from, recipe.all_views)
    target = build_structures(text.target, recipe.all_views) if text.train and text.target else None
    made = fit_features(
        recipe,
        train,
        target if recipe.use_target else None,
        labelled.visible,
        labelled.documents,
        vectors=settings.vectors,
        random_state=seed,
        n_jobs=n_jobs,
        callback=callback,
    )
    if target is not None and made.target_rows is None:
        made = replace(made, target_rows=made.features.transform(target))

    if prior is not None and not has_labels:
        decision = _prior_alone(prior, made)
    else:
        how: Fitting = {"columns": made.features.columns, "random_state": seed, "n_jobs": n_jobs, **labelled.sources}
        decision = Decision.fit(
            made.settings.decision,
            made.rows[labelled.rows],
            labelled.gold,
            labelled.documents[labelled.rows],
            target=made.target_rows,
            choice=made.choice,
            # a threshold that a person has chosen is not bent by a prior, nor because labels were picked
            picked=settings.threshold is None and (prior is not None or not labelled.are_all_pairs),
            groups=text.policy.groups(labelled.candidates),
            origins=labelled.origins,
            examples=[example_of(one, gold) for one, gold in zip(labelled.candidates, labelled.gold.tolist(), strict=True)],
            prior_cut=CUT if prior is None else prior.model.decision.cut,
            **how,
        )

    rule = _end_to_end(asked_threshold, made, decision, text, prior)
    card = _card(name_of(settings.preset), seed, made, decision, labelled, prior_note(prior, decision, why))
    if prior is not None and not has_labels:
        types = RelationTypes(prior.model.relation_types.names[:1])
        card |= {"entity_types": prior.model.card.get("entity_types", []), "relation_types": list(types.names)}
    else:
        types = _types(made, text, labelled.rows[labelled.gold])
    learned = sentence_hashes(labelled.candidates)
    read_later, later = (train, made.text) if target is None else (target, made.target_text)
    model = FittedModel(
        preset=name_of(settings.preset),
        settings=made.settings,
        features=made.features,
        decision=decision,
        relation_types=types,
        policy=text.policy,
        pair_types=text.pair_types,
        parses=text.parses,
        parse_source=text.parse_source,
        training_sentences=np.unique(learned if prior is None else np.concatenate([learned, prior.model.training_sentences])),
        card=card | _gained(made, decision, rule, labelled, prior),
        random_state=seed,
        familiar=familiarity_of(
            made.features, read_later, text.target or text.train, None if later is None else later.known_codes
        ),
        end_to_end=rule,
        seen=_seen(made, train, labelled.visible),
    )
    if made.target_rows is None or not text.target:
        return model
    return replace(model, card={**model.card, "rows": rows_accepted(model, text.target, made.target_rows)})


@dataclass(frozen=True, eq=False)
class TrainingLabels:
    """Labels of the candidates of a text: ``rows`` have one, ``y`` is meaningless for the others."""

    text: TrainingText
    rows: NDArray[np.int64]
    y: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        text: TrainingText,
        labels: int | Mapping[str, bool] | None,
        *,
        negated_are_negative: bool = False,
        random_state: int = 0,
    ) -> TrainingLabels:
        """So many labels, or those given by :attr:`Candidate.key`; both classes must be among them.

        Text without a labelled side has none.
        """
        if not text.train:
            return cls(text, np.empty(0, np.int64), np.zeros(len(text.target), bool))
        rows, y = training_labels(text.train, labels, random_state)
        if negated_are_negative:
            y = without_negated(text.train, y)
        both_classes(y[rows])
        return cls(text, rows, y)

    @cached_property
    def candidates(self) -> list[Candidate]:
        """Those that have a label."""
        return [self.text.train[number] for number in self.rows]

    @property
    def gold(self) -> NDArray[np.bool_]:
        """Their labels."""
        return self.y[self.rows]

    @cached_property
    def documents(self) -> NDArray[np.str_]:
        """The document of every candidate."""
        return np.array([candidate.document.id for candidate in self.text.learned_from])

    @cached_property
    def visible(self) -> NDArray[np.object_]:
        """The label of every candidate, None where there is none."""
        seen = np.full(len(self.text.learned_from), None, object)
        seen[self.rows] = self.gold
        return seen

    @cached_property
    def are_all_pairs(self) -> bool:
        """Whether all pairs of their sentences have a label, so that the labels tell how common relations are."""
        text = self.text
        return not text.train or are_all_pairs(text.train, self.rows, text.policy, text.pair_types.allow, text.grounded)

    @cached_property
    def origins(self) -> NDArray[np.int64]:
        """Which labels are of other text than that to adapt to."""
        if not self.text.target:
            return np.full(self.rows.size, DRAWN)
        is_here = np.isin(sentence_hashes(self.candidates), sentence_hashes(self.text.target))
        return np.where(is_here, DRAWN, OTHER_TEXT)

    @property
    def sources(self) -> Fitting:
        """The corpus of each labelled candidate, where there are several."""
        found = np.array([candidate.document.metadata.get(SOURCE, "") for candidate in self.candidates])
        return {"sources": found} if np.unique(found).size > 1 else {}


def without_negated(candidates: Sequence[Candidate], y: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``y``, but false wherever the sentence denies the relation (BioInfer labels *A does not bind B* like *A binds B*)."""
    positive = np.flatnonzero(y).tolist()
    changed = y.copy()
    for number, scene in zip(positive, scenes([candidates[i] for i in positive]), strict=True):
        changed[number] = assertion_of_scene(scene) is not Assertion.NEGATED
    return changed


@dataclass(frozen=True, eq=False)
class FittedFeatures:
    """A recipe with its hash functions chosen, its features, and their rows for both texts.

    ``choice`` is the classifier that was chosen on these features, where hash functions had to be compared by it. ``text`` and
    ``target_text`` are what the parts were fitted on, with the codes that were found on the way.
    """

    settings: Recipe
    features: FeatureMap
    rows: sparse.csr_matrix
    target_rows: sparse.csr_matrix | None
    choice: Choice | None = None
    text: Text | None = None
    target_text: Text | None = None


def fit_features(
    recipe: Recipe,
    X: StructureSet,
    target: StructureSet | None,
    y: ArrayLike,
    documents: ArrayLike,
    *,
    vectors: WordVectors | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    callback: Callable[[Progress], object] | None = None,
) -> FittedFeatures:
    """Fit the features of a recipe; of several ``learner_choices`` those with the best out-of-fold average precision.

    ``y`` holds True, False, or None for a candidate without a label, ``documents`` the document of each. The paper chooses on
    candidates held out at random; most share their sequence with another one, so whole documents are held out here.
    """
    labels = np.asarray(y, dtype=object)
    labelled = np.flatnonzero([label is not None for label in labels])
    gold = labels[labelled].astype(bool)
    choices: list[Mapping[str, Any]] = [dict(one) for one in recipe.learner_choices] or [{}]
    if labelled.size < FEWEST_LABELS or min(gold.sum(), (~gold).sum()) < 2:
        choices = choices[:1]
    how: dict[str, Any] = {"random_state": random_state, "n_jobs": n_jobs}
    made: list[FittedFeatures] = []
    for choice in choices:
        settled = replace(recipe, learner={**recipe.learner, **choice}, learner_choices=())
        code = None
        if settled.has_codes:
            code = make_code(settled.views, settled.learner, settled.kernel, vectors=vectors, callback=callback, **how)
        features = FeatureMap(settled.parts, code)
        rows, target_rows, *texts = features.fit_transform(X, target=target, y=labels)
        judged = None
        if len(choices) > 1:
            groups = np.asarray(documents)[labelled]
            judged = Decision.choose(settled.decision, rows[labelled], gold, groups, columns=features.columns, **how)
        made.append(FittedFeatures(settled, features, rows, target_rows, judged, *texts))
    return max(made, key=lambda one: 0.0 if one.choice is None else one.choice.average_precision)


def _prior_alone(prior: ChosenPrior, made: FittedFeatures) -> Decision:
    """The prior, which no label has corrected yet."""
    columns, rows = dict(made.features.columns), made.rows
    features = rows[:, : columns.pop(PRIOR).start]
    classifier = corrected(np.zeros(0), features[:0], np.zeros(0, bool), columns, background=features)
    calibration, scores = Calibration.line(1.0, 0.0), classifier.scores(rows)
    strategy = made.settings.decision.threshold
    unknown = np.zeros(scores.size, bool)
    threshold = choose_threshold(strategy, unknown, scores, target=scores, calibration=calibration, cut=CUT)
    if threshold.expected is not None:
        calibration = calibration.moved_to(threshold.expected, scores)
    return Decision(
        classifier=classifier,
        kind=CorrectionClassifier.kind,
        calibration=calibration,
        threshold=threshold,
        chosen=f"the prior {prior.name} alone",
        accepted=float(threshold.labels(scores).mean()),
    )


def _end_to_end(
    asked_threshold: str | float, made: FittedFeatures, decision: Decision, text: TrainingText, prior: ChosenPrior | None
) -> EndToEnd:
    """What rows of raw text need: as the prior has it, if it was calibrated there; else by the text to adapt to."""
    rule = EndToEnd() if prior is None else prior.model.end_to_end
    if rule.knows_pairs and asked_threshold == "fraction":
        return rule
    rule = replace(rule, threshold=None)  # a person has chosen another
    if made.target_rows is None or not text.target or decision.threshold.fraction is None:
        return rule
    _, pairs, labels = decision.decide(made.target_rows, text.policy.groups(text.target))
    return with_one_cut(rule, text.target_names, pairs, labels)


def _seen(made: FittedFeatures, structures: StructureSet, labels: NDArray[Any]) -> Seen | None:
    """The codes of the training text with its labels, as far as the model may know them."""
    if made.features.code is None or all(label is None for label in labels):
        return None
    known = None if made.text is None else made.text.known_codes
    codes = made.features.code.learner.codes(structures) if known is None else known
    return Seen.of(codes, np.array([UNLABELLED if label is None else int(label) for label in labels], np.int8))


def _types(made: FittedFeatures, text: TrainingText, positive: NDArray[np.int64]) -> RelationTypes:
    """What names the type of a relation; nothing where the candidates suppose theirs already."""
    found = [text.train[number] for number in positive]
    types = [candidate.relations for candidate in found]
    if all(text.policy.given_type(candidate) is not None for candidate in found) or len({*chain(*types)}) < 2:
        return RelationTypes([*chain(*types)][:1] or ["relation"])
    paths = paths_and_kinds(found, made.settings.all_views)
    return RelationTypes.fit(made.rows[positive], types, made.features.columns, *paths, background=made.rows)


def _card(
    preset: str, seed: int, made: FittedFeatures, decision: Decision, labelled: TrainingLabels, prior: Mapping[str, Any]
) -> dict[str, Any]:
    """Plain data for JSON: what was to be done, with which recipe in the end, and what came of it."""
    text, recipe = labelled.text, made.settings
    train, gold, scores = text.train, labelled.gold, decision.out_of_fold
    training_side = None
    if scores is not None:
        measured = measure(gold, scores, scores >= oracle_threshold(gold, scores)[0])
        training_side = {
            "auc": measured.auc,
            "average_precision": measured.average_precision,
            "f1_at_best_threshold": measured.f1_oracle,
            "how": "cross-validation on the training text, whole documents held out",
        }
    return {
        "made": today(),
        "relhash": relhash.__version__,
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "scikit-learn": version("scikit-learn")},
        "preset": preset,
        "summary": recipe.summary,
        "training": {
            **counts_of(train),
            "labelled": int(labelled.rows.size),
            "positive": int(gold.sum()),
            "all_pairs": labelled.are_all_pairs,
        },
        "adapted_to": counts_of(text.target) if text.target else None,
        "relation_types": sorted({name for one in labelled.candidates for name in one.relations}),
        "entity_types": sorted({mention.type for one in train for mention in one.mentions if mention is not one.trigger}),
        "parses": text.parse_source,
        "classifier": decision.chosen,
        "classifiers_compared": {name: dict(values) for name, values in decision.table.items()},
        "threshold": decision.threshold.to_dict(),
        "accepted": decision.accepted,
        "calibration": decision.calibration.kind,
        "training_side": training_side,
        "views": list(recipe.views) if recipe.has_codes else [],
        "parts": list(recipe.part_names),
        "learner": plain(recipe.learner),
        "prior": dict(prior),
        "trace": _trace(made.features) if labelled.rows.size else None,
        "few_labels": recipe.decision.few_labels,
        "n_folds": recipe.decision.n_folds,
        "seed": seed,
    }


def _trace(features: FeatureMap) -> dict[str, Any] | None:
    """How the hash functions were learned, trial by trial: the objective, and which functions were not kept."""
    learner = None if features.code is None else features.code.learner
    steps = [step for step in getattr(learner, "trace_", ()) if isinstance(step, Step)]  # with labels there is no such trace
    if not steps:
        return None
    return {
        "objective": [round(step.objective, 4) for step in steps],
        "rejected": [step.trial for step in steps if not step.accepted],
        "deleted": [step.trial for step in steps if step.deleted_at is not None],
    }


def _gained(
    made: FittedFeatures, decision: Decision, rule: EndToEnd, labelled: TrainingLabels, prior: ChosenPrior | None
) -> dict[str, Any]:
    """What the labels have changed against the prior: on themselves, held out, and in the text to adapt to."""
    fitted = decision.classifier
    if prior is None or not isinstance(fitted, FittedCorrection) or decision.out_of_fold is None:
        return {}
    rows, documents = made.rows[labelled.rows], labelled.documents[labelled.rows]
    before, own = fitted.prior(rows), rows[:, : rows.shape[1] - 1]
    half = None
    if labelled.rows.size <= MOST_DOUBLED:
        half = held_out_log_odds(fitted, before, own, labelled.gold, documents, n_folds=2, origins=labelled.origins)
    cuts = prior.model.decision.cut, decision.cut
    gain = Gain.of(labelled.gold, before, clipped_log_odds(decision.out_of_fold), documents, half, cuts)
    judged = _target_rows(made, decision, rule, labelled.text, prior)
    counts = Counter(name for candidate in labelled.candidates for name in candidate.relations)
    lines = gain.lines(prior.name, judged if len(counts) < 2 else None)  # types are what labels add, too
    if judged:
        counted, *named = rows_changed(labelled.text.target, *judged)
        lines += [f"in the text to adapt to: {counted}", *named]
    few = [f"{name} ({count})" for name, count in counts.items() if count < FEW and len(counts) > 1]
    if few:
        lines.append(f"types with fewer than {FEW} rows, hardly known: {', '.join(few)}")
    return {"gain": lines}


def _target_rows(
    made: FittedFeatures, decision: Decision, rule: EndToEnd, text: TrainingText, prior: ChosenPrior
) -> tuple[JudgedRows, JudgedRows] | None:
    """The rows of the text to adapt to as the prior judges them, and as the model does."""
    if made.target_rows is None or not text.target or not isinstance(decision.classifier, FittedCorrection):
        return None
    pairs = special.expit(decision.classifier.prior(made.target_rows))
    names = text.target_names
    before = judged_names(prior.model.end_to_end, names, pairs, pairs >= prior.model.decision.cut)
    _, pairs, labels = decision.decide(made.target_rows)
    return before, judged_names(rule, names, pairs, labels)
