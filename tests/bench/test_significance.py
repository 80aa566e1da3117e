"""The bootstrap on data whose answer is known: values, widths, and what moves together."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from relhash.errors import ParameterError
from relhash.learn.metrics import auc, f1_score
from relhash.show.significance import auc_sample, bootstrap_auc, bootstrap_f1, difference, f1_sample, interval


@pytest.fixture(scope="module")
def two_systems():
    """200 documents of 5 candidates; the first system errs in 10 %, the second in 25 %."""
    rng = np.random.default_rng(0)
    y = rng.uniform(size=1000) < 0.3
    first = y ^ (rng.uniform(size=1000) < 0.10)
    second = y ^ (rng.uniform(size=1000) < 0.25)
    return y, first, second, np.repeat(np.arange(200), 5)


def width(found):
    return found.high - found.low


def test_interval_holds_the_value_and_equals_explicit_resampling(two_systems):
    y, first, _, documents = two_systems
    found = bootstrap_f1(y, first, documents)
    assert found.value == pytest.approx(f1_score(y, first))
    assert found.low < found.value < found.high
    rng = np.random.default_rng(1)
    explicit = []
    for _ in range(1000):
        rows = (5 * rng.integers(0, 200, 200)[:, None] + np.arange(5)).ravel()
        explicit.append(f1_score(y[rows], first[rows]))
    assert (found.low, found.high) == pytest.approx(np.quantile(explicit, [0.025, 0.975]), abs=0.01)
    assert found.resampled == "documents"


def test_documents_that_stand_together_widen_the_interval():
    """Twenty copies of each candidate in one document: the same uncertainty as of one, not a twentieth of it."""
    rng = np.random.default_rng(0)
    y = rng.uniform(size=60) < 0.4
    labels = y ^ (rng.uniform(size=60) < 0.2)
    single = bootstrap_f1(y, labels, np.arange(60))
    by_document = bootstrap_f1(np.repeat(y, 20), np.repeat(labels, 20), np.repeat(np.arange(60), 20))
    by_candidate = bootstrap_f1(np.repeat(y, 20), np.repeat(labels, 20), np.arange(1200))
    assert width(by_document) == pytest.approx(width(single))
    assert width(by_candidate) < 0.5 * width(single)


def test_the_better_system_is_seen_and_the_sign_is_that_of_first_minus_second(two_systems):
    y, first, second, documents = two_systems
    one, other = f1_sample(y, first, documents), f1_sample(y, second, documents)
    found = difference([(one, other)])
    assert found.value == pytest.approx(f1_score(y, first) - f1_score(y, second))
    assert found.is_decided
    assert found.low > 0
    assert found.p_value == pytest.approx(2 / 2001)  # +1 in numerator and denominator: never 0, and two-sided
    back = difference([(other, one)])
    assert (back.value, back.low, back.high) == pytest.approx((-found.value, -found.high, -found.low))
    assert back.p_value == found.p_value


def test_p_is_two_sided_and_agrees_with_the_interval():
    """A difference that lies just at the border of its interval has p near 0.05, not 0.025."""
    rng = np.random.default_rng(4)
    y = np.ones(400, bool)
    base = rng.uniform(size=400) < 0.7
    flipped = np.flatnonzero(~base)[:30]
    better = base.copy()
    better[flipped] = True
    better[np.flatnonzero(base)[:16]] = False
    found = difference([(f1_sample(y, better, np.arange(400)), f1_sample(y, base, np.arange(400)))])
    spread = width(found) / (2 * stats.norm.ppf(0.975))
    assert found.p_value == pytest.approx(2 * stats.norm.sf(found.value / spread), abs=0.03)
    assert 0.01 < found.p_value < 0.2


def test_no_difference_is_not_significant(two_systems):
    y, first, _, documents = two_systems
    sample = f1_sample(y, first, documents)
    found = difference([(sample, sample)])
    assert (found.p_value, found.value, found.low, found.high) == (1.0, 0.0, 0.0, 0.0)
    assert not found.is_decided


def test_systems_are_compared_on_the_same_resampled_documents():
    """Both fail in the same half of the documents: each is very unsure, their difference is not."""
    rng = np.random.default_rng(0)
    hard = np.repeat(np.arange(100) < 50, 20)
    y = rng.uniform(size=2000) < 0.4
    shared = hard & (rng.uniform(size=2000) < 0.6)
    first = y ^ shared
    second = first ^ (rng.uniform(size=2000) < 0.02)
    documents = np.repeat(np.arange(100), 20)
    one, other = f1_sample(y, first, documents), f1_sample(y, second, documents)
    assert width(difference([(one, other)])) < 0.3 * width(interval(one))


def constant_f1(values, n_documents=40):
    """A sample whose runs have these F1 in every document: only seeds matter."""
    n = 1000
    y = np.ones(n * n_documents, bool)
    runs = []
    for value in values:
        share = value / (2 - value)  # F1 = 2r / (1 + r) with precision 1 and recall r
        runs.append(np.tile(np.arange(n) < round(share * n), n_documents))
    return f1_sample(y, np.array(runs), np.repeat(np.arange(n_documents), n))


@pytest.mark.parametrize("n", [2, 3, 5, 20])
def test_seeds_alone_give_the_interval_of_student(n):
    """Where documents are all alike, what is left is the classical interval of a mean of n seeds."""
    values = 0.5 + 0.05 * np.random.default_rng(n).normal(size=n)
    found = interval(constant_f1(values), n_resamples=4000)
    half = stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / np.sqrt(n)
    assert found.value == pytest.approx(values.mean(), abs=1e-3)
    assert width(found) / 2 == pytest.approx(half, rel=0.1)
    assert (found.n_seeds, found.resampled) == (n, "seeds and documents")


def test_all_seeds_count_and_all_directions():
    sets = [(constant_f1([0.6, 0.4]), constant_f1([0.3])), (constant_f1([0.5, 0.7]), constant_f1([0.1]))]
    assert difference(sets).value == pytest.approx((0.5 - 0.3 + 0.6 - 0.1) / 2, abs=2e-3)
    assert difference(sets[:1]).value == pytest.approx(0.2, abs=2e-3)


def test_seeds_with_the_same_luck_are_paired():
    """Seeds differ much, the systems by the same in each: with shared seeds nothing is unsure, with others it is."""
    luck = np.linspace(-0.2, 0.2, 8)
    first, second = constant_f1(0.6 + luck), constant_f1(0.5 + luck)
    paired = difference([(first, second)])
    assert width(paired) < 0.01
    others = f1_sample_with_groups(second, range(100, 108))
    assert width(difference([(first, others)])) > 0.15


def f1_sample_with_groups(sample, groups):
    return type(sample)(sample.documents, tuple(groups), sample.runs)


def test_a_seed_that_is_lucky_in_one_direction_is_lucky_in_all():
    """Directions are combined inside a resample: luck that all share does not average out, luck of its own does."""
    luck = np.linspace(-0.1, 0.1, 6)
    one, again, against = (constant_f1(0.5 + sign * luck) for sign in (1, 1, -1))
    rival = constant_f1([0.3])
    together = difference([(one, rival), (again, rival)])
    apart = difference([(one, rival), (against, rival)])
    assert width(together) > 0.05
    assert width(apart) < 0.2 * width(together)


def test_draws_that_share_codes_are_one_group():
    """Eight draws of four codes tell four times, not eight times, how codes differ."""
    of_codes = np.repeat([-0.1, -0.03, 0.04, 0.09], 2)
    sample = constant_f1(0.5 + of_codes)
    grouped = interval(f1_sample_with_groups(sample, np.repeat(range(4), 2).tolist()))
    assert grouped.n_seeds == 4
    assert width(grouped) > 1.4 * width(interval(sample))


def test_test_sets_with_the_same_documents_are_resampled_alike(two_systems):
    y, first, second, documents = two_systems
    pair = f1_sample(y, first, documents), f1_sample(y, second, documents)
    assert width(difference([pair, pair])) == pytest.approx(width(difference([pair])))
    elsewhere = f1_sample(y, first, documents + 1000), f1_sample(y, second, documents + 1000)
    assert width(difference([pair, elsewhere])) < 0.85 * width(difference([pair]))


def test_a_resample_without_relations_is_counted_and_many_are_refused():
    y, documents = np.zeros(60, bool), np.repeat(np.arange(30), 2)
    y[:2] = True  # all relations stand in one of thirty documents
    with pytest.raises(ParameterError, match="resamples hold no relation"):
        interval(f1_sample(y, y, documents))
    assert bootstrap_f1(y, y, documents).bounds is None
    y[:14] = True
    assert 0 < interval(f1_sample(y, y, documents)).undefined <= 20
    with pytest.raises(ParameterError, match="one document"):
        interval(f1_sample(y, y, np.zeros(60)))
    with pytest.raises(ParameterError, match="undefined"):
        interval(auc_sample(np.ones(60), np.arange(60), documents))


def test_auc_intervals(two_systems):
    y, _, _, documents = two_systems
    rng = np.random.default_rng(2)
    good, bad = y + rng.normal(size=1000), rng.normal(size=1000)
    found = bootstrap_auc(y, good, documents, n_resamples=200)
    assert found.value == pytest.approx(auc(y, good))
    assert found.low < found.value < found.high
    assert difference([(auc_sample(y, good, documents), auc_sample(y, bad, documents))], n_resamples=200).low > 0


def test_what_does_not_belong_together_is_refused(two_systems):
    y, first, second, documents = two_systems
    with pytest.raises(ParameterError, match="do not match"):
        bootstrap_f1([1, 0], [1, 0], ["a"])
    with pytest.raises(ParameterError, match="different documents"):
        difference([(f1_sample(y, first, documents), f1_sample(y, second, documents + 1))])


def test_an_interval_of_few_documents_stays_within_what_a_figure_can_be():
    """It printed F1 0.390, from −0.004 to 0.735."""
    y = np.array([1, 1, 1, 1, 1, 1, 1, 1, 0, 0])
    found = bootstrap_f1(y, [1, 1, 1, 0, 0, 0, 0, 0, 0, 0], ["a", "a", "a", "b", "b", "c", "c", "d", "d", "d"])
    assert (found.low, found.high) == (0.0, 1.0)


def test_draws_without_one_of_the_classes_have_no_figure_and_say_nothing(recwarn):
    """NumPy would warn of 0 / 0 on the terminal of who runs a benchmark."""
    weights = np.array([[0.0, 2.0], [1.0, 1.0]])  # the second document alone has no relation
    for sample, expected in (
        (auc_sample([True, False, False], [0.9, 0.1, 0.8], ["a", "a", "b"]), 1.0),
        (f1_sample([True, False, False], [True, False, False], ["a", "a", "b"]), 1.0),
    ):
        np.testing.assert_array_equal(sample.figures(weights).ravel(), [np.nan, expected])
    assert not recwarn.list
