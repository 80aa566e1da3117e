"""Events with their marks."""

from __future__ import annotations

from relhash.bench.benchmarks.assertion import marked_events
from relhash.corpus import Attribute, Document, Mention, Relation
from relhash.corpus.document import Argument


def test_trigger_and_arguments_become_a_statement_with_its_marks():
    text = "Ras does not induce phosphorylation of Raf."
    names = {"T1": "Ras", "T2": "Raf", "T3": "induce", "T4": "phosphorylation"}
    mentions = tuple(
        Mention(key, "Protein", ((text.index(name), text.index(name) + len(name)),), name, is_trigger=key in ("T3", "T4"))
        for key, name in names.items()
    )
    inner = Relation("E1", "Phosphorylation", (Argument("Theme", "T2"),), "T4")
    outer = Relation("E2", "Positive_regulation", (Argument("Theme", "E1"), Argument("Cause", "T1")), "T3")
    marks = (Attribute("M1", "Negation", "E2"),)
    events = list(marked_events([Document("d", text, mentions=mentions, relations=(inner, outer), attributes=marks)]))
    assert [(event.statement.head, event.statement.participants) for event in events] == [((4,), (6,)), ((3,), (0, 4))]
    assert [(event.negated, event.speculative) for event in events] == [(False, False), (True, False)]
