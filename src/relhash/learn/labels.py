"""Which candidates count as labelled, and with which label."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from relhash.candidates.candidate import Candidate
from relhash.candidates.pairs import candidates
from relhash.candidates.policies import Allow, CandidatePolicy
from relhash.corpus.document import Document, unlabelled_pairs
from relhash.errors import ParameterError

AT_LEAST = 2
"""Labelled examples of each class in a draw, where there are so many: fewer cannot be cross-validated."""


def draw_labelled(y: ArrayLike, n: int, random_state: int) -> NDArray[np.int64]:
    """Indices of ``n`` candidates drawn at random, at least two of each class among them, in order.

    >>> y = np.arange(100) < 5
    >>> chosen = draw_labelled(y, 10, random_state=0)
    >>> len(chosen), int(y[chosen].sum()) >= 2
    (10, True)
    """
    labels = np.asarray(y).astype(bool)
    if n < 2 * AT_LEAST:
        raise ParameterError(f"labels: at least {2 * AT_LEAST} are needed, not {n}")
    if n >= labels.size:
        return np.arange(labels.size)
    order = np.random.default_rng(random_state).permutation(labels.size)
    first = np.concatenate([order[labels[order] == side][:AT_LEAST] for side in (True, False)])
    rest = order[~np.isin(order, first)]
    return np.sort(np.concatenate([first, rest[: n - first.size]]))


def has_label(candidates: Sequence[Candidate]) -> NDArray[np.bool_]:
    """Whether each candidate was judged: a spreadsheet may list pairs whose label is still empty."""
    unlabelled = {id(candidate.document): unlabelled_pairs(candidate.document) for candidate in candidates}
    return np.array(
        [frozenset(m.id for m in candidate.mentions) not in unlabelled[id(candidate.document)] for candidate in candidates],
        bool,
    )


def training_labels(
    candidates: Sequence[Candidate], labels: int | Mapping[str, bool] | None, random_state: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Indices of the labelled candidates, and the label of every candidate (meaningless for the others)."""
    y = np.array([candidate.is_positive for candidate in candidates], bool)
    judged = np.flatnonzero(has_label(candidates))
    if labels is None:
        return judged, y
    if isinstance(labels, int):
        return judged[draw_labelled(y[judged], labels, random_state)], y
    keys = {candidate.key: number for number, candidate in enumerate(candidates)}
    unknown = [key for key in labels if key not in keys]
    if unknown:
        raise ParameterError(f"labels: there is no candidate {unknown[0]!r} in the training text")
    chosen = np.array(sorted(keys[key] for key in labels), np.int64)
    for key, label in labels.items():
        y[keys[key]] = bool(label)
    return chosen, y


def are_all_pairs(
    found: Sequence[Candidate],
    labelled: NDArray[np.int64],
    policy: CandidatePolicy,
    allow: Allow | None = None,
    grounded: Callable[[Document], Document] | None = None,
) -> bool:
    """Whether the labels are those of all pairs of their sentences, so that they tell how common relations are.

    They are not if some of the candidates ``found`` have no label (an open cell of a sheet, ``--labels 50``). Where documents
    list their candidates, as tables do, every pair that ``policy`` would make of their entities (and ``allow`` lets pass) must
    be listed, and some sentence must have three pairs: a sheet with one row per sentence lists all pairs of the two entities
    that it marks, but it is not known how many others the sentence has. Two names of one thing are no pair; where it depends on
    them, ``grounded`` gives ids to a document, which tell more of these.
    """
    if labelled.size < len(found):
        return False
    listing = {id(one.document): one.document for one in found if one.document.candidates is not None}
    if not listing:
        return True
    listed = {candidate.key for candidate in found}
    policy, some_has_three = policy.for_unsplit_text(), False
    for document in listing.values():
        is_listed, has_three = _all_listed(document, listed, policy, allow)
        if grounded is not None and (not is_listed or (has_three and not some_has_three)):
            is_listed, has_three = _all_listed(grounded(document), listed, policy, allow)
        if not is_listed:
            return False
        some_has_three |= has_three
    return some_has_three


def _all_listed(document: Document, listed: Set[str], policy: CandidatePolicy, allow: Allow | None) -> tuple[bool, bool]:
    """Whether every pair that the policy would make of a document is listed, and whether a sentence has three."""
    pairs_of: dict[int, int] = {}
    for candidate in candidates([replace(document, candidates=None)], policy, allow=allow):
        if candidate.key not in listed:
            return False, False
        pairs_of[candidate.sentence] = pairs_of.get(candidate.sentence, 0) + 1
    return True, max(pairs_of.values(), default=0) >= 3


MOST_LETTERS = 80
"""Of the text between and around the two names in an example."""


def example_of(candidate: Candidate, label: bool | None = None) -> str:
    """A pair for people: both names, what stands between them, and the label if it has one.

    >>> from relhash.corpus import Document, Mention
    >>> text = "RAF1 binds to MEK1 in resting cells."
    >>> names = (Mention("a", "protein", ((0, 4),), "RAF1"), Mention("b", "protein", ((14, 18),), "MEK1"))
    >>> example_of(Candidate(Document("d", text, mentions=names), 0, names, ("e1", "e2"), ()), True)
    '“RAF1 binds to MEK1”: yes'
    """
    first = min(mention.start for mention in candidate.mentions)
    last = max(mention.end for mention in candidate.mentions)
    words = " ".join(candidate.document.text[first:last].split())
    if len(words) > MOST_LETTERS:
        words = f"{words[: MOST_LETTERS // 2]} … {words[-MOST_LETTERS // 2 :]}"
    return f"“{words}”" if label is None else f"“{words}”: {'yes' if label else 'no'}"
