"""A model as the prior of another: what it says of a candidate is a feature part of one column, which labels correct.

How is decided in :mod:`relhash.learn.correction`. A model file refers to a prior that ships by its name and sha256, and holds
any other prior inside.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from relhash.candidates.candidate import Candidate
from relhash.candidates.pairs import PairPolicy
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.codec import Arrays, pack_strings, prefixed, under, unpack_strings
from relhash.errors import ModelFileError, ParameterError, RelHashError
from relhash.files import digest_of
from relhash.learn import FeatureMap, FeaturePart
from relhash.learn.correction import PRIOR, FittedCorrection, clipped_log_odds
from relhash.learn.decision import Decision
from relhash.learn.part import Text
from relhash.model.fitted import FittedModel
from relhash.model.model_file import find_model, load_model, shipped_models

if TYPE_CHECKING:
    from relhash.learn import Code
    from relhash.model.training_text import TrainingText

AUTO_PRIOR, NO_PRIOR = "auto", "none"
SHIPPED_PRIOR = "ppi"
"""The shipped model that is the prior by default."""
UNTYPED_PRIOR = "related"
"""The shipped model that takes its place where the entities are of other types."""
MOST_SEEN = 0.1
"""Share of labelled sentences that a prior may have been trained on: of text that it knows by heart it says too much."""


class PriorPart(FeaturePart):
    """One column: the prior's calibrated log-odds. ``model`` is the name of a shipped model, of whose file only the one with
    this ``sha256`` is taken, or ``""`` for a prior that the model file holds; ``views`` are what the prior looks at."""

    name: ClassVar[str] = PRIOR

    def __init__(self, model: str = "", sha256: str = "", views: Sequence[str] = ()) -> None:
        self.model = model
        self.sha256 = sha256
        self.views = tuple(views)
        self.features_: FeatureMap | None = None
        self.decision_: Decision | None = None

    @classmethod
    def of(cls, prior: FittedModel, shipped_as: str = "") -> PriorPart:
        """The part of a fitted model."""
        if any(part.name == PRIOR for part in prior.features.parts):
            raise ParameterError("prior: this model has a prior itself; fit the prior without one (--prior none)")
        digest = digest_of(shipped_models()[shipped_as]) if shipped_as else ""
        part = cls(shipped_as, digest, prior.settings.all_views)
        part.features_, part.decision_ = prior.features, prior.decision
        return part

    def fit(self, text: Text, target: Text | None = None) -> PriorPart:
        """There is nothing to learn: the prior has learned already."""
        return self

    def transform(self, text: Text) -> sparse.csr_matrix:
        if self.features_ is None or self.decision_ is None:
            raise ParameterError("prior: give a model (RelationExtractor(prior=…), relhash fit --prior MODEL)")
        _, probabilities, _ = self.decision_.decide(self.features_.transform(text.structures))
        return sparse.csr_matrix(clipped_log_odds(probabilities)[:, None])

    @property
    def columns(self) -> list[str]:
        return ["log-odds"]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        if self.model or self.features_ is None or self.decision_ is None:
            return {}
        of_features, notes = self.features_.to_arrays()
        of_decision, decision_notes = self.decision_.to_arrays()
        both = json.dumps({"features": notes, "decision": decision_notes})
        arrays = prefixed("features/", of_features) | prefixed("decision/", of_decision)
        return {"notes": pack_strings([both]), **arrays}

    @classmethod
    def from_arrays(cls, arrays: Arrays, parameters: Mapping[str, Any], code: Code | None) -> PriorPart:  # type: ignore[override]
        part = cls(**parameters)
        try:
            if part.model:
                shipped = _shipped(part.model, part.sha256)
                part.features_, part.decision_ = shipped.features, shipped.decision
                return part
            notes = json.loads(unpack_strings(arrays["notes"])[0])
            if any(own["name"] == PRIOR for own in notes["features"]["parts"]):
                raise ModelFileError("prior: a prior inside a prior")
            part.features_ = FeatureMap.from_arrays(under(arrays, "features/"), notes["features"])
            part.decision_ = Decision.from_arrays(under(arrays, "decision/"), notes["decision"])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ModelFileError(f"prior: its arrays do not fit together ({error})") from error
        return part


@cache
def _shipped(name: str, sha256: str) -> FittedModel:
    """A model that ships, if it is the one that was used as prior."""
    found = shipped_models().get(name)
    if found is None:
        raise ModelFileError(f"the model was fitted with the prior {name!r}, which this RelHash does not ship")
    if digest_of(found) != sha256:
        raise ModelFileError(
            f"the model was fitted with another version of the shipped prior {name!r}; use the RelHash that fitted it, or fit "
            "again"
        )
    return load_model(found)


@dataclass(frozen=True, eq=False)
class ChosenPrior:
    """A prior that fits the text: the model, and the part to put behind the others."""

    model: FittedModel
    part: PriorPart
    name: str


def prior_note(prior: ChosenPrior | None, decision: Decision, why: str) -> dict[str, Any]:
    """What the card says of the prior: its name and what labels have changed, or why there is none."""
    if prior is None:
        return {"name": None, "why": why}
    if not isinstance(decision.classifier, FittedCorrection):
        return {"name": prior.name}
    terms = decision.classifier.terms
    numbers = {"slope": terms.slope, "offset": terms.offset, "own": terms.own, "evidence": terms.evidence}
    return {"name": prior.name, **numbers}


def load_prior(given: str | os.PathLike[str] | FittedModel, parses: str | None = None) -> tuple[FittedModel, str, str]:
    """The model, its name for people, and the name under which it ships (if it does).

    A file of that name comes before a model that ships.
    """
    if isinstance(given, FittedModel):
        return given, given.preset, ""
    path = find_model(given)
    shipped = shipped_models()
    name = str(given)
    if shipped.get(name) == path:
        return _shipped(name, digest_of(path)), name, name
    return FittedModel.load(path, parses=parses), path.name, ""


def choose_prior(
    given: str | os.PathLike[str] | FittedModel | None, text: TrainingText, labelled: Sequence[Candidate] = ()
) -> tuple[ChosenPrior | None, str]:
    """The prior for a text, or nothing and why.

    What was asked for by name and does not fit is an error; the shipped one (``"auto"``) is then left aside, and where only
    its entity types do not fit, the shipped model for any types is tried. ``labelled`` are the candidates with labels.
    """
    if given is None or given == NO_PRIOR:
        return None, "none was wanted"
    if given == AUTO_PRIOR:
        return _shipped_prior(text, labelled)
    model, name, shipped_as = load_prior(given, text.parses.source)
    _check_fits(model, name, text, labelled)
    return ChosenPrior(model, PriorPart.of(model, shipped_as), name), ""


def _shipped_prior(text: TrainingText, labelled: Sequence[Candidate]) -> tuple[ChosenPrior | None, str]:
    why = "none ships"
    for name in (SHIPPED_PRIOR, UNTYPED_PRIOR):
        if name in shipped_models():
            model, _, _ = load_prior(name)
            try:
                _check_fits(model, name, text, labelled)
            except _OtherTypesError as error:
                why = str(error)
            except RelHashError as error:
                return None, str(error)
            else:
                return ChosenPrior(model, PriorPart.of(model, name), name), ""
    return None, why


class _OtherTypesError(ParameterError):
    """The prior knows nothing of entities of these types."""


def _check_fits(model: FittedModel, name: str, text: TrainingText, labelled: Sequence[Candidate]) -> None:
    """An error that says why a prior cannot judge the candidates of a text."""
    if not isinstance(text.policy, PairPolicy) or not isinstance(model.policy, PairPolicy):
        raise ParameterError(f"the prior {name} is about pairs; interactions with triggers have none")
    if text.policy.directed != model.policy.directed:
        raise ParameterError(f"the prior {name} does not tell directions as this model does (--directed)")
    if model.parse_source != text.parse_source:
        raise ParameterError(
            f"the prior {name} reads parses of {model.parse_source}, this text has those of {text.parse_source}; fit with "
            "--parses embedded"
        )
    judged = (*text.train, *text.target)
    strange = [one for one in judged if not (model.pair_types.knows(one) and any(model.policy.roles(*one.mentions[:2])))]
    if strange:
        types = " and ".join(sorted({mention.type for mention in strange[0].mentions}))
        raise _OtherTypesError(f"the prior {name} has not learned from pairs of {types}")
    hashes = sentence_hashes(labelled)
    seen = np.isin(np.unique(hashes), model.training_sentences)
    if seen.size and seen.mean() > MOST_SEEN:
        raise ParameterError(
            f"the prior {name} was trained on {seen.mean():.0%} of the labelled sentences: what it says of them proves nothing"
        )
