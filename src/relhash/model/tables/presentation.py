"""How columns look where people read them, in spreadsheets and on pages: their order, heading and width."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a column.

    Attributes
    ----------
    title
        What it is called on a page.
    width
        In characters.
    is_detail
        Whether a person rarely looks at it, so that a page leaves it out.
    choices
        What may stand in it, where a person fills it in: a spreadsheet offers them.
    within
        The column in which a page says it in small print, if there is that column.
    filter
        How a page filters by it: ``"choice"`` of its values, or ``"atleast"`` a number.
    wraps
        Whether its text runs over several lines of a cell.
    """

    title: str
    width: int = 12
    is_detail: bool = False
    choices: tuple[str, ...] = ()
    within: str = ""
    filter: str = ""
    wraps: bool = False


_LOOKS = {
    "answer": Look("Answer", 14, choices=("yes", "no", "skip", "entity wrong", "negated")),
    "verdict": Look("Verdict", 15, filter="choice"),
    "subject": Look("Subject", 15),
    "type": Look("Type", 26),
    "object": Look("Object", 15),
    "reason": Look("Reason", 34),
    "suggested": Look("The sentence says", 24, within="reason"),
    "perturbation": Look("Perturbation", 14, within="type"),
    "entity1": Look("Entity 1", 18),
    "entity2": Look("Entity 2", 18),
    "relation": Look("Relation", 18, filter="choice"),
    "trigger": Look("Trigger", 20, within="relation"),
    "entity3": Look("Third", 14, within="entity2"),
    "belief": Look("Belief", 12, filter="atleast"),
    "sentences": Look("Sentences", 12),
    "documents": Look("Documents", 13),
    "negated": Look("Negated", 10),
    "speculative": Look("Speculative", 13),
    "probability": Look("Probability", 16, filter="atleast"),
    "type_probability": Look("Probability of the type", 14, True),
    "assertion": Look("Assertion", 17, filter="choice"),
    "best_sentence": Look("Best sentence", 84, wraps=True),
    "best_probability": Look("Probability of it", 15, True),
    "best_document": Look("Document of it", 16, True),
    "sentence": Look("Sentence", 80, wraps=True),
    "evidence": Look("Evidence", 45, within="sentence", wraps=True),
    "document": Look("Document", 16, filter="choice"),
    "also1": Look("Also 1", 14, within="entity1"),
    "also2": Look("Also 2", 14, within="entity2"),
    "modifier1": Look("Modifier 1", 12, within="entity1"),
    "modifier2": Look("Modifier 2", 12, within="entity2"),
    "human1": Look("Human gene 1", 14, True),
    "human2": Look("Human gene 2", 14, True),
    "ids1": Look("Id 1", 16, within="entity1"),
    "ids2": Look("Id 2", 16, within="entity2"),
    "type1": Look("Type 1", 10, True, within="entity1"),
    "type2": Look("Type 2", 10, True, within="entity2"),
    "is_relation": Look("Accepted", 9, True),
    "directed": Look("Directed", 9, True),
    "role1": Look("Role 1", 9, True),
    "role2": Look("Role 2", 9, True),
    "role3": Look("Role 3", 9, True),
    "ids3": Look("Id 3", 16, True),
    "trigger_start": Look("Trigger start", 8, True),
    "trigger_end": Look("Trigger end", 8, True),
    "marked": Look("Sentence with marks", 30, True),
    "start1": Look("Start 1", 8, True),
    "end1": Look("End 1", 8, True),
    "start2": Look("Start 2", 8, True),
    "end2": Look("End 2", 8, True),
    "start3": Look("Start 3", 8, True),
    "end3": Look("End 3", 8, True),
    "subject_start": Look("Subject start", 8, True),
    "subject_end": Look("Subject end", 8, True),
    "object_start": Look("Object start", 8, True),
    "object_end": Look("Object end", 8, True),
    "model": Look("Model", 12, True),
    "model_version": Look("Model version", 22, True),
    "sign": Look("Sign", 16, within="type"),
    "why": Look("Why it is asked", 30),
    "key": Look("Key", 24, True),
    "draw": Look("Draw", 10, True),
}


def look_of(column: str) -> Look:
    """The look of a column; of one without a description, its name."""
    return _LOOKS.get(column, Look(column.replace("_", " ").capitalize(), 16))


def for_people(columns: Sequence[str]) -> list[str]:
    """The columns in the order in which a person reads them: who, what, how sure, where; the rest behind.

    >>> for_people(["document", "start1", "sentence", "relation", "entity1", "mine"])
    ['entity1', 'relation', 'sentence', 'document', 'start1', 'mine']
    """
    known = {name: number for number, name in enumerate(_LOOKS)}
    return sorted(columns, key=lambda name: known.get(name, len(known)))
