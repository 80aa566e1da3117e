"""What the benchmark runs is what a user gets."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.evaluation.bench import Bench
from relhash.evaluation.datasets.dataset import Dataset
from relhash.evaluation.protocols import protocol, tasks
from relhash.evaluation.systems import SYSTEMS
from relhash.learning import LinearClassifier
from relhash.learning.metrics import measure
from relhash.models import RelationExtractor

pytestmark = pytest.mark.usefixtures("small_systems")


def test_bench_equals_the_product(toy_data):
    """What the benchmark runs is what a user gets from fit and evaluate."""
    import relhash

    source, target = (relhash.read(toy_data / "ppi" / f"{name}.xml") for name in ("AIMed", "BioInfer"))
    dataset = Dataset([source, target])
    task = next(tasks(protocol("ppi-cross"), dataset))
    scores, labels, _ = Bench(dataset, task, 3).run(SYSTEMS["KLSH-NU-RF"])
    model = RelationExtractor(
        "KLSH-NU-RF", learner={"n_bits": 8}, classifier=LinearClassifier(0.1), random_state=3
    )
    model.fit(source, adapt_to=target)
    np.testing.assert_allclose(model.scores(target), scores, atol=1e-9)
    assert model.evaluate(target).auc == pytest.approx(measure(dataset.y[task.test], scores, labels).auc)
