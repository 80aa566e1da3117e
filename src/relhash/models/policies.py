"""Which candidates a model was fitted on, as plain data of its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from relhash.errors import ModelFileError, ParameterError
from relhash.structures.candidates import MAX_PAIRS, Candidate, CandidateMaker, CandidatePolicy
from relhash.structures.interactions import InteractionPolicy, supposed_type
from relhash.structures.interactions_judged import JudgedPolicy
from relhash.structures.triggers import TriggerLexicon

__all__ = ["given_type", "make_policy", "policy_from_dict", "policy_to_dict", "with_max_pairs"]

_INTERACTIONS = "interactions"


def make_policy(
    types: Sequence[tuple[str, str]] | None, *, directed: bool = False, interactions: bool = False
) -> CandidatePolicy | InteractionPolicy:
    """Pairs of mentions, or interactions whose trigger words are learned from the training text.

    Of ``types`` interactions only take which entities may take part, in whatever role.
    """
    if not interactions:
        return CandidatePolicy(types=types, directed=directed)
    if directed:
        raise ParameterError("--directed is for pairs; interactions have roles, which tell the directions apart")
    return InteractionPolicy(entity_types=None if types is None else sorted({name for pair in types for name in pair}))


def with_max_pairs(policy: CandidatePolicy | CandidateMaker | None, at_most: int) -> CandidatePolicy:
    """The policy with another bound on the pairs of a sentence.

    >>> with_max_pairs(None, 50).max_pairs_per_sentence
    50
    """
    policy = policy or CandidatePolicy()
    if not isinstance(policy, CandidatePolicy):
        raise ParameterError("--max-pairs is for pairs; interactions have bounds of their own (InteractionPolicy)")
    return replace(policy, max_pairs_per_sentence=at_most)


def given_type(candidate: Candidate, policy: CandidatePolicy | CandidateMaker | None) -> str | None:
    """The type that the candidate itself supposes; ``None`` where a classifier has to name it.

    That is so for pairs, and for judged interactions of which some are a class of their own because two roles are swapped.
    """
    if isinstance(policy, JudgedPolicy) and policy.swapped == "class":
        return None
    return supposed_type(candidate)


def policy_to_dict(policy: CandidatePolicy | CandidateMaker | None) -> dict[str, Any]:
    """The policy as JSON takes it.

    >>> policy_from_dict(policy_to_dict(CandidatePolicy(directed=True))).directed
    True
    """
    policy = policy or CandidatePolicy()
    if isinstance(policy, CandidatePolicy):
        return {
            "types": policy.types,
            "directed": policy.directed,
            "self_pairs": policy.self_pairs,
            "unsplit": policy.unsplit,
            "max_pairs_per_sentence": policy.max_pairs_per_sentence,
        }
    if isinstance(policy, InteractionPolicy):
        return {"kind": _INTERACTIONS, **asdict(policy)}
    raise ModelFileError(
        f"a model whose candidates come from {type(policy).__name__} cannot be kept in a file; fit it with a "
        "CandidatePolicy or an InteractionPolicy"
    )


def policy_from_dict(given: Mapping[str, Any]) -> CandidatePolicy | InteractionPolicy:
    """The policy that :func:`policy_to_dict` wrote."""
    if given.get("kind") != _INTERACTIONS:
        types = None if given["types"] is None else [tuple(pair) for pair in given["types"]]
        at_most = int(given.get("max_pairs_per_sentence", MAX_PAIRS))  # older files do not say
        return CandidatePolicy(types, given["directed"], given["self_pairs"], given["unsplit"], at_most)
    settings: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value  # JSON has no tuples
        for name, value in given.items()
        if name not in ("kind", "lexicon", "signatures")
    }
    return InteractionPolicy(
        lexicon=None if given["lexicon"] is None else TriggerLexicon(**given["lexicon"]),
        signatures={kind: tuple(tuple(roles) for roles in listed) for kind, listed in given["signatures"].items()},
        **settings,
    )
