"""Which hash functions suit the text: each kind offered makes its codes, and held-out training documents decide.

The paper chooses between nearest neighbours and maximum margin on 10 % of the training points, held out at random. But most
candidates share their sequence with another one: held out at random, AIMed and BioInfer look as easy as AUC .88 and .91, held
out by documents they are at .78 and .76. So whole documents are held out here, by the same chooser that compares classifiers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from relhash.candidates import StructureSet
from relhash.hashing.trace import Progress
from relhash.kernels import WordVectors
from relhash.learn import FeatureMap
from relhash.learn.classifier import Choice
from relhash.learn.codes import make_code
from relhash.learn.decision import Decision
from relhash.learn.part import Text
from relhash.model.recipe import Recipe

FEWEST_LABELS = 200
"""With fewer labels, or a class of one, the first kind is taken: the choice would be a throw of dice."""


@dataclass(frozen=True, eq=False)
class FittedFeatures:
    """The preset with its hash functions chosen, its features, and their rows for both texts.

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
    preset: Recipe,
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
    """Fit the features of a preset; of several ``learner_choices`` those with the best out-of-fold average precision.

    ``y`` holds True, False, or None for a candidate without a label, ``documents`` the document of each.
    """
    labels = np.asarray(y, dtype=object)
    labelled = np.flatnonzero([label is not None for label in labels])
    gold = labels[labelled].astype(bool)
    choices: list[Mapping[str, Any]] = [dict(one) for one in preset.learner_choices] or [{}]
    if labelled.size < FEWEST_LABELS or min(gold.sum(), (~gold).sum()) < 2:
        choices = choices[:1]
    made: list[FittedFeatures] = []
    for choice in choices:
        settled = replace(preset, learner={**preset.learner, **choice}, learner_choices=())
        code = None
        if settled.has_codes:
            code = make_code(
                settled.views, settled.learner, settled.kernel,
                vectors=vectors, random_state=random_state, n_jobs=n_jobs, callback=callback,
            )  # fmt: skip
        features = FeatureMap(settled.parts, code)
        texts = features.learn(X, target=target, y=labels)
        rows, target_rows = features.fit_parts(*texts)
        judged = None
        if len(choices) > 1:
            judged = Decision.choose(
                settled.decision,
                rows[labelled],
                gold,
                np.asarray(documents)[labelled],
                columns=features.columns,
                random_state=random_state,
                n_jobs=n_jobs,
            )
        made.append(FittedFeatures(settled, features, rows, target_rows, judged, *texts))
    return max(made, key=lambda one: 0.0 if one.choice is None else one.choice.average_precision)
