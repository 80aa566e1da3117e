"""Words that negate: the one list, for whoever looks for a negation in a sentence."""

from __future__ import annotations

__all__ = ["NEGATIONS"]

NEGATIONS = frozenset(
    {
        "no", "not", "n't", "cannot", "neither", "nor", "never", "without",
        "hardly", "barely", "scarcely",
        "fail", "fails", "failed", "lack", "lacks",
    }
)  # fmt: skip
"""Words as sequences show them, in lower case."""
