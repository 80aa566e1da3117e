"""Where the entities of a row stand: marked, by offsets, or found by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.corpus import CandidatePair, Mention
from tests.corpus.tables.written_tables import read_table


def test_an_entity_in_two_pieces(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, "text,label\n[E1]T[/E1] and [E2]B[/E2] [E1]cells[/E1],1\n")
    assert document.mentions[0] == Mention("T1", "entity", ((0, 1), (8, 13)), "T cells")


def test_a_pair_of_two_mentions_of_one_name(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, "text,entity1,entity2\np53 binds p53.,p53,p53\n")
    assert [mention.spans for mention in document.mentions] == [((0, 3),), ((10, 13),)]


@pytest.mark.parametrize(
    "table", ["text,label\n[E1][E2]p53[/E2][/E1] dimers.,1\n", "text,e1,e2,label\np53 dimers.,p53,p53,1\n"]
)
def test_an_entity_may_interact_with_itself(tmp_path: Path, table: str) -> None:
    (document,) = read_table(tmp_path, table)
    assert document.relations[0].targets == ("T1", "T1")
    assert document.candidates == (CandidatePair("P1", "T1", "T1"),)


def test_a_name_inside_another_word_does_not_count(tmp_path: Path) -> None:
    (document,) = read_table(tmp_path, "text,entity1,entity2\nTNFR binds TNF.,TNF,TNFR\n")
    assert [mention.spans for mention in document.mentions] == [((11, 14),), ((0, 4),)]


def test_marks_count_before_offsets_of_the_document(tmp_path: Path) -> None:
    """What ``relhash predict`` writes has a marked sentence beside offsets that count in the whole document."""
    (document,) = read_table(
        tmp_path,
        "document,entity1,start1,end1,entity2,start2,end2,relation,is_relation,sentence,marked\n"
        "d,A,90,91,B,97,98,binds,1,A B,[E1]A[/E1] [E2]B[/E2]\n",
    )
    assert [relation.type for relation in document.relations] == ["binds"]
    assert [mention.spans for mention in document.mentions] == [((0, 1),), ((2, 3),)]
