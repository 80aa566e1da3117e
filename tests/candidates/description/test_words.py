from __future__ import annotations

from tests.candidates.description.described import describe
from tests.candidates.drawn_sentences import draw


def test_what_announces_a_pair():
    document = draw("interaction between Ras and Raf ; MEK", names=["Ras", "Raf", "MEK"])
    row = describe(document)
    assert row["between_just_before"] == row["trigger_just_before"] == row["before_last:and"] == 1
    assert row["clause_sign_between"] == row["before_first:and"] == row["starts_sentence"] == 0
    assert describe(document, 2)["clause_sign_between"] == 1  # Raf ; MEK
