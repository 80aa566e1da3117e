"""One file and one registration: parts from elsewhere are learned with, saved, and read again by another process.

Each of :data:`GUESTS` is a module that nobody here knows of. They are written to a folder of their own, and two processes that
import them use every one: the first fits and saves a model, the second reads the model file. Registrations are global, so this
happens in processes of their own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from relhash.model.model_file import read_manifest

GUESTS = {
    "backwards": """
import json
from relhash.corpus import FORMATS, Format
from relhash.corpus.jsonl import decode_document


def read_backwards(path, *, on_error=None):
    for line in path.read_text(encoding="utf-8").splitlines():
        yield decode_document(json.loads(line[::-1]))


FORMATS.register("backwards", Format("backwards", "every line from its end", (".sdrawkcab",), read_backwards))
""",
    "initials": """
from relhash.candidates import VIEWS, SequenceView


def initials_of(scene):
    return [token.text[0].lower() for place, token in enumerate(scene.stage.tokens) if scene.is_free(place)]


VIEWS.register("initials", SequenceView("initials", initials_of))
""",
    "mean_sides": """
import numpy as np
from relhash.hashing import HASH_FAMILIES, HashFamily, HashFunction, Responses


def nearer_to_side_one(similarities, split):
    side = np.asarray(split, bool)
    return (similarities[:, side].mean(axis=1) > similarities[:, ~side].mean(axis=1)).astype(np.uint8)


class MeanFunction(HashFunction):
    def bits(self, bound):
        return nearer_to_side_one(bound.similarities(self.references), self.split)


class MeanResponses(Responses):
    def __init__(self, ids, similarities):
        self.ids, self.similarities = ids, similarities

    def bits(self, split):
        return nearer_to_side_one(self.similarities, split)

    def ones(self, splits, clustering, rows, weights):
        counts = np.zeros((len(splits), *clustering.totals.shape), np.int64)
        for count, split in zip(counts, splits):
            chosen = self.bits(split)[rows] == 1
            np.add.at(count, clustering.cells[chosen], weights[chosen])
        return counts


class MeanFamily(HashFamily):
    name = "mean_sides"

    def respond(self, bound, ids):
        return MeanResponses(ids, bound.similarities(bound.unique(ids)))

    def function(self, references, split, kernel, view, responses):
        return MeanFunction(references, split, kernel, view)

    def restore(self, references, split, kernel, view, parameters):
        return MeanFunction(references, split, kernel, view)


HASH_FAMILIES.register("mean_sides", MeanFamily)
""",
    "long_words": """
import numpy as np
from relhash.learn import FEATURE_PARTS, FeaturePart
from scipy import sparse


class LongWordsPart(FeaturePart):
    name = "long_words"
    views = ("between",)

    def __init__(self, letters=6):
        self.letters = letters

    def fit(self, text, target=None):
        self.most_ = max((self._count(words) for words in text.sequences("between")), default=0)
        return self

    def transform(self, text):
        return sparse.csr_matrix([[self._count(words) / max(self.most_, 1)] for words in text.sequences("between")])

    def _count(self, words):
        return sum(len(word) >= self.letters for word in words)

    @property
    def columns(self):
        return ["share of long words"]

    def to_arrays(self):
        return {"most": np.array([self.most_])}

    @classmethod
    def from_arrays(cls, arrays, parameters, code):
        part = cls(**parameters)
        part.most_ = int(arrays["most"][0])
        return part


FEATURE_PARTS.register("long_words", LongWordsPart)
""",
    "centroids": """
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from relhash.learn import CLASSIFIERS, Classifier, FittedClassifier


class FittedCentroids(FittedClassifier):
    def __init__(self, plane, offset):
        self.plane, self.offset = plane, offset

    def scores(self, X):
        return 1 / (1 + np.exp(-(np.asarray(X @ self.plane).ravel() - self.offset)))

    def to_arrays(self):
        return {"plane": self.plane, "offset": np.array([self.offset])}


@dataclass(frozen=True)
class CentroidClassifier(Classifier):
    shrinkage: float = 0.0
    kind: ClassVar[str] = "centroids"

    def fit(self, X, y, *, columns=None, random_state=0, n_jobs=None):
        rows, labels = np.asarray(X.todense()), np.asarray(y, bool)
        ours, others = rows[labels].mean(axis=0), rows[~labels].mean(axis=0)
        plane = (ours - others) * (1 - self.shrinkage)
        return FittedCentroids(plane, float(plane @ (ours + others) / 2))

    @classmethod
    def read(cls, arrays):
        return FittedCentroids(arrays["plane"], float(arrays["offset"][0]))


