"""PubMed45's judged interactions as candidates, from a file and graphs of its form that we wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import relhash
from relhash.candidates import build_structures, candidates
from relhash.candidates.statements import TriggerLexicon, interaction_type, participants, role_views
from relhash.candidates.statements.open_policy import JudgedPolicy, judged_candidates
from relhash.errors import ParameterError
from relhash.language.amr.documents import with_amr
from relhash.language.amr.graphs import parse_graph

TEXT = "Ras phosphorylates Raf and associates with Sos ."
ENTRIES = [
    (["phosphorylation", "Ras", "Raf"], 1),
    (["phosphorylation", "Raf", "Ras"], 2),
    (["bind", None, "Ras", "Sos"], 1),
    (["activation", "Ras", "Sos"], 0),
    (["activation", "MEK", "ERK"], 1),
]
GRAPH = """(a / and
  :op1 (p / phosphorylate-01 :ARG0 (r / enzyme :name (n / name :op1 "Ras")) :ARG1 (f / enzyme :name (n2 / name :op1 "Raf")))
  :op2 (s / associate-01 :ARG1 r :ARG2 (o / protein :name (n3 / name :op1 "Sos"))))"""


@pytest.fixture
def document(tmp_path: Path) -> relhash.corpus.Document:
    entries = [
        {"path": "eval/a_pmid_1003_7796.11.amr", "interaction_tuple": members, "label": label, "sentence": TEXT}
        for members, label in ENTRIES
    ]
    path = tmp_path / "pubmed45.json"
    path.write_text(json.dumps(entries))
    (paper,) = relhash.read(path, "pubmed45")
    return with_amr(paper, [parse_graph(GRAPH, identifier="a_pmid_1003_7796.11")])


def test_every_judgement_is_kept_and_those_that_the_text_spells_are_candidates(document: relhash.corpus.Document) -> None:
    judged = list(judged_candidates(document))
    assert [interaction.label for interaction, _ in judged] == [1, 2, 1, 0, 1]
    shown = [
        candidate
        and (interaction_type(candidate), {r: m.text for r, m in participants(candidate).items()}, candidate.relations)
        for _, candidate in judged
    ]
    assert shown == [
        ("phosphorylation", {"cause": "Ras", "theme": "Raf"}, ("phosphorylation",)),
        ("phosphorylation", {"cause": "Raf", "theme": "Ras"}, ()),
        ("bind", {"theme": "Ras", "theme2": "Sos"}, ("bind",)),
        ("activation", {"cause": "Ras", "theme": "Sos"}, ()),
        None,
    ]


def test_the_trigger_is_the_word_of_the_type_or_what_joins_the_participants(document: relhash.corpus.Document) -> None:
    triggers = [
        next(m.text for m in candidate.mentions if m.is_trigger) for candidate in candidates([document], JudgedPolicy())
    ]
    assert triggers == ["phosphorylates", "phosphorylates", "associates", "associates"]
    lexicon = TriggerLexicon().extended({"activation": ["phosphorylates"]})
    *_, last = candidates([document], JudgedPolicy(lexicon))
    assert next(m.text for m in last.mentions if m.is_trigger) == "phosphorylates"


def test_structures_come_from_the_graph(document: relhash.corpus.Document) -> None:
    structures = build_structures(candidates([document], JudgedPolicy()), role_views(["cause", "theme", "theme2"]))
    assert len(structures) == 4
    assert structures["role(theme2)"][2] == ["bind", "associate", "ARG2>", "<THEME2>"]


def test_swapped_roles_may_be_a_class_of_their_own(document: relhash.corpus.Document) -> None:
    found = list(candidates([document], JudgedPolicy(swapped="class")))
    assert [candidate.relations for candidate in found] == [("valid",), ("swapped",), ("valid",), ()]
    with pytest.raises(ParameterError, match="swapped"):
        JudgedPolicy(swapped="valid")  # type: ignore[arg-type]
