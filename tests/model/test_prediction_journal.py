"""A prediction that is broken off and begun again says the same, row by row, and does nothing twice."""

from __future__ import annotations

import json
import zlib
from dataclasses import replace

import pytest

from relhash.model import judging, prediction_journal
from relhash.model.prediction_journal import PredictionJournal
from relhash.model.streaming import portions, whole
from tests.model.conftest import part


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(prediction_journal, "SECONDS", 0)


@pytest.fixture
def model(small_model):
    return small_model.model_


def rows(read):
    return [(document, [(one.as_row(), one.score) for one in found]) for document, found in whole(read, all_candidates=True)]


@pytest.fixture
def documents():
    return list(part("fulltext", 8))


def broken_off(model, path, documents, n):
    """The first ``n`` portions of a run that then ends."""
    journal = PredictionJournal(path, model, ["settings"])
    read = journal.portions(documents)
    done = [next(read) for _ in range(n)]
    journal.close()
    return done


def counting(monkeypatch):
    asked = []

    def counted(model, given):
        given = list(given)
        asked.extend(document.id for document in given)
        return portions(model, given)

    monkeypatch.setattr(prediction_journal, "portions", counted)
    return asked


def test_the_second_run_goes_on(model, tmp_path, documents, monkeypatch):
    whole = rows(portions(model, documents))
    broken_off(model, tmp_path / "j", documents, 3)
    asked = counting(monkeypatch)
    journal = PredictionJournal(tmp_path / "j", model, ["settings"])
    assert rows(journal.portions(documents)) == whole
    assert journal.n_recalled in (2, 3)  # the third may have been yielded but not written
    assert asked == [document.id for document in documents[journal.n_recalled :]]
    journal.remove()
    assert list(tmp_path.iterdir()) == []


def test_from_the_first_document_that_differs_on_all_is_new(model, tmp_path, documents, monkeypatch):
    broken_off(model, tmp_path / "j", documents, 6)
    changed = [*documents[:2], replace(documents[2], metadata={"changed": "yes"}), *documents[3:]]
    whole = rows(portions(model, changed))
    asked = counting(monkeypatch)
    assert rows(PredictionJournal(tmp_path / "j", model, ["settings"]).portions(changed)) == whole
    assert asked == [document.id for document in changed[2:]]


@pytest.mark.parametrize("settings", [["other"], []])
def test_other_settings_begin_anew(model, tmp_path, documents, settings):
    broken_off(model, tmp_path / "j", documents, 4)
    assert PredictionJournal(tmp_path / "j", model, settings).n_found == 0


def test_a_shorter_input_is_served_from_the_journal(model, tmp_path, documents):
    broken_off(model, tmp_path / "j", documents, 6)
    whole = rows(portions(model, documents[:2]))
    assert rows(PredictionJournal(tmp_path / "j", model, ["settings"]).portions(documents[:2])) == whole


def test_a_record_that_is_no_record_is_made_again(model, tmp_path, documents):
    broken_off(model, tmp_path / "j", documents, 6)
    journal = PredictionJournal(tmp_path / "j", model, ["settings"])
    journal.journal.cut(1)
    journal.journal.append(b"whole, but not ours")
    assert rows(journal.portions(documents)) == rows(portions(model, documents))


@pytest.fixture
def tiny(monkeypatch):
    """Portions of hardly more than a sentence."""
    monkeypatch.setattr(judging, "CANDIDATES_AT_A_TIME", 1)


def portion_ends(model, documents):
    return [portion.is_last for portion in portions(model, documents)]


def test_a_run_goes_on_within_a_document(model, tmp_path, documents, tiny, monkeypatch):
    """A document that takes an hour need not be begun again."""
    expected = rows(portions(model, documents))
    ends = portion_ends(model, documents)
    assert ends.count(False) >= 3
    judged = []
    rest_of = prediction_journal.rest_of
    monkeypatch.setattr(
        prediction_journal, "rest_of", lambda *given: (judged.append(one) or one for one in rest_of(*given))
    )  # fmt: skip
    for number, _ in enumerate(ends[:12], 1):
        broken_off(model, tmp_path / f"j{number}", documents, number)
        journal = PredictionJournal(tmp_path / f"j{number}", model, ["settings"])
        n_kept = journal.journal.n_found
        assert number - n_kept in (0, 1)  # the last may have been yielded but not written
        is_within = n_kept > 0 and not ends[n_kept - 1]
        assert ("a part of a document" in journal.kept) == is_within
        judged.clear()
        assert rows(journal.portions(documents)) == expected
        assert journal.n_recalled == ends[:n_kept].count(True)
        assert len(judged) == (ends[n_kept:].index(True) + 1 if is_within else 0)
        journal.close()
        again = PredictionJournal(tmp_path / f"j{number}", model, ["settings"])
        assert rows(again.portions(documents)) == expected
        assert (again.n_recalled, again.kept) == (len(documents), f"{len(documents)} documents")


@pytest.mark.parametrize("damage", ["no record", "of another document", "too long", "ends too early"])
def test_damage_within_a_document(model, tmp_path, documents, tiny, damage):
    ends = portion_ends(model, documents)
    first = next(number for number in range(1, len(ends)) if not ends[number - 1])  # goes on with a document
    expected = rows(portions(model, documents))
    broken_off(model, tmp_path / "j", documents, len(ends))
    journal = PredictionJournal(tmp_path / "j", model, ["settings"])
    mark, record = journal.journal[first][:1], json.loads(zlib.decompress(journal.journal[first][1:]))
    journal.journal.cut(first)
    if damage == "of another document":
        record["given"] = "0" * 64
    elif damage == "too long":
        record["rows"] *= 1000
    elif damage == "ends too early":
        mark, record["rows"] = b".", record["rows"][:-1]
    content = b"none" if damage == "no record" else zlib.compress(json.dumps(record).encode())
    journal.journal.append(mark + content)
    assert rows(journal.portions(documents)) == expected
