"""Data at the edge of what makes sense: bits and probabilities, or one of our errors that says what to do; never NaN."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from relhash import RelationExtractor
from relhash.candidates.paths import PathSet
from relhash.corpus import Argument, Document, Mention, Relation, Sentence
from relhash.errors import RelHashError
from relhash.hashing import HashcodeLearner
from relhash.kernels import PathKernel, WordSimilarity
from relhash.learn.calibration import Calibration
from relhash.learn.classifier import CLASSIFIERS
from relhash.learn.metrics import measure

FAMILIES = ("nearest", "standard-nearest", "margin", "balanced-margin")
KERNELS = ("rbf", "cosine", "linear", "laplace")


def normal(n: int, width: int = 3) -> np.ndarray:
    return np.random.default_rng(n).normal(size=(n, width))


ARRAYS = {
    "all identical": (np.ones((40, 3)), np.ones((40, 3))),
    "all zero": (np.zeros((40, 3)), np.zeros((40, 3))),
    "one candidate": (normal(1), normal(1)),
    "two candidates": (normal(2), normal(2)),
    "fewer than references": (normal(3), normal(2)),
    "target identical to training": (normal(40), normal(40)),
    "target of one": (normal(40), normal(1)),
    "target of one point repeated": (normal(40), np.repeat(normal(1), 40, axis=0)),
    "no target": (normal(40), None),
    "no target, one candidate": (normal(1), None),
    "no similarity to any other": (np.eye(40)[:20], np.eye(40)[20:]),
    "one number": (normal(40, 1), normal(40, 1)),
    "very large": (1e150 * normal(40), 1e150 * normal(40)),
    "very small": (1e-150 * normal(40), 1e-150 * normal(40)),
    "two values": (np.repeat(normal(2), 20, axis=0), np.repeat(normal(2), 20, axis=0)),
}


def fitted(train: object, target: object, **parameters: object) -> HashcodeLearner | None:
    """The learner, or ``None`` where it refuses; floating-point warnings are errors.

    Of too few rows scikit-learn's checks demand a plain ValueError.
    """
    with warnings.catch_warnings(), np.errstate(invalid="raise", divide="raise"):
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            return HashcodeLearner(n_bits=8, n_cluster_bits=3, random_state=0, **parameters).fit(train, target=target)
        except (RelHashError, ValueError):
            return None


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("case", ARRAYS)
def test_codes_of_arrays(case, family):
    train, target = ARRAYS[case]
    for kernel in KERNELS:
        learner = fitted(train, target, hash_function=family, kernel=kernel)
        if learner is None:
            assert case in ("one candidate", "no target, one candidate", "very large"), f"refused: {case}, {kernel}"
            continue
        for X in (train, target if target is not None else train, train[:1]):
            bits = learner.transform(X)
            assert bits.shape == (len(X), 8)
            assert np.isin(bits, (0, 1)).all()
        again = fitted(train, target, hash_function=family, kernel=kernel)
        assert again is not None
        assert (again.codes(train) == learner.codes(train)).all()


PATHS = {
    "one word each": [["binds"], ["inhibits"], ["binds"], ["x"]] * 5,
    "one word in all": [["binds"]] * 20,
    "empty": [[]] * 20,
    "empty and not": [[], ["binds"], [], ["binds", "to"]] * 5,
    "no word in common": [[f"w{number}"] for number in range(20)],
    "one very long": [["a", "b"]] * 19 + [["w"] * 1000],
}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("case", PATHS)
def test_codes_of_paths(case, family):
    X = PathSet.from_sequences(PATHS[case])
    learner = fitted(X, X, hash_function=family, kernel=PathKernel(WordSimilarity()))
    assert learner is not None
    assert np.isin(learner.transform(X), (0, 1)).all()


@pytest.mark.parametrize("alpha", [2, 8, 50])
def test_more_references_than_a_cluster_holds(alpha):
    learner = fitted(normal(30), normal(30), n_references=alpha, split="sample")
    assert learner is None or np.isin(learner.transform(normal(30)), (0, 1)).all()


COLUMNS = {
    "all identical": np.ones((30, 4)),
    "all zero": np.zeros((30, 4)),
    "one column": np.arange(30.0)[:, None] % 2,
    "separable": np.repeat([[0.0, 1.0], [1.0, 0.0]], 15, axis=0),
    "very large": np.where(np.arange(30)[:, None] % 2, 1e8, -1e8) * np.ones((30, 3)),
}


@pytest.mark.parametrize("kind", ["forest", "linear", "neighbours"])
@pytest.mark.parametrize("case", COLUMNS)
def test_scores_of_classifiers(case, kind):
    X, y = COLUMNS[case], np.arange(30) % 2
    if kind == "neighbours":
        X = (X > 0.5).astype(np.uint8)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = CLASSIFIERS[kind]().fit(X, y, random_state=0, columns={"x": slice(0, X.shape[1])})
        except RelHashError:
            return
    assert np.isfinite(model.scores(X)).all()
    assert np.isfinite(model.scores(X[:1])).all()
    assert np.isfinite(model.scores(np.zeros_like(X))).all()


@pytest.mark.parametrize("scores", [[0.0] * 6, [1e300, -1e300] * 3, [0, 0, 0, 1, 1, 1], [0.5]])
@pytest.mark.parametrize("kind", ["isotonic", "platt", None])
def test_probabilities_lie_between_0_and_1(kind, scores):
    labels = (np.arange(len(scores)) % 2).astype(bool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            calibration = Calibration.fit(np.array(scores, float), labels, kind)
        except RelHashError:
            return
    found = calibration.probabilities(np.array([*scores, -1e308, 1e308, 0.0]))
    assert ((found >= 0) & (found <= 1)).all()


@pytest.mark.parametrize("labels", [[0, 0, 0], [1, 1, 1], [1, 0, 1]])
def test_metrics_of_constant_scores(labels):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = measure(np.array(labels), np.zeros(3), np.zeros(3, bool))
    assert (found.recall, found.f1) == (0.0, 0.0)


def document(number: int, verb: str, is_relation: bool) -> Document:
    text = f"RAF1 {verb} MEK1."
    start = text.index("MEK1")
    names = (Mention("T1", "protein", ((0, 4),), "RAF1"), Mention("T2", "protein", ((start, start + 4),), "MEK1"))
    relations = (Relation("R1", "interaction", (Argument("Arg1", "T1"), Argument("Arg2", "T2"))),) if is_relation else ()
    return Document(f"d{number}", text, (Sentence("s", 0, len(text)),), names, relations)


@pytest.mark.parametrize("preset", ["KLSH-NU-RF", "best"])
@pytest.mark.parametrize("labels", ["one class", "one candidate", "identical texts with both labels", "two candidates"])
def test_a_fit_gives_a_model_or_says_what_is_missing(preset, labels):
    corpora = {
        "one class": [document(n, f"binds{n}", True) for n in range(6)],
        "one candidate": [document(0, "binds", True)],
        "identical texts with both labels": [document(n, "binds", n % 2 == 0) for n in range(12)],
        "two candidates": [document(0, "binds", True), document(1, "and", False)],
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            model = RelationExtractor(preset, random_state=0).fit(corpora[labels])
        except RelHashError:
            assert labels != "two candidates"
            return
        found = model.predict_proba([document(99, "phosphorylates", False)])
    assert ((found >= 0) & (found <= 1)).all()
