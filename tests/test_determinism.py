"""The same seed gives the same bytes: for threads, processes, batches, order of files, hash seeds, BLAS settings and engines.

Here an engine is what it does with the parts of a text; with workers and messages it is in ``tests/scale/test_prediction.py``
(predictions) and ``tests/scale/test_codes.py`` (hash functions).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

import relhash
from relhash.corpus import Corpus, write
from relhash.model import FittedModel, RelationExtractor, judging
from relhash.model.reading import reader as reading
from relhash.model.tables import read_rows
from relhash.resources import resource_path
from relhash.scale.dataset import predict_partition
from relhash.scale.job import PredictionJob
from relhash.scale.partitions import cut, find_files
from tests.scale.rows import local_rows

PROGRAM = """
import hashlib, sys, warnings
import relhash
from relhash.corpus import Corpus
from relhash.learn import ForestClassifier
from relhash.model import FittedModel, RelationExtractor
from relhash.resources import resource_path

warnings.simplefilter("ignore")
part = lambda name, n: Corpus.of(list(relhash.read(resource_path("demo") / f"{name}.jsonl.gz"))[:n], name)
model = RelationExtractor(
    "KLSH-NU-RF", learner={"n_bits": 8}, classifier=ForestClassifier(10), prior="none", random_state=3, n_jobs=int(sys.argv[2])
).fit(part("abstracts", 12), adapt_to=part("fulltext", 5))
model.save(sys.argv[1])
print(hashlib.sha256(open(sys.argv[1], "rb").read()).hexdigest())
print(FittedModel.load(sys.argv[1], n_jobs=int(sys.argv[2])).scores(part("fulltext", 8)).tobytes().hex())
"""


def result(path, *, n_jobs=1, **environment):
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path), str(n_jobs)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return process.stdout


def test_another_process_with_everything_else_makes_the_same_model(tmp_path):
    everything = {"PYTHONHASHSEED": "4711", "OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "NUMBA_NUM_THREADS": "2"}
    assert result(tmp_path / "m.relhash", n_jobs=2, **everything) == result(tmp_path / "m.relhash", PYTHONHASHSEED="0")


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {"PYTHONHASHSEED": "1"},
        {"n_jobs": 3, "PYTHONHASHSEED": "2"},
        {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4"},
        {"NUMBA_NUM_THREADS": "1"},
    ],
    ids=str,
)
def test_one_thing_changed_makes_the_same_model(tmp_path, settings):
    assert result(tmp_path / "m.relhash", **settings) == result(tmp_path / "m.relhash", PYTHONHASHSEED="0")


def part(name, n):
    return list(relhash.read(resource_path("demo") / f"{name}.jsonl.gz"))[:n]


@pytest.fixture(scope="module")
def model():
    extractor = RelationExtractor("best", learner={"n_bits": 12}, prior="none", random_state=1)
    return extractor.fit(Corpus.of(part("abstracts", 15)), adapt_to=Corpus.of(part("fulltext", 5))).model_


@pytest.fixture(scope="module")
def documents():
    return part("fulltext", 24)


@pytest.fixture(scope="module")
def expected(model, documents):
    return by_document(model, documents)


def by_document(model, documents):
    """Scores, probabilities and rows of each document, to the last bit."""
    return {
        document.id: [(one.candidate.key, one.score.hex(), one.probability.hex(), one.as_row()) for one in found]
        for document, found in model.annotate(documents, all_candidates=True)
    }


def test_a_row_does_not_depend_on_its_neighbours(model, documents, expected):
    for kept in (documents[::3], documents[5:6]):
        assert by_document(model, kept) == {document.id: expected[document.id] for document in kept}


def test_the_order_of_documents_changes_only_the_order_of_rows(model, documents, expected):
    shuffled = random.Random(0).sample(documents, len(documents))
    found = by_document(model, shuffled)
    assert list(found) == [document.id for document in shuffled]
    assert found == expected


@pytest.mark.parametrize(("batch", "block"), [(1, 1), (5, 7), (1000, 100_000)])
def test_the_size_of_batches_changes_nothing(model, documents, expected, monkeypatch, batch, block):
    monkeypatch.setattr(judging, "BATCH", batch)
    monkeypatch.setattr(judging, "BATCH_OF_PARSED", batch)
    monkeypatch.setattr(judging, "CANDIDATES_AT_A_TIME", block)
    assert by_document(model, documents) == expected


@pytest.mark.parametrize("n_threads", [1, 4])
def test_threads_of_the_libraries_change_nothing(model, documents, expected, n_threads):
    with threadpool_limits(n_threads):
        assert by_document(model, documents) == expected


def test_saved_and_read_with_more_jobs_it_says_the_same(model, documents, expected, tmp_path):
    model.save(tmp_path / "best.relhash")
    again = FittedModel.load(tmp_path / "best.relhash", n_jobs=2)
    found, before = by_document(again, documents), expected
    assert {key: [row[:3] for row in rows] for key, rows in found.items()} == {
        key: [row[:3] for row in rows]
        for key, rows in before.items()  # the name of the model is in the rest
    }


@pytest.mark.parametrize("size", [1, 7, 24])
def test_the_engine_of_a_cluster_writes_the_rows_of_one_process(model, documents, tmp_path, size):
    saved, text = tmp_path / "best.relhash", tmp_path / "text.jsonl"
    model.save(saved)
    write(documents, text)
    job, (file,) = PredictionJob.of_model(saved, all_candidates=True), find_files([text])
    rows = []
    for number, partition in enumerate(cut([file], [len(documents)], size)):
        place = tmp_path / f"part-{number:06}.parquet"
        predict_partition(job, partition, place)
        rows += [row for _, row in read_rows(place)]
    assert rows == local_rows(saved, [text])


@pytest.mark.slow
def test_processes_and_batches_of_the_parser_change_nothing(monkeypatch):
    raw = [relhash.Document(f"d{number}", document.text) for number, document in enumerate(part("fulltext", 12))]
    one = by_document(relhash.load("ppi", cache=False), raw)
    monkeypatch.setattr(reading, "BATCH", 3)
    monkeypatch.setattr(reading, "FEW", 1)
    assert by_document(relhash.load("ppi", cache=False, n_jobs=2), raw) == one
    assert by_document(relhash.load("ppi", cache=False), raw[::-1]) == one


def test_files_of_a_folder_come_in_the_order_of_their_names(tmp_path, monkeypatch):
    names = ["b.jsonl", "a.jsonl", "c.jsonl"]
    for name, document in zip(names, part("abstracts", 3), strict=True):
        write([document], tmp_path / name)
    found = [document.id for document in relhash.stream(tmp_path)]
    scanned, listed = os.scandir, os.listdir
    monkeypatch.setattr(os, "scandir", lambda *given: iter(sorted(scanned(*given), key=lambda entry: entry.name, reverse=True)))
    monkeypatch.setattr(os, "listdir", lambda *given: sorted(listed(*given), reverse=True))
    assert [document.id for document in relhash.stream(tmp_path)] == found
    assert found == [part("abstracts", 3)[names.index(name)].id for name in sorted(names)]


def test_a_second_fit_in_one_process_gives_the_same_bytes(tmp_path):
    files = []
    for number in range(2):
        np.random.seed(number)  # noqa: NPY002 (whatever the state of others)
        random.seed(number)
        extractor = RelationExtractor("KLSH-kNN", learner={"n_bits": 8}, random_state=5)
        extractor.fit(Corpus.of(part("abstracts", 12)), adapt_to=Corpus.of(part("fulltext", 5))).save(tmp_path / "m")
        files.append((tmp_path / "m").read_bytes())
    assert files[0] == files[1]
