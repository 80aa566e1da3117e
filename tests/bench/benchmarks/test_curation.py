"""The simulated annotator on a small table whose answer is known."""

from __future__ import annotations

import json

import numpy as np
import pytest

from relhash.bench.benchmarks import curation
from relhash.bench.benchmarks.curation import CurationSetting
from relhash.hashing.hamming import pack
from relhash.learn import LinearClassifier
from relhash.learn.decision import Decision, DecisionSettings
from tests.bench.made_results import assert_says_who_made_it

ANSWERS = (0, 25, 50)


@pytest.fixture(scope="module")
def setting() -> CurationSetting:
    """The model before knows half of what makes a relation."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 8))
    y = X[:, 0] + X[:, 1] > 0.8
    columns, documents = {"bits": slice(0, 8)}, np.array([f"d{row // 4}" for row in range(400)])
    before = Decision.fit(DecisionSettings((LinearClassifier(),)), X, X[:, 0] > 0.5, documents, columns=columns)
    codes = pack((X > 0).astype(np.uint8))
    return CurationSetting("toy→toy", before, X, columns, codes, [None] * 400, y, documents, "toy")  # type: ignore[list-item]


def test_answers_help_and_the_model_before_helps_at_the_start(setting):
    rows = curation.summary(list(curation.curation_figures([setting], draws=3, answers=ANSWERS)))
    assert len(rows) == len(ANSWERS) * len(curation.SYSTEMS)
    of = {(row["system"], row["answers"]): row for row in rows}
    ours, plain = curation.SYSTEMS[0].name, curation.SYSTEMS[-1].name
    assert of[ours, 50]["auc"] > of[ours, 0]["auc"]
    assert of[plain, 0]["auc"] == 0.5
    assert of[ours, 0]["auc"] > 0.7
    assert of[plain, 0]["draws"] == 3


def test_who_asks_for_the_most_probable_meets_most_relations(setting):
    rows = curation.summary(list(curation.curation_figures([setting], draws=2, answers=(0, 50))))
    found = {row["system"]: row["found"] for row in rows if row["answers"]}
    assert found["most probable first, with the model"] > 1.2 * found["random, with the model"]


def test_figures_are_of_text_that_was_not_asked_about(setting):
    for draw in range(5):
        pool, test = curation._halves(setting.documents, draw)
        assert set(setting.documents[pool]).isdisjoint(setting.documents[test])
        assert pool.size + test.size == 400


def test_finished_draws_are_not_run_again(setting, tmp_path, monkeypatch):
    given = {"draws": 1, "answers": ANSWERS, "out": tmp_path, "systems": curation.SYSTEMS[:2]}
    first = list(curation.curation_figures([setting], **given))
    with (tmp_path / "curate.draws.jsonl").open("a") as handle:
        handle.write('{"key": "cut o')
    monkeypatch.setattr(curation, "_run", None)  # would fail if it were asked
    assert list(curation.curation_figures([setting], **given)) == first


def test_files(setting, tmp_path):
    figures = list(curation.curation_figures([setting], draws=2, answers=(0, 25, 100)))
    curation.report_of(figures).write(tmp_path)
    written = json.loads((tmp_path / "curate.json").read_text())
    assert len(written["rows"]) == 3 * len(curation.SYSTEMS)
    assert_says_who_made_it(written)
    assert "100 answers of our queue, with the model" in (page := (tmp_path / "curate.md").read_text())
    beside = [one.name for one in curation.SYSTEMS if one.order == "random" and one.with_model]
    assert f"= answers of {beside[0]}, by auc" in page
    assert (tmp_path / "curate-auc.png").read_bytes()[:4] == b"\x89PNG"


def test_worth_of_answers():
    rows = [
        {"direction": "x", "system": "ours", "answers": 100, "auc": 0.8},
        *({"direction": "x", "system": "plain", "answers": n, "auc": value} for n, value in ((0, 0.5), (200, 0.7), (400, 0.9))),
    ]
    assert curation.worth(rows, "ours", "plain") == {"x": pytest.approx(300)}
    rows[0]["auc"] = 0.95
    assert curation.worth(rows, "ours", "plain") == {"x": None}
