"""Why a row is accepted: said in a line, because a relation with probability 0.3 asks for an explanation."""

from __future__ import annotations

import warnings

from relhash.errors import RelHashWarning

SUSPICIOUS = 0.5
"""Share of candidates above which a model accepts more than text like ours ever states."""

_WHY = {
    "fraction": "the threshold accepts the share of pairs that was best on the training text, however probable they are",
    "share": "the threshold accepts the share of pairs that was expected in this text, however probable they are",
    "prior": "the threshold accepts as large a share of pairs as was related in the training text",
    "top-k": "the threshold accepts a fixed number of pairs",
    "precision": "the threshold lies where the training text reached the precision that was asked for",
    "score": "the threshold was set on the score of the classifier, not on the probability",
    "fixed": "the threshold was set there",
}


def accepted_text(accepted: int, candidates: int, lowest: float | None) -> str:
    """What share is accepted, and from which probability on.

    >>> accepted_text(246, 1185, 0.3412)
    '246 relations (21% of 1,185 candidates, from probability 0.34 on)'
    >>> accepted_text(0, 0, None)
    '0 relations'
    """
    if not candidates:
        return f"{accepted:,} relations"
    begin = "" if lowest is None else f", from probability {lowest:.2f} on"
    return f"{accepted:,} relations ({accepted / candidates:.0%} of {candidates:,} candidates{begin})"


def why_below_half(below: int, strategy: str) -> str:
    """Why relations are accepted that are less likely than not, and what to do; empty if there are none.

    >>> print(why_below_half(12, "fraction"))
    12 of them have a probability below 0.5: the threshold accepts the share of pairs that was best on the training text,
    however probable they are (--threshold 0.5 leaves them out)
    """
    if not below:
        return ""
    why = _WHY.get(strategy.partition(":")[0], f"the threshold is {strategy}")
    verb = "has" if below == 1 else "have"
    return f"{below:,} of them {verb} a probability below 0.5: {why} (--threshold 0.5 leaves them out)"


def warn_of_many(accepted: float | None) -> None:
    """Say so if a fitted model accepts more than text ever states."""
    if accepted is not None and accepted > SUSPICIOUS:
        warnings.warn(
            f"the model accepts {accepted:.0%} of all candidates, which is suspiciously many; a sheet of picked rows does "
            "not tell how common relations are: say what you expect (--expect 0.2, RelationExtractor(expect=0.2)), or "
            "choose a threshold (precision:0.8, or a probability such as 0.5)",
            RelHashWarning,
            stacklevel=3,
        )
