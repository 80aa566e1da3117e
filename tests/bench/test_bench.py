"""What the benchmark runs is what a user gets."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench import bench as bench_module
from relhash.bench.bench import Bench
from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import protocol, tasks
from relhash.bench.systems.listed import SYSTEMS
from relhash.learn import LinearClassifier
from relhash.learn.metrics import measure
from relhash.model import RelationExtractor

pytestmark = pytest.mark.usefixtures("small_systems")


def test_bench_equals_the_product(toy_data):
    """What the benchmark runs is what a user gets from fit and evaluate."""
    import relhash

    source, target = (relhash.read(toy_data / "ppi" / f"{name}.xml") for name in ("AIMed", "BioInfer"))
    dataset = Dataset([source, target])
    task = next(tasks(protocol("ppi-cross"), dataset))
    scores, labels, *_ = Bench(dataset, task, 3).run(SYSTEMS["KLSH-NU-RF"])
    model = RelationExtractor("KLSH-NU-RF", learner={"n_bits": 8}, classifier=LinearClassifier(0.1), random_state=3)
    model.fit(source, adapt_to=target)
    np.testing.assert_allclose(model.scores(target), scores, atol=1e-9)
    assert model.evaluate(target).auc == pytest.approx(measure(dataset.y[task.test], scores, labels).auc)


def test_parts_are_made_once_for_all_systems_and_those_without_codes_for_all_seeds(toy_data, monkeypatch):
    made = []

    def counted(part, *arguments, **options):
        made.append((part.part_names, options["random_state"]))
        return fit_features(part, *arguments, **options)

    fit_features = bench_module.fit_features
    monkeypatch.setattr(bench_module, "fit_features", counted)
    dataset = Dataset([read_benchmark_corpus(toy_data, name) for _, name in protocol("ppi-cross").corpora])
    task, seedless = next(tasks(protocol("ppi-cross"), dataset)), {}
    for seed in (0, 1):
        bench = Bench(dataset, task, seed, seedless=seedless)
        for name in ("ngram-lr", "ngram+descriptors-lr", "random", "random"):
            bench.features(SYSTEMS[name].preset)
    assert made == [(("ngrams",), 0), (("descriptors",), 0), (("bits",), 0), (("bits",), 1)]
    both = bench.features(SYSTEMS["ngram+descriptors-lr"].preset)
    assert both.train.shape[1] == sum(own.stop - own.start for own in both.columns.values())
    assert list(both.columns) == ["ngrams", "descriptors"]
