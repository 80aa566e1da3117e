"""The same seed gives the same bytes: for threads, hash seeds, BLAS settings and processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import hashlib, sys, warnings
import relhash
from relhash.corpus import Corpus
from relhash.learning import ForestClassifier
from relhash.models import FittedModel, RelationExtractor
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


@pytest.mark.slow
def test_processes_threads_and_hash_seeds_make_the_same_model(tmp_path):
    first = result(tmp_path / "m.relhash", PYTHONHASHSEED="0")
    for settings in (
        {"PYTHONHASHSEED": "1"},
        {"n_jobs": 3, "PYTHONHASHSEED": "2"},
        {"OPENBLAS_NUM_THREADS": "4", "OMP_NUM_THREADS": "4"},
    ):
        assert result(tmp_path / "m.relhash", **settings) == first, settings
