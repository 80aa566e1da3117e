"""What a model says of candidates: features, scores, probabilities, and whether a pair is accepted.

Candidates are looked at in blocks, so that memory does not grow with the pairs of a document. A row never depends on
other sentences, so the blocks change the memory, never the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.language.assertion import Assertion
from relhash.models.identity import identity_of_fit
from relhash.models.other_names import one_row_per_statement
from relhash.models.prediction import Prediction
from relhash.models.reading.found_names import judged_rows
from relhash.models.reading.parses import check_parse_source
from relhash.structures import Candidate, StructureSet, build_structures
from relhash.structures.scene import Scene, scenes
from relhash.structures.statement import assertion_of_scene

if TYPE_CHECKING:
    from relhash.models.fitted import FittedModel

Floats = NDArray[np.float64]
Judged = tuple[Floats, Floats, NDArray[np.bool_]]
"""Scores of the pairs; probabilities of the rows, and which are accepted."""

CANDIDATES_AT_A_TIME = 4096
"""Candidates whose features are in memory at a time."""


def predictions(model: FittedModel, found: Sequence[Candidate]) -> list[Prediction]:
    """One prediction per candidate, related or not."""
    return [prediction for block in _blocks(found) for prediction in _predicted(model, block)]


def decisions(model: FittedModel, found: Sequence[Candidate]) -> Judged:
    """The same as arrays, without what is needed to show them."""
    if not found:
        return np.empty(0), np.empty(0), np.empty(0, bool)
    decided = [judged(model, block, model.features.transform(structures_of(model, block))) for block in _blocks(found)]
    scores, probabilities, labels = (np.concatenate(column) for column in zip(*decided, strict=True))
    return scores, probabilities, labels


def judged(model: FittedModel, found: Sequence[Candidate], X: Any, relations: Sequence[str] | None = None) -> Judged:
    """Of candidates whose features are known, and their types if they are relations (:func:`named`).

    The candidates of a sentence are decided jointly; what it denies counts like everything else.
    """
    scores, pairs, labels = model.decision.decide(X, model.policy.groups(found))
    probabilities, labels = judged_rows(model.end_to_end, found, pairs, labels)
    named_so = named(model, found, X) if relations is None else relations
    accepted = model.policy.consistent(found, scores.tolist(), labels.tolist(), named_so)
    return scores, probabilities, np.array(accepted, bool)


def named(model: FittedModel, found: Sequence[Candidate], X: Any) -> list[str]:
    """The type of each candidate, if it is a relation."""
    learned = zip(found, model.relation_types.predict(X), strict=True)
    return [model.policy.given_type(candidate) or relation for candidate, relation in learned]


def keeps(model: FittedModel, scene: Scene) -> bool:
    """Whether the sentence says of the pair what the model may accept (see :meth:`FittedModel.keeping`)."""
    return len(model.kept) == len(Assertion) or assertion_of_scene(scene) in model.kept


def structures_of(model: FittedModel, found: Sequence[Candidate] | Sequence[Scene]) -> StructureSet:
    """What the features are computed from; parses of another source than the model's are refused."""
    if not model.parses.uses_pipeline:
        given = [one.candidate if isinstance(one, Scene) else one for one in found]
        check_parse_source(given, model.parse_source)
    return build_structures(found, model.settings.all_views)


def _blocks(found: Sequence[Candidate]) -> Iterator[Sequence[Candidate]]:
    """The candidates of one sentence stay together: they are decided jointly."""
    first = 0
    while first < len(found):
        end = min(first + CANDIDATES_AT_A_TIME, len(found))
        last = found[end - 1]
        while end < len(found) and found[end].sentence == last.sentence and found[end].document is last.document:
            end += 1
        yield found[first:end]
        first = end


def _predicted(model: FittedModel, found: Sequence[Candidate]) -> list[Prediction]:
    prepared = list(scenes(found))  # once, for the features and for what is shown of them
    X = model.features.transform(structures_of(model, prepared))
    relations = named(model, found, X)
    rows = zip(prepared, relations, *judged(model, found, X, relations), strict=True)
    made_by = model.identity or identity_of_fit(model.preset, model.card)
    told = [
        Prediction(
            scene,
            relation,
            probability=float(probability),
            score=float(score),
            # what a sentence denies is left out last: denied of two, it is not said of one of them instead
            is_relation=bool(is_accepted) and keeps(model, scene),
            is_directed=model.policy.is_directed(scene.candidate),
            made_by=made_by,
        )
        for scene, relation, score, probability, is_accepted in rows
    ]
    return one_row_per_statement(told)
