"""A prediction that is broken off and begun again says the same, row by row, and does nothing twice."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import relhash
from relhash.errors import RelHashWarning
from relhash.model import judging
from relhash.model.judging import KeptPredictions, portions, whole
from tests.model.conftest import part


@pytest.fixture(autouse=True)
def two_at_a_time(monkeypatch):
    monkeypatch.setattr(judging, "DOCUMENTS", 2)


@pytest.fixture
def model(small_model):
    return small_model.model_


@pytest.fixture
def documents():
    return list(part("fulltext", 8))


@pytest.fixture
def kept(model, tmp_path):
    return lambda settings=("settings",): KeptPredictions(tmp_path / "kept", model, list(settings))


def rows(read):
    return [(document, [(one.as_row(), one.score) for one in found]) for document, found in whole(read, all_candidates=True)]


def broken_off(kept, documents, n):
    """A run that ends after ``n`` portions."""
    run = kept()
    read = run.portions(documents)
    for _ in range(n):
        next(read)
    run.close()


def counting(monkeypatch):
    asked = []

    def counted(model, given):
        given = list(given)
        asked.extend(document.id for document in given)
        return portions(model, given)

    monkeypatch.setattr(judging, "portions", counted)
    return asked


def test_the_second_run_goes_on(model, kept, documents, tmp_path, monkeypatch):
    expected = rows(portions(model, documents))
    broken_off(kept, documents, 5)
    asked = counting(monkeypatch)
    run = kept()
    assert run.n_found == 2
    assert rows(run.portions(documents)) == expected
    assert asked == [document.id for document in documents[4:]]
    run.remove()
    assert list(tmp_path.iterdir()) == []


def test_only_partitions_with_another_document_are_made_again(model, kept, documents, monkeypatch):
    list(kept().portions(documents))
    changed = [*documents[:2], replace(documents[2], metadata={"changed": "yes"}), *documents[3:]]
    expected = rows(portions(model, changed))
    asked = counting(monkeypatch)
    assert rows(kept().portions(changed)) == expected
    assert asked == [document.id for document in changed[2:4]]


def test_other_settings_begin_anew(kept, documents):
    list(kept().portions(documents))
    assert kept(["other"]).n_found == 0
    assert kept().n_found == 0  # what another run has left is removed


def test_a_run_that_kept_nothing_leaves_nothing(kept, documents, tmp_path):
    broken_off(kept, documents, 1)
    assert list(tmp_path.iterdir()) == []


def test_a_document_in_portions_comes_back_in_portions(model, kept, documents, monkeypatch):
    monkeypatch.setattr(judging, "CANDIDATES_AT_A_TIME", 1)
    made = [(one.document, one.is_last, len(one.predictions)) for one in kept().portions(documents)]
    assert not all(is_last for _, is_last, _ in made)
    asked = counting(monkeypatch)
    assert [(one.document, one.is_last, len(one.predictions)) for one in kept().portions(documents)] == made
    assert asked == []


@pytest.mark.parametrize("damage", ["no records", "too many rows", "a row too few", "a document too few"])
@pytest.mark.filterwarnings("ignore::relhash.errors.RelHashWarning")
def test_a_partition_that_does_not_fit_is_made_again(model, kept, documents, damage):
    expected = rows(portions(model, documents))
    run = kept()
    list(run.portions(documents))
    key = next(f"{path.parent.name}{path.name}" for path in run.store.files())
    records = json.loads(run.store.get(key))
    full = next(record for record in records if record["rows"])
    if damage == "no records":
        records = "none"
    elif damage == "too many rows":
        full["rows"] *= 1000
    elif damage == "a row too few":
        del full["rows"][-1]
    else:
        del records[-1]
    run.store.put(key, json.dumps(records).encode())
    assert rows(kept().portions(documents)) == expected


def test_damage_is_said(kept, documents):
    run = kept()
    list(run.portions(documents))
    next(run.store.files()).write_bytes(b"damaged")
    with pytest.warns(RelHashWarning, match="predictions that were kept here are damaged"):
        list(kept().portions(documents))


def test_other_names_of_a_participant_are_kept(tmp_path):
    """They were lost, and the probability of the type with them, where a run went on after it was broken off."""
    model = relhash.load("ppi", cache=False)
    text = [relhash.Document("d", "Tumor necrosis factor (TNF) binds to TNFR1 in resting cells.")]
    first = rows(KeptPredictions(tmp_path / "kept", model, []).portions(text))
    assert any(row["also1"] or row["also2"] for row, _ in first[0][1])
    assert rows(KeptPredictions(tmp_path / "kept", model, []).portions(text)) == first
