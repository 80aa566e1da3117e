"""A fitted model moved to other text: no labels, no training text, the same codes and the same scores.

Scores shift from text to text, so a threshold that fits one text cuts another in the wrong place. What moves is the threshold
(the share of candidates that it accepted is accepted of the new text), the map to probabilities, and what is familiar.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from relhash.candidates import Candidate, StructureSet
from relhash.corpus.read_write import CorpusLike
from relhash.errors import ParameterError
from relhash.hashing.codes import unpack
from relhash.learn import FeatureMap
from relhash.learn.decision import Decision
from relhash.learn.end_to_end import EndToEnd
from relhash.model.familiarity import UNLIKE, Familiarity, sentences_of, share_is_far, some_of
from relhash.model.judging import rows_accepted
from relhash.model.reading.found_names import with_one_cut
from relhash.today import today

if TYPE_CHECKING:
    from relhash.model.fitted import FittedModel

FEWEST = 50
"""Candidates that a threshold can be moved to."""


def adapted(model: FittedModel, corpus: CorpusLike, expect: float | None = None) -> FittedModel:
    """See :meth:`FittedModel.adapted_to <relhash.model.fitted.FittedModel.adapted_to>`."""
    if expect is not None and not 0 < expect < 1:
        raise ParameterError(f"expect={expect}: the share of related pairs must lie between 0 and 1, as in 0.2")
    found = model.candidates(corpus)
    if len(found) < FEWEST:
        raise ParameterError(
            f"the text to adapt to has {len(found)} candidates (pairs of entities in a sentence); at least {FEWEST} are needed"
        )
    structures = model._structures(found)
    share = _share(model) if expect is None else expect
    of_relations = _share_of_relations(model, share) if expect is None else expect
    X = model.features.transform(structures)
    decision = model.decision.adapted_to(model.decision.decide(X)[0], share, of_relations)
    moved = replace(
        model,
        decision=decision,
        end_to_end=_moved_rule(model, decision, found, X),
        familiar=familiarity_of(model.features, structures, found),
    )
    return replace(moved, card=_card(moved, found, rows_accepted(moved, found, X)))


def _moved_rule(model: FittedModel, decision: Decision, found: Sequence[Candidate], X: Any) -> EndToEnd:
    """A cut that came from the text of before moves; one that was fitted to rows that somebody has read stays."""
    rule = model.end_to_end
    if rule.knows_pairs or decision.threshold.fraction is None:
        return rule
    _, pairs, labels = decision.decide(X, model.policy.groups(found))
    return with_one_cut(replace(rule, threshold=None), found, pairs, labels)


def _share(model: FittedModel) -> float:
    """The share of candidates that the model's threshold stands for."""
    threshold = model.decision.threshold
    if threshold.fraction is not None:
        return threshold.fraction
    accepted = model.card.get("accepted")
    if threshold.strategy.startswith("precision") and accepted is not None:  # files of earlier versions
        return float(accepted)
    raise ParameterError(
        f"the threshold of this model ({threshold.strategy}) stands for no share of the pairs, so there is nothing that has to "
        "move to other text; use it as it is, or say what share you expect (--expect 0.2, expect=0.2)"
    )


def _share_of_relations(model: FittedModel, share: float) -> float:
    """How many candidates are related, by the labels if they are all pairs of their text, else as many as are accepted."""
    training = model.card["training"]
    return training["positive"] / training["labelled"] if training.get("all_pairs", True) else share


def _card(model: FittedModel, found: Sequence[Candidate], rows: dict[str, Any]) -> dict[str, Any]:
    counts = {"documents": len({candidate.document.id for candidate in found}), "candidates": len(found)}
    how = {"made": today(), "moved": ["threshold", "calibration"]}
    return {
        **model.card,
        "adapted_to": counts,
        "adapted_later": how,
        "threshold": model.decision.threshold.to_dict(),
        "accepted": model.decision.accepted,
        "rows": rows,
    }


def familiarity_of(
    features: FeatureMap, structures: StructureSet, found: Sequence[Candidate], known: NDArray[np.uint64] | None = None
) -> Familiarity | None:
    """What the bits of the code say of a text; ``None`` if there is no code, or too little text. ``known``: its codes."""
    sentences = sentences_of(found)
    rows = some_of(sentences)
    if features.code is None or not rows.size:
        return None
    codes = features.code.learner.codes(structures[rows]) if known is None else known[rows]
    return Familiarity.of(unpack(codes, features.code.n_bits), sentences[rows])


def unlike(model: FittedModel, found: Sequence[Candidate], reached: NDArray[np.bool_]) -> str:
    """One clause on how a text differs from what the model was adapted to; empty if it does not, or if that is unknown.

    ``reached`` says which of the candidates ``found`` have a score above the threshold.
    """
    sentences = sentences_of(found)
    looked_at = [found[row] for row in some_of(sentences)]
    if model.familiar is not None and looked_at:
        own = familiarity_of(model.features, model._structures(looked_at), looked_at)
        if own is not None and (difference := model.familiar.difference(own)) > UNLIKE:
            return f"its pairs of entities stand in other contexts (difference {difference:.2f}, usual is less than {UNLIKE})"
    expected = model.card.get("accepted")
    if expected and model.decision.threshold.fraction is not None and share_is_far(reached, sentences, expected):
        return f"{reached.mean():.0%} of its pairs reach the threshold, where {expected:.0%} were expected"
    return ""
