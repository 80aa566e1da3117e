"""NERO as judged interactions of any type."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.bench.datasets.judged import group_of
from relhash.bench.datasets.prepared import nero_open_dataset
from relhash.bench.protocols import protocol, tasks
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.statements import interaction_type, participants
from relhash.candidates.statements.open_policy import OpenPolicy
from relhash.errors import DataMissingError
from tests.corpus.test_nero import table

SENTENCE = "RAF1 phosphorylates MEK1 and inhibits AKT1."


def rows(papers: int) -> str:
    given = []
    for paper in range(papers):
        given.append(("RAF1", "phosphorylate", "MEK1", SENTENCE, str(9000000 + paper)))
        given.append(("RAF1", "inhibit", "AKT1", SENTENCE, str(9000000 + paper)))
    return table(*given)


def test_a_verb_is_valid_of_the_pair_and_the_direction_it_was_stated_of(tmp_path: Path) -> None:
    (tmp_path / "nero.txt").write_text(rows(40), encoding="utf-8")
    dataset = nero_open_dataset(tmp_path, path=tmp_path / "nero.txt", share=1)
    first = [one for one in dataset.candidates if one.document.id == "9000000"]
    assert len(first) == 2 * 6
    valid = [
        (interaction_type(one), one.trigger.text, {role: m.text for role, m in participants(one).items()})
        for one in first
        if one.is_positive and one.trigger is not None
    ]
    assert valid == [
        ("inhibit", "inhibits", {"cause": "RAF1", "theme": "AKT1"}),
        ("phosphorylate", "phosphorylates", {"cause": "RAF1", "theme": "MEK1"}),
    ]
    split = list(tasks(protocol("nero-open"), dataset))
    assert len(split) == len({group_of(str(9000000 + paper)) for paper in range(40)})
    assert all(set(dataset.documents[one.train]).isdisjoint(dataset.documents[one.test]) for one in split)


def test_a_policy_is_read_back_and_a_missing_table_is_named(tmp_path: Path) -> None:
    assert CandidatePolicy.from_dict(OpenPolicy(5).to_dict()) == OpenPolicy(5)
    with pytest.raises(DataMissingError, match="NERO"):
        nero_open_dataset(tmp_path)


def test_statements_that_no_candidate_holds_are_counted_where_their_paper_is_tested(tmp_path: Path) -> None:
    names = [f"RAF{number}" for number in range(1, 12)]
    crowded = f"{' and '.join(names)} phosphorylate MEK1."
    paper = "9000000"
    text = table(
        ("RAF1", "phosphorylate", "MEK1", SENTENCE, paper),
        *((name, "phosphorylate", "MEK1", crowded, paper) for name in names),
        *(("RAF1", "phosphorylate", "MEK1", SENTENCE, str(9000000 + other)) for other in range(1, 40)),
    )
    (tmp_path / "nero.txt").write_text(text, encoding="utf-8")
    dataset = nero_open_dataset(tmp_path, path=tmp_path / "nero.txt", share=1)
    assert dataset.unreached[group_of(paper)] == len(names)
    assert sum(dataset.unreached.values()) == len(names)
