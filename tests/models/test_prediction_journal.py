"""A prediction that is broken off and begun again says the same, row by row, and does nothing twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.models import prediction_journal
from relhash.models.fitted import FittedModel
from relhash.models.prediction_journal import PredictionJournal
from tests.models.conftest import part


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(prediction_journal, "SECONDS", 0)


@pytest.fixture
def model(small_model):
    return small_model.model_


def rows(annotated):
    return [(document, [(one.as_row(), one.score) for one in found]) for document, found in annotated]


@pytest.fixture
def documents():
    return list(part("fulltext", 8))


def broken_off(model, path, documents, n):
    """The first ``n`` documents of a run that then ends."""
    journal = PredictionJournal(path, model, ["settings"])
    annotated = journal.annotate(documents)
    done = [next(annotated) for _ in range(n)]
    journal.close()
    return done


def counting(model, monkeypatch):
    asked = []
    annotate = FittedModel.annotate

    def counted(self, given, **options):
        given = list(given)
        asked.extend(document.id for document in given)
        return annotate(self, given, **options)

    monkeypatch.setattr(FittedModel, "annotate", counted)
    return asked


def test_the_second_run_goes_on(model, tmp_path, documents, monkeypatch):
    whole = rows(model.annotate(documents, all_candidates=True))
    broken_off(model, tmp_path / "j", documents, 3)
    asked = counting(model, monkeypatch)
    journal = PredictionJournal(tmp_path / "j", model, ["settings"])
    assert rows(journal.annotate(documents)) == whole
    assert journal.n_recalled in (2, 3)  # the third may have been yielded but not written
    assert asked == [document.id for document in documents[journal.n_recalled :]]
    journal.remove()
    assert list(tmp_path.iterdir()) == []


def test_from_the_first_document_that_differs_on_all_is_new(model, tmp_path, documents, monkeypatch):
    broken_off(model, tmp_path / "j", documents, 6)
    changed = [*documents[:2], replace(documents[2], metadata={"changed": "yes"}), *documents[3:]]
    whole = rows(model.annotate(changed, all_candidates=True))
    asked = counting(model, monkeypatch)
    assert rows(PredictionJournal(tmp_path / "j", model, ["settings"]).annotate(changed)) == whole
    assert asked == [document.id for document in changed[2:]]


@pytest.mark.parametrize("settings", [["other"], []])
def test_other_settings_begin_anew(model, tmp_path, documents, settings):
    broken_off(model, tmp_path / "j", documents, 4)
    assert PredictionJournal(tmp_path / "j", model, settings).n_found == 0


def test_a_shorter_input_is_served_from_the_journal(model, tmp_path, documents):
    broken_off(model, tmp_path / "j", documents, 6)
    whole = rows(model.annotate(documents[:2], all_candidates=True))
    assert rows(PredictionJournal(tmp_path / "j", model, ["settings"]).annotate(documents[:2])) == whole


def test_a_record_that_is_no_record_is_made_again(model, tmp_path, documents):
    broken_off(model, tmp_path / "j", documents, 6)
    journal = PredictionJournal(tmp_path / "j", model, ["settings"])
    journal.journal.cut(1)
    journal.journal.append(b"whole, but not ours")
    assert rows(journal.annotate(documents)) == rows(model.annotate(documents, all_candidates=True))
