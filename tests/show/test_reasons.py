"""Reasons sum to the decision, and read like something."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates.scene import scenes
from relhash.learn import LinearClassifier
from relhash.model import RelationExtractor
from relhash.model.judging import Prepared
from relhash.show.reasons import fact_in_words, part_shares, reasons_of
from tests.model.conftest import SMALL, part


@pytest.fixture(scope="module")
def corpora():
    return part("abstracts", 25), part("fulltext", 12)


@pytest.fixture(scope="module", params=["bits", "rich", "coordinates"])
def explained(request, corpora):
    given = {
        "bits": {"preset": "KLSH-NU-RF", **SMALL},
        "rich": {
            "preset": "best", "views": ("path+edges", "between"), "parts": ("bits", "descriptors", "ngrams"),
            "learner": {"n_bits": 8, "n_references": (4,), "split": "random"}, "classifier": LinearClassifier(0.1),
        },
        "coordinates": {
            "preset": "best", "views": ("path+edges",), "parts": ("coordinates", "raw-descriptors", "descriptors"),
            "learner": {"n_bits": 8, "n_references": (4,), "split": "random"}, "classifier": LinearClassifier(0.1),
        },
    }[request.param]  # fmt: skip
    model = RelationExtractor(**given).fit(corpora[0], adapt_to=corpora[1]).fitted
    found = list(scenes(model.candidates(corpora[1])))[:30]
    structures = Prepared(model, found).structures
    rows = model.features.transform(structures)
    return model, rows, reasons_of(model, rows, structures)


def test_reasons_sum_to_what_the_model_says(explained):
    model, rows, reasons = explained
    sums = [one.base + sum(reason.value for reason in one.reasons) for one in reasons]
    np.testing.assert_allclose(sums, model.decision.classifier.log_odds(rows), atol=1e-8)
    np.testing.assert_allclose([one.log_odds for one in reasons], sums, atol=1e-8)


def test_what_is_shown_sums_up_as_well(explained):
    for one in explained[2]:
        assert sum(reason.value for reason in one.strongest(4)) == pytest.approx(one.log_odds - one.base, abs=1e-8)


def test_the_strongest_come_first_each_once(explained):
    for one in explained[2]:
        sizes = [abs(reason.value) for reason in one.reasons]
        assert sizes == sorted(sizes, reverse=True)
        assert len({reason.text for reason in one.reasons}) == len(one.reasons)


def test_shares_of_parts_are_shares(explained):
    shares = part_shares(explained[2])
    assert sum(shares.values()) == pytest.approx(1)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)


def test_facts_read_like_something():
    assert fact_in_words("log_path_nodes", float(np.log1p(3))) == "path nodes: 3"
    assert fact_in_words("before_last:(", 0.0) == "“(” before last: no"
    assert fact_in_words("name_likeness", 0.25) == "name likeness: 0.25"
    assert fact_in_words("adjacent") == "adjacent"
