"""BigBIO's knowledge-base schema, PubAnnotation's JSON and GENIA's XML: nothing that the file states is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import ClassVar

import pytest

import relhash
from relhash.corpus import Argument, Attribute, Mention, Passage, Relation
from relhash.errors import RelHashWarning
from tests.corpus.reader_contract import ReaderContract

RECORD = {
    "id": "0",
    "document_id": "7",
    "passages": [
        {"id": "p1", "type": "title", "text": ["é TNF."], "offsets": [[0, 6]]},
        {"id": "p2", "type": "abstract", "text": ["TNF binds p53 and p63."], "offsets": [[8, 30]]},
    ],
    "entities": [
        {
            "id": "T1",
            "type": "Gene",
            "text": ["TNF"],
            "offsets": [[8, 11]],
            "normalized": [{"db_name": "NCBI", "db_id": "7124"}],
        },
        {"id": "T2", "type": "Gene", "text": ["p", "63"], "offsets": [[18, 19], [27, 29]], "normalized": []},
    ],
    "events": [
        {
            "id": "E1",
            "type": "Binding",
            "trigger": {"text": ["binds"], "offsets": [[12, 17]]},
            "arguments": [{"role": "Theme", "ref_id": "T1"}, {"role": "Theme2", "ref_id": "T2"}],
        }
    ],
    "coreferences": [{"id": "c", "entity_ids": ["T1", "T2"]}],
    "relations": [{"id": "R1", "type": "binds", "arg1_id": "T1", "arg2_id": "T2", "normalized": []}],
}
BROKEN = json.dumps(RECORD).replace('"ref_id": "T1"', '"ref_id": "T9"')


class TestBigBio(ReaderContract):
    format = "bigbio"
    filename = "corpus.jsonl"
    sample = json.dumps(RECORD, ensure_ascii=False) + "\n"
    broken: ClassVar[dict[str, tuple[str, int | str | None]]] = {
        "dangling": (BROKEN, "record 1, E1"),
        "no entities": ('{"document_id": "1", "passages": []}', 1),
        "cut off": (json.dumps(RECORD) + '\n{"document_id": ', 2),
    }
    one_of_two_is_broken = f"{json.dumps(RECORD)}\n{BROKEN}\n"

    def test_everything_is_there(self, expected) -> None:
        (document,) = expected
        assert document.text == "é TNF.\n TNF binds p53 and p63."
        assert document.passages[1] == Passage("abstract", 8, 30)
        assert document.entities[0] == Mention("T1", "Gene", ((8, 11),), "TNF", ("NCBI:7124",))
        assert document.entities[1].spans == ((18, 19), (27, 29))
        assert [(relation.id, relation.trigger) for relation in document.relations] == [("E1", "E1_trigger"), ("R1", None)]
        assert document.equivalences == (("T1", "T2"),)

    def test_parquet_holds_the_same(self, tmp_path: Path, expected) -> None:
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet as pq

        pq.write_table(pa.Table.from_pylist([RECORD]), tmp_path / "a.parquet")
        assert relhash.read(tmp_path / "a.parquet").documents == expected


PUBANNOTATION = {
    "sourcedb": "PubMed",
    "sourceid": "7",
    "text": "é TNF binds p53 and p63.",
    "denotations": [
        {"id": "T1", "span": {"begin": 2, "end": 5}, "obj": "Protein"},
        {"id": "T2", "span": [{"begin": 12, "end": 13}, {"begin": 21, "end": 23}], "obj": "Protein"},
    ],
    "relations": [{"id": "R1", "subj": "T1", "pred": "binds", "obj": "T2"}],
    "attributes": [{"id": "A1", "subj": "T1", "pred": "Species", "obj": "human"}],
    "modifications": [{"id": "M1", "pred": "Negation", "obj": "R1"}],
    "tracks": [{"project": "x", "denotations": [{"span": {"begin": 6, "end": 11}, "obj": "verb"}]}],
}


class TestPubAnnotation(ReaderContract):
    format = "pubannotation"
    filename = "a.json"
    sample = json.dumps(PUBANNOTATION, ensure_ascii=False, indent=1)
    broken: ClassVar[dict[str, tuple[str, int | str | None]]] = {
        "no text": ('{"denotations": []}', "document 1"),
        "dangling": (sample.replace('"subj": "T1"', '"subj": "T9"'), "document 1, R1"),
    }
    one_of_two_is_broken = json.dumps([PUBANNOTATION, {"denotations": []}])

    def test_everything_is_there(self, expected) -> None:
        (document,) = expected
        assert (document.id, document.metadata) == ("7", {"sourcedb": "PubMed"})
        assert [mention.text for mention in document.mentions] == ["TNF", "p 63", "binds"]
        assert document.relations == (Relation("R1", "binds", (Argument("subj", "T1"), Argument("obj", "T2"))),)
        assert document.attributes == (Attribute("A1", "Species", "T1", "human"), Attribute("M1", "Negation", "R1"))


GENIA = """<?xml version="1.0" encoding="UTF-8"?>
<set><article><articleinfo><bibliomisc>MEDLINE:95369245</bibliomisc></articleinfo>
<title><sentence id="S1"><term id="T1" sem="DNA"><term id="T2" sem="Protein">IL-2</term> gene</term> é.</sentence></title>
<abstract><sentence id="S2"><term id="T3" sem="Protein">NF-kappa B</term> does not
activate <term id="T4" sem="Protein">IL-2</term>.</sentence>
<event id="E1" assertion="non-exist" uncertainty="probable"><type class="Positive_regulation"/><theme idref="T4"/>
<cause idref="T3"/><clue>NF-kappa B does not
<clueType>activate</clueType> IL-2.</clue></event>
<event id="E2"><type class="Binding"/><theme idref="T4"/><theme idref="T3"/><cause idref="T99"/><clue/></event>
</abstract></article></set>
"""


class TestGenia(ReaderContract):
    format = "genia-xml"
    filename = "a.xml"
    sample = GENIA.replace('<cause idref="T99"/>', "")
    broken: ClassVar[dict[str, tuple[str, int | str | None]]] = {
        "no number": (GENIA.replace("MEDLINE:95369245", ""), 2),
        "cut off": (GENIA[:600], 9),
    }

    def test_everything_is_there(self, expected) -> None:
        (document,) = expected
        assert (document.id, document.text) == ("95369245", "IL-2 gene é.\nNF-kappa B does not activate IL-2.")
        assert [mention.text for mention in document.entities] == ["IL-2 gene", "IL-2", "NF-kappa B", "IL-2"]
        first, second = document.relations
        assert first == Relation(
            "E1", "Positive_regulation", (Argument("Theme", "T4"), Argument("Cause", "T3")), "E1_trigger"
        )  # fmt: skip
        assert document.mention_by_id["E1_trigger"].text == "activate"
        assert second.arguments == (Argument("Theme", "T4"), Argument("Theme2", "T3"))
        assert {attribute.type for attribute in document.attributes} == {"Negation", "Speculation"}

    def test_a_participant_that_is_nowhere_is_counted(self, tmp_path: Path) -> None:
        with pytest.warns(RelHashWarning, match="participants of events that are not in the file.*E2. T99"):
            relhash.read(self.put(tmp_path, GENIA))
