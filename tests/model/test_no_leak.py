"""Gold annotation beside a text never changes what is predicted: neither rows, nor the annotated documents."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import relhash
from relhash.candidates.statements import InteractionPolicy
from relhash.corpus import Document, Relation, Sentence
from relhash.corpus.document import Argument, CandidatePair, without_answers
from relhash.model import FittedModel, RelationExtractor
from relhash.model.prediction import annotated
from tests.cli.interaction_corpora import NAMES, standoff

EXTRA = "T4\tEntity {0} {1}\tcells\nT5\tAnaphora {2} {3}\tthese\n*\tEquiv T1 T2\n"


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory) -> list[Document]:
    """Sentences with events, and with all else that an answer may name."""
    folder = standoff(tmp_path_factory.mktemp("gold") / "train", list(permutations(NAMES[:4], 2)))
    for path in folder.glob("*.txt"):
        start = path.read_text().index("cells")
        answers = path.with_suffix(".a2")
        answers.write_text(answers.read_text() + EXTRA.format(start, start + 5, start - 6, start - 1))
    return list(relhash.read(folder, "bionlp"))


@pytest.fixture(scope="module", params=["pairs", "directed", "interactions"])
def model(request: pytest.FixtureRequest, gold: list[Document]) -> FittedModel:
    policies = {"interactions": InteractionPolicy(), "directed": relhash.candidates.PairPolicy(directed=True), "pairs": None}
    extractor = RelationExtractor(
        "KLSH-NU-RF",
        policy=policies[request.param],
        learner={"n_bits": 20, "n_cluster_bits": 4},
        threshold=0.2,
        parses="embedded",
        prior="none",
        cache=False,
        n_jobs=1,
    )
    # two names of one thing have no direction: learned from without that
    return extractor.fit([replace(one, equivalences=()) for one in gold]).model_


def shown(model: FittedModel, documents: list[Document], tmp_path: Path, name: str) -> str:
    """Every row, and every document with its predicted relations."""
    found = model.predict(documents, all_candidates=True)
    relhash.write(annotated(model.read(documents), [one for one in found if one.is_relation]), tmp_path / name)
    rows = [json.dumps({**one.as_row(), "score": one.score}, sort_keys=True) for one in found]
    assert rows
    return "\n".join(rows) + (tmp_path / name).read_text()


def test_rows_are_the_same_bytes_with_and_without_gold(model: FittedModel, gold: list[Document], tmp_path: Path) -> None:
    """Sites of .a2 files became <ENTITY> on the paths, and were blinded for the parser."""
    some = gold[:24]
    with_gold = shown(model, some, tmp_path, "gold.jsonl")
    assert with_gold == shown(model, [without_answers(one) for one in some], tmp_path, "bare.jsonl")


@pytest.mark.parametrize("format", ["bionlp", "brat", "jsonl", "bioc-xml", "bioc-json"])
def test_the_same_through_every_format(model: FittedModel, gold: list[Document], tmp_path: Path, format: str) -> None:
    some = [one if format != "brat" else _without_sites(one) for one in gold[:8]]
    results = []
    for name, documents in (("gold", some), ("bare", [without_answers(one) for one in some])):
        path = tmp_path / name
        relhash.write(documents, path, format)
        if format == "bionlp" and name == "bare":
            for empty in path.glob("*.a2"):
                empty.unlink()
        results.append(shown(model, list(relhash.read(path, format)), tmp_path, f"{name}.jsonl"))
    assert results[0] == results[1]


@pytest.mark.parametrize("format", ["unified-xml", "pubtator", "table"])
def test_the_same_through_formats_of_pairs(model: FittedModel, gold: list[Document], tmp_path: Path, format: str) -> None:
    """They hold no triggers: a relation joins two entities. A table lists its pairs, related or not."""
    results = []
    for name, is_gold in (("gold", True), ("bare", False)):
        documents = [_as_pairs(one, is_gold, listed=format != "pubtator") for one in gold[:8]]
        path = tmp_path / f"{name}.{'xml' if format == 'unified-xml' else 'txt' if format == 'pubtator' else 'csv'}"
        relhash.write(documents, path, format)
        read = list(relhash.read(path, format))
        assert any(one.relations for one in read) == is_gold
        results.append(shown(model, read, tmp_path, f"{name}.jsonl"))
    assert results[0] == results[1]


def _as_pairs(document: Document, is_gold: bool, *, listed: bool) -> Document:
    bare = without_answers(document)
    # PubTator joins ids
    named = tuple(replace(mention, ids=(f"HGNC:{number}",)) for number, mention in enumerate(bare.mentions))
    bare = replace(bare, mentions=named, sentences=(Sentence(f"{document.id}.s0", 0, len(document.text)),))
    first, second = bare.entities
    related = Relation("R1", "interaction", (Argument("e1", first.id), Argument("e2", second.id)))
    return replace(
        bare,
        relations=(related,) if is_gold else (),
        candidates=(CandidatePair("P1", first.id, second.id),) if listed else None,
    )


def _without_sites(document: Document) -> Document:
    """brat has one file for all, so that an entity in it is an entity; what it may hide are triggers, events, equivalences."""
    return replace(document, mentions=tuple(mention for mention in document.mentions if not mention.is_answer))
