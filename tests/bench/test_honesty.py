"""Nobody looks at the labels of the text that is tested, and a table shows what a user gets.

Every label of the target is turned round, in the candidates and in their documents. Scores, thresholds and labels must be the
same to the last digit, for every preset, every rival and every kind of protocol.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import relhash
from relhash.bench.bench import Bench
from relhash.bench.datasets.bionlp import bionlp_dataset
from relhash.bench.datasets.dataset import Dataset
from relhash.bench.datasets.prepared import nero_open_dataset, pubmed45_dataset
from relhash.bench.protocols import PROTOCOLS, protocol, tasks
from relhash.bench.rivals.registry import is_installed
from relhash.bench.runner import run_protocol
from relhash.bench.systems.listed import SYSTEMS, system
from relhash.bench.systems.prior_votes import PriorVotes
from relhash.biomed.assertion import Assertion
from relhash.errors import DataMissingError
from relhash.language.encoder import shared_encoder
from relhash.model import RelationExtractor
from relhash.model.recipe import PRESETS
from tests.bench.datasets.conftest import toy_bionlp, toy_pubmed45  # noqa: F401 (fixtures)
from tests.bench.datasets.test_nero_open import rows as nero_rows
from tests.bench.datasets.toy_documents import toy_parse
from tests.bench.flipped_labels import flipped, flipped_document, quick, quick_preset
from tests.language.test_encoder import drawn_arrays, saved

RIVALS = (
    "best-unadapted", "KLSH-NU-RF-unadapted", "ngram-lr", "ngram+descriptors-lr", "descriptors-forest",
    "nystroem-lr", "kernel-svm", "prior", "best+prior", "best+encoder+prior", "descriptors-forest+prior",
    "SVM-Tikk2010", "SVM-Garg2016",
)  # fmt: skip


@pytest.fixture(scope="module")
def corpora(toy_data):
    files = {letter: relhash.read(toy_data / name) for letter, name in PROTOCOLS["ppi-development"].corpora}
    return {letter: list(corpus)[:8] for letter, corpus in files.items()}


def dataset_of(corpora, letters):
    dataset = Dataset([corpora[letter] for letter in letters])
    votes = np.random.default_rng(0).normal(size=len(dataset))
    dataset.prior = PriorVotes(votes, 1 / (1 + np.exp(-votes)), "a prior")
    return dataset


@pytest.fixture(autouse=True)
def _drawn_encoder(tmp_path, monkeypatch):
    monkeypatch.setenv("RELHASH_ENCODER", str(saved(tmp_path / "drawn.npz", drawn_arrays())))
    shared_encoder.cache_clear()
    yield
    shared_encoder.cache_clear()


@pytest.fixture(scope="module")
def cross(corpora):
    dataset = dataset_of(corpora, "AB")
    return dataset, next(tasks(protocol("ppi-cross"), dataset))


@pytest.mark.parametrize("name", ["encoder", "best+encoder", "best+encoder+prior"])
def test_an_encoder_that_knows_the_tested_corpus_is_refused(cross, name, tmp_path, monkeypatch):
    dataset, task = cross
    before = SYSTEMS[name].identity
    tested = dataset.candidates[task.test[0]].document.id.split(".")[0].lower()
    monkeypatch.setenv("RELHASH_ENCODER", str(saved(tmp_path / "knows.npz", drawn_arrays(seed=1), [tested])))
    shared_encoder.cache_clear()
    assert SYSTEMS[name].identity != before  # cells of the other weights do not count
    with pytest.raises(DataMissingError, match=f"learned from {tested}"):
        SYSTEMS[name].work(Bench(dataset, task, 0))


def assert_same(first, second):
    np.testing.assert_array_equal(first[0], second[0])
    np.testing.assert_array_equal(first[1], second[1])


@pytest.mark.parametrize(
    ("name", "n_labels"),
    [
        *((name, None) for name in (*PRESETS, *RIVALS)),
        *((name, 40) for name in ("best", "KLSH-NU-RF", "ngram-lr", "kernel-svm", "best+prior", "SVM-Tikk2010")),
    ],
)
def test_labels_of_the_target_change_nothing(cross, name, n_labels):
    dataset, task = cross
    chosen = quick(SYSTEMS[name])
    if not is_installed(chosen.needs):
        pytest.skip(f"needs the extra {chosen.needs}")
    turned = flipped(dataset, task.test)
    assert (turned.y[task.test] != dataset.y[task.test]).all()
    assert_same(*(Bench(data, task, 1, n_jobs=1).run(chosen, n_labels) for data in (dataset, turned)))


@pytest.mark.filterwarnings("ignore:the model accepts")
@pytest.mark.parametrize("name", list(PRESETS))
def test_a_table_shows_what_a_user_gets_and_nobody_reads_labels_of_the_target(corpora, cross, name, monkeypatch):
    """Scores and labels of the cells of a run are those of fit and predict, which got a target with all labels turned round."""
    preset = quick_preset(PRESETS[name])
    monkeypatch.setitem(PRESETS, name, preset)
    monkeypatch.setitem(SYSTEMS, name, replace(SYSTEMS[name], preset=preset))
    if not is_installed(SYSTEMS[name].needs):
        pytest.skip(f"needs the extra {SYSTEMS[name].needs}")
    dataset, task = cross
    run = run_protocol(protocol("ppi-cross"), dataset=dataset, systems=[name], seeds=1, n_jobs=1)
    (cell,) = (cell for cell in run.cells if cell.direction == task.direction)
    scores, labels, *_ = Bench(dataset, task, 0, n_jobs=1).run(SYSTEMS[name])
    members = {}
    for row in task.test:
        members.setdefault(dataset.candidates[row].document.id, []).append(dataset.candidates[row])
    target = [flipped_document(document, members.get(document.id, [])) for document in corpora["B"]]
    model = RelationExtractor(name, prior="none", random_state=0, n_jobs=1).fit(corpora["A"], adapt_to=target).model_
    given = model.keeping(*Assertion).predict(corpora["B"], all_candidates=True)
    np.testing.assert_allclose([one.score for one in given], scores, atol=1e-9)
    np.testing.assert_array_equal([one.is_relation for one in given], labels)
    np.testing.assert_array_equal(cell.given, labels)
    assert model.decision.threshold.basis == "target"


SPLITS = {one.split: one for one in PROTOCOLS.values() if not one.prepared}


@pytest.mark.parametrize("split", list(SPLITS))
def test_labels_of_the_target_change_nothing_in_any_protocol(corpora, split):
    chosen = replace(SPLITS[split], n_folds=3)
    dataset = dataset_of(corpora, [letter for letter, _ in chosen.corpora])
    _unchanged(dataset, list(tasks(chosen, dataset))[-1], ("KLSH-NU-RF", "ngram-lr", "SVM-Tikk2010"))


@pytest.mark.parametrize("name", ["bionlp", "nero-open", "pubmed45"])
def test_labels_of_the_target_change_nothing_for_interactions(toy_bionlp, toy_pubmed45, tmp_path, name):  # noqa: F811
    if name == "nero-open":
        (tmp_path / "nero.txt").write_text(nero_rows(12), encoding="utf-8")
        dataset = nero_open_dataset(tmp_path, path=tmp_path / "nero.txt", share=1)
    else:
        dataset = bionlp_dataset(toy_bionlp, toy_parse) if name == "bionlp" else pubmed45_dataset(toy_pubmed45)
    names = [*(one for one in PRESETS if is_installed(SYSTEMS[one].needs)), "ngram-lr", "descriptors-forest", "SVM-Garg2016"]
    _unchanged(dataset, next(tasks(protocol(name), dataset)), names, has_roles=True)


def _unchanged(dataset, task, names, *, has_roles=False):
    turned = flipped(dataset, task.test)
    for name in names:
        chosen = quick(system(name, has_roles=has_roles))
        assert_same(*(Bench(data, task, 0, n_jobs=1).run(chosen) for data in (dataset, turned)))


def test_a_run_gives_the_labels_of_its_systems_whatever_the_gold_says(cross, monkeypatch):
    """Figures change with the gold, labels and ranks in the cells do not."""
    monkeypatch.setitem(SYSTEMS, "KLSH-NU-RF", quick(SYSTEMS["KLSH-NU-RF"]))
    dataset, task = cross
    few = replace(PROTOCOLS["few-labels"], label_counts=(40,))
    for one in (protocol("ppi-cross"), few):
        before, after = (
            next(cell for cell in run_protocol(one, dataset=data, systems=["KLSH-NU-RF"], seeds=1, n_jobs=1).cells)
            for data in (dataset, flipped(dataset, task.test))
        )
        np.testing.assert_array_equal(before.given, after.given)
        np.testing.assert_array_equal(before.ranks, after.ranks)
        assert before.figures["all"]["auc"] == pytest.approx(1 - after.figures["all"]["auc"])
