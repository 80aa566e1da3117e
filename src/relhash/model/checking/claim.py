"""A claim: what somebody says that a sentence says. One row of whatever is to be checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

UNKNOWN_NAMES = frozenset({"", "?", "none", "null", "unknown", "-"})


@dataclass(frozen=True, slots=True)
class Claim:
    """Subject, type and object, and the sentence that is said to state them.

    Attributes
    ----------
    subject, object
        Names, as symbols or as the text has them. An empty one is unknown: then the statement is about the other alone.
    subject_ids, object_ids
        Database ids, if the row has any; they decide what is looked for.
    subject_span, object_span
        Where the row says that they stand in the sentence, if it does.
    row
        The row as it was given, to be handed back.
    """

    sentence: str
    subject: str
    object: str
    type: str
    subject_ids: tuple[str, ...] = ()
    object_ids: tuple[str, ...] = ()
    subject_span: tuple[int, int] | None = None
    object_span: tuple[int, int] | None = None
    row: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def has_subject(self) -> bool:
        return self.subject.strip().lower() not in UNKNOWN_NAMES

    @property
    def has_object(self) -> bool:
        return self.object.strip().lower() not in UNKNOWN_NAMES