CLASSIFIERS.register("centroids", CentroidClassifier)
""",
    "astonishment": """
import math

from relhash.model.tables.columns import COLUMNS, Column


def astonishment_of(prediction):
    return round(-math.log(max(prediction.probability, 1e-9)) * len(prediction.scene.stage.tokens), 3)


COLUMNS.register("astonishment", Column(astonishment_of, float))
""",
    "one_in": """
from relhash.learn import THRESHOLD_RULES, ThresholdRule, put_share

THRESHOLD_RULES.register("one_in", ThresholdRule(lambda scored, n: put_share(scored, 1 / n), (1, 1000)))
""",
}
"""Modules by name: a reader, a view, a hash family, a feature part, a classifier, an output column, a threshold rule."""

IN_THE_MODEL = ("initials", "mean_sides", "long_words", "centroids")

LEARN = """
import sys
from relhash.cli.main import main
from relhash import RelationExtractor, read
from relhash.learn import to_part

[__import__(name) for name in sys.argv[1].split(",")]
extractor = RelationExtractor(
    "KLSH-NU-RF",
    views=["path+edges", "initials"],
    parts=["bits", to_part({"name": "long_words", "parameters": {"letters": 5}})],
    learner={"n_bits": 8, "hash_function": "mean_sides"},
    classifier="centroids",
    threshold="one_in:8",
    cache=False,
)
extractor.fit(read("labelled.sdrawkcab")).save("guests.relhash")
main(["predict", "guests.relhash", "labelled.sdrawkcab", "--all", "-o", "first.tsv", "--quiet"])
"""
READ = """
import sys
from relhash.cli.main import main

[__import__(name) for name in sys.argv[1].split(",")]
main(["predict", "guests.relhash", "labelled.sdrawkcab", "--all", "-o", "again.tsv", "--quiet"])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The guests, a text in the guest's format, and the model that was learned with all of them."""
    from relhash.corpus.demo import demo_corpora
    from relhash.corpus.jsonl import encode_document

    folder = tmp_path_factory.mktemp("guests")
    for name, source in GUESTS.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    documents = demo_corpora()[0].documents[:60]
    lines = [json.dumps(encode_document(document))[::-1] for document in documents]
    (folder / "labelled.sdrawkcab").write_text("\n".join(lines), encoding="utf-8")
    done = run(folder, LEARN, list(GUESTS))
    assert done.returncode == 0, done.stderr
    return folder


def run(folder: Path, program: str, guests: list[str]) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(folder), *sys.path])
    arguments = [sys.executable, "-c", program, ",".join(guests)]
    return subprocess.run(arguments, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)


@pytest.mark.parametrize("name", GUESTS)
def test_a_part_is_one_file_with_one_registration(name: str, folder: Path) -> None:
    written = [path for path in folder.glob("*.py") if name in path.read_text(encoding="utf-8")]
    assert [path.stem for path in written] == [name]
    assert GUESTS[name].count(".register(") == 1
    sources = Path(__file__).resolve().parents[1] / "src" / "relhash"
    assert not [path for path in sources.rglob("*.py") if f'"{name}"' in path.read_text(encoding="utf-8")]


def test_a_model_of_parts_from_elsewhere_comes_back_in_another_process(folder: Path) -> None:
    done = run(folder, READ, list(GUESTS))
    assert done.returncode == 0, done.stderr
    first, again = ((folder / f"{name}.tsv").read_text(encoding="utf-8") for name in ("first", "again"))
    assert first == again
    heading, *rows = first.splitlines()
    assert heading.split("\t")[-1] == "astonishment"
    assert len(rows) > 300
    assert len({row.split("\t")[-1] for row in rows}) > 10
    assert read_manifest(folder / "guests.relhash")["card"]["threshold"]["strategy"] == "one_in:8"


@pytest.mark.parametrize("missing", IN_THE_MODEL)
def test_without_its_file_the_part_is_named_in_one_line(missing: str, folder: Path) -> None:
    done = run(folder, READ, [name for name in GUESTS if name != missing])
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert missing in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
