"""Which inventory of dependency labels a parse uses, from its labels alone; :mod:`relhash.language.schemes` describes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

COLLAPSED = "stanford-collapsed"

_COLLAPSED_BEGINNINGS = ("prep_", "prepc_", "conj_")
_TELLING = {
    "stanford-basic": frozenset({"nn", "num", "rcmod", "vmod", "partmod", "infmod", "complm", "possessive"}),
    "craft": frozenset({"compound", "nummod", "relcl", "acl", "attr", "meta", "oprd"}),
}


def detect_scheme(labels: Iterable[str]) -> str | None:
    """The scheme that the labels of some parses (or of a parser) belong to; ``None`` if they do not tell.

    >>> detect_scheme(["nsubj", "prep_with"]), detect_scheme(["nsubj", "case", "nmod"]), detect_scheme(["prep", "compound"])
    ('stanford-collapsed', 'ud', 'craft')
    >>> detect_scheme(["prep", "pobj"]) is None     # two schemes have these
    True
    """
    counts = Counter(labels)
    if any(label.startswith(_COLLAPSED_BEGINNINGS) for label in counts):
        return COLLAPSED
    if counts["prep"] or counts["pobj"]:
        votes = {scheme: sum(counts[label] for label in telling) for scheme, telling in _TELLING.items()}
        best = max(votes, key=lambda scheme: votes[scheme])
        return best if votes[best] else None
    if counts["case"] or any(":" in label for label in counts) or counts["obl"] or counts["obj"]:
        return "ud"
    return None
