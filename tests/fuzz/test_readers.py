"""Whatever a file holds, a reader gives documents or an error of ours: never another exception, never an endless loop."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

import relhash
from relhash.corpus import Argument, Document, Mention, Relation, Sentence
from relhash.corpus.nero import COLUMNS
from relhash.errors import RelHashError
from tests.corpus import test_bigbio
from tests.fuzz.mutations import ROUNDS, damaged_json, mutated, survived

USUAL = 1000
"""Inputs for each format in the default suite; ``make fuzz`` tries more."""


def document(number: int) -> Document:
    text = "RAF1 binds to MEK1. α-Synuclein, in contrast, does not."
    raf = Mention("T1", "protein", ((0, 4),), "RAF1", ("HGNC:9829",))
    names = (raf, Mention("T2", "protein", ((14, 18),), "MEK1", ("HGNC:6840",)))
    relation = Relation("R1", "interaction", (Argument("Arg1", "T1"), Argument("Arg2", "T2")))
    sentences = (Sentence(f"d{number}.s0", 0, 19), Sentence(f"d{number}.s1", 20, len(text)))
    return Document(f"{number}", text, sentences, names, (relation,))


def written(folder: Path, name: str, format: str) -> list[bytes]:
    path = folder / name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        relhash.write([document(1), document(2)], path, format)
    return [path.read_bytes()]


CONLLU = (
    b"# sent_id = 1\n# text = Ras binds\n1\tRas\tras\tNOUN\tNN\t_\t2\tnsubj\t_\t_\n"
    b"2\tbinds\tbind\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n"
)
AMR = b'# ::id x\n# ::snt Ras binds Raf\n(b / bind-01 :ARG0 (p / protein :name (n / name :op1 "Ras")) :ARG1 (q / protein))\n\n'
PUBMED = (
    b'<?xml version="1.0"?><PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article>'
    b"<ArticleTitle>Ras.</ArticleTitle><Abstract><AbstractText>Ras binds Raf.</AbstractText></Abstract></Article>"
    b"</MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
NERO = ("\t".join(COLUMNS) + "\n1\tRas\tGP\tbind\tRaf\tGP\t0\t9000001\tRas binds Raf.\n").encode()
TABLE = b'id,text,entity1,entity2,label\n1,RAF1 binds MEK1.,RAF1,MEK1,1\n2,"AKT1, TP53",AKT1,TP53,0\n'
STANDOFF = (
    b"T1\tProtein 0 4\tRAF1\nT2\tProtein 14 18\tMEK1\nT3\tBinding 5 10\tbinds\n"
    b"E1\tBinding:T3 Theme:T1 Theme2:T2\nM1\tNegation E1\n"
)

GIVEN = {
    "conllu": ("a.conllu", [CONLLU]),
    "amr": ("a.amr", [AMR]),
    "pubmed-xml": ("a.xml", [PUBMED]),
    "medline": ("a.nbib", ["PMID- 1\nOWN - NLM\nTI  - RAF1 binds\n      MEK1.\nAB  - α.\n\nPMID- 2\nTI  - B.\n".encode()]),
    "nero": ("a.txt", [NERO]),
    "table": ("a.csv", [TABLE]),
    "bigbio": ("a.jsonl", [test_bigbio.TestBigBio.sample.encode()]),
    "pubannotation": ("a.json", [test_bigbio.TestPubAnnotation.sample.encode()]),
    "genia-xml": ("a.xml", [test_bigbio.TestGenia.sample.encode()]),
    "text": ("a.txt", ["RAF1 binds MEK1.\n\nα".encode()]),
}
MADE = {
    "unified-xml": "a.xml",
    "bioc-xml": "a.xml",
    "bioc-json": "a.json",
    "pubtator": "a.pubtator",
    "jsonl": "a.jsonl",
}  # fmt: skip


@pytest.mark.parametrize("format", [*GIVEN, *MADE])
def test_damaged_files_are_read_or_refused(tmp_path, format):
    name, seeds = GIVEN[format] if format in GIVEN else (MADE[format], written(tmp_path, MADE[format], format))
    path = tmp_path / name
    inputs = mutated(seeds, ROUNDS or USUAL, seed=len(format))
    assert survived(path, inputs, lambda number: list(relhash.read(path, format if number % 2 else None)))


@pytest.mark.parametrize("format", ["bigbio", "pubannotation", "bioc-json", "jsonl"])
def test_json_with_other_values_is_read_or_refused(tmp_path, format):
    name, (seed, *_) = GIVEN[format] if format in GIVEN else (MADE[format], written(tmp_path, MADE[format], format))
    path, value = tmp_path / name, json.loads(seed.splitlines()[0] if name.endswith("l") else seed)
    inputs = damaged_json([value], ROUNDS or 300, seed=11)
    assert survived(path, inputs, lambda number: list(relhash.read(path, format if number % 4 < 2 else None)))


@pytest.mark.parametrize("format", [*GIVEN, *MADE])
def test_what_is_damaged_can_be_read_undamaged(tmp_path, format):
    """Else the damage would only be tried on what is refused anyway."""
    name, seeds = GIVEN[format] if format in GIVEN else (MADE[format], written(tmp_path, MADE[format], format))
    for seed in seeds:
        (tmp_path / name).write_bytes(seed)
        assert list(relhash.read(tmp_path / name, format))


@pytest.mark.parametrize("suffix", [".a1", ".a2", ".ann"])
def test_damaged_annotations_beside_a_text(tmp_path, suffix):
    (tmp_path / "a.txt").write_text("RAF1 binds to MEK1.")
    if suffix == ".a2":
        (tmp_path / "a.a1").write_bytes(STANDOFF.split(b"T3")[0])
    assert survived(
        tmp_path / f"a{suffix}", mutated([STANDOFF], ROUNDS or USUAL, seed=7), lambda _: list(relhash.read(tmp_path))
    )


FOUND = {
    "an offset that is no position": (
        "jsonl",
        "a.jsonl",
        b'{"id":"1","text":"RAF1 binds.","entities":[{"id":"T1","type":"protein","text":"RAF1","offsets":[['
        b"18446744073709551616,18446744073709551620]]}]}",
    ),
    "an element without a name before its colon": (
        "bioc-xml",
        "a.xml",
        b"<collection><source>x</source><date/><key/><document><id>1</id><passage><offset>0</offset><text>Ras.</text></passage>"
        b'<relation id="R1"><:982node refid="T1" role="a"/></relation></document></collection>',
    ),
    "an offset without end": (
        "bigbio",
        "a.jsonl",
        test_bigbio.TestBigBio.sample.replace("[[8, 11]]", "[[1e999, 11]]").encode(),
    ),
    "a place without end": (
        "pubannotation",
        "a.json",
        test_bigbio.TestPubAnnotation.sample.replace('"begin": 2,', '"begin": 1e999,').encode(),
    ),
}
"""What a million inputs found, made short."""


@pytest.mark.parametrize("case", FOUND)
def test_what_was_found_once(tmp_path, case):
    format, name, data = FOUND[case]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(RelHashError):
        list(relhash.read(tmp_path / name, format))
