"""Corpora of relations between ids, of drugs, modifications and genes, read strictly; counts by a second, plain way."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from pathlib import Path

import pytest

import relhash
from relhash.errors import RelHashWarning

pytestmark = [pytest.mark.realdata, pytest.mark.filterwarnings("ignore::relhash.errors.RelHashWarning")]

PUBTATOR = [
    "biored/Train.PubTator", "biored/Dev.PubTator", "bc5cdr/train.PubTator", "bc5cdr/devel.PubTator",
    "genenorm/NLMgene_Train.PubTator", "genenorm/GNormPlus_Train.PubTator",
]  # fmt: skip
STANDOFF = [
    "drugprot/train", "bionlp-more/2011-epi/train", "bionlp-more/2011-epi/devel", "bionlp-more/2011-id/train",
    "bionlp-more/2011-id/devel", "bionlp-more/exhaustive-ptm/visible",
]  # fmt: skip


def _lines(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if "\t" in line]


@pytest.mark.parametrize("name", PUBTATOR)
def test_pubtator_counts(data_root: Path, name: str) -> None:
    corpus = relhash.read(data_root / name)
    text = (data_root / name).read_text(encoding="utf-8")
    lines = _lines(data_root / name)
    mentions = [line for line in lines if line[1].isdigit()]
    assert len(corpus) == sum("|t|" in line.partition("\t")[0] for line in text.splitlines())
    assert sum(len(document.mentions) for document in corpus) == len(mentions)
    stated = Counter(relation.type for document in corpus for relation in document.concept_relations)
    assert stated == Counter(line[1] for line in lines if not line[1].isdigit())


def _pairs_of_ids(data_root: Path, name: str) -> set[tuple[str, str, frozenset[str]]]:
    found = set()
    for document in relhash.read(data_root / name):
        for relation in document.concept_relations:
            found.add((document.id, relation.type, frozenset(relation.targets)))
    return found


def test_biored_is_the_same_in_its_three_encodings(data_root: Path) -> None:
    stated = {
        (document["id"], relation["infons"]["type"], frozenset((relation["infons"]["entity1"], relation["infons"]["entity2"])))
        for document in json.loads((data_root / "biored/Dev.BioC.JSON").read_text())["documents"]
        for relation in document["relations"]
    }
    for name in ("Dev.BioC.JSON", "Dev.BioC.XML", "Dev.PubTator"):
        assert _pairs_of_ids(data_root, f"biored/{name}") == stated


@pytest.mark.parametrize("suffix", [".pubtator", ".bioc.json", ".bioc.xml", ".jsonl"])
@pytest.mark.parametrize("name", ["biored/Dev.PubTator", "bc5cdr/devel.PubTator"])
def test_relations_between_ids_there_and_back(data_root: Path, tmp_path: Path, name: str, suffix: str) -> None:
    corpus = relhash.read(data_root / name)
    relhash.write(corpus, tmp_path / f"a{suffix}")
    again = relhash.read(tmp_path / f"a{suffix}")
    for document, other in zip(corpus, again, strict=True):
        assert document.concept_relations == other.concept_relations
        assert {relation.targets for relation in document.relations} == {relation.targets for relation in other.relations}


@pytest.mark.parametrize("name", STANDOFF)
def test_standoff_counts(data_root: Path, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RelHashWarning)
        corpus = relhash.read(data_root / name)
    files = [file for file in (data_root / name).iterdir() if file.suffix in (".a1", ".a2", ".ann")]
    kinds = Counter(line[0][:1] for file in files for line in _lines(file))
    assert len(corpus) == sum(file.suffix == ".txt" for file in (data_root / name).iterdir() if "README" not in file.name)
    assert sum(len(document.mentions) for document in corpus) == kinds["T"]
    assert sum(len(document.relations) for document in corpus) == kinds["E"] + kinds["R"]
