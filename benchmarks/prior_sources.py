"""How should labels of several sources be mixed? Each source is tested by models of the other two.

    RELHASH_DATA=../shared/data python benchmarks/prior_sources.py [--share 0.4]

The ways: each source alone; all labels poured together; the mean vote of one committee per source (with NERO's vote at several
weights); and representations that the sources share. These are a committee of all labels that is told the source of each row
(on new text it is asked once as each of its sources, and the mean counts), and, for a linear model, one direction in the
features with an intercept and a slope per source; the linear model also stands alone, poured and mixed, to compare. The
features are fitted once on the unlabelled candidates of all three sources. AIMed and HPRD50 are not looked at. ``--share``
takes some of the documents only, to save time.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse

from relhash.bench.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.bench.systems.prior_votes import PRIOR_CLASSIFIER, PRIOR_PARTS, PRIOR_SOURCES, read_prior_source
from relhash.learn import CommitteeClassifier, LinearClassifier
from relhash.learn.classifier import Classifier
from relhash.learn.codes import FeatureMap, make_code, stack
from relhash.learn.metrics import auc, average_precision
from relhash.model.reading.reader import EMBEDDED
from relhash.model.recipe import PRESETS
from relhash.show.provenance import provenance, shipped_parses

NERO_WEIGHTS = (0.25, 0.5, 1.0)
NAMES = tuple(PRIOR_SOURCES)
ROUNDS = 4
"""Of fitting the shared direction and the slopes of the sources in turn; more change nothing in the third digit."""
Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


def told_the_source(committee: CommitteeClassifier, columns: dict[str, slice]) -> tuple[CommitteeClassifier, dict[str, slice]]:
    """The committee whose members all see one more part, the source, and its columns."""
    width = max(one.stop for one in columns.values())
    members = tuple(
        type(member)(member.classifier, (*member.parts, "source"), weight=member.weight) for member in committee.members
    )
    return CommitteeClassifier(members), {**columns, "source": slice(width, width + len(NAMES))}


def as_source(rows: Any, source: Rows) -> Any:
    """The rows with a column per source that says of which they are."""
    return stack([rows, sparse.csr_matrix(np.eye(len(NAMES))[source])])


def logistic_curve(y: NDArray[np.bool_], votes: Floats) -> float:
    """The slope of the best logistic curve through some votes, not below zero."""

    def loss(parameters: Floats) -> float:
        margin = parameters[0] * votes + parameters[1]
        return float(np.sum(np.logaddexp(0, margin) - y * margin))

    return float(optimize.minimize(loss, np.array([1.0, 0.0]), bounds=[(0, None), (None, None)]).x[0])


def shared_direction(rows: Any, y: NDArray[np.bool_], source: Rows, train: Rows, used: Any) -> Floats:
    """Votes of one direction in the features, fitted to all sources at once, each with an intercept and a slope of its own."""
    slopes = np.ones(len(NAMES))
    linear = LinearClassifier(0.1)
    votes = np.zeros(rows.shape[0])
    for _ in range(ROUNDS):
        told = sparse.csr_matrix(np.eye(len(NAMES))[source[train]] * 10.0)  # large, so that intercepts are hardly shrunk
        scaled = sparse.diags(slopes[source[train]]) @ sparse.csr_matrix(rows[train][:, used])
        fitted = linear.fit(sparse.hstack([scaled, told]).tocsr(), y[train], random_state=0)
        asked = sparse.hstack([rows[:, used], sparse.csr_matrix((rows.shape[0], len(NAMES)))]).tocsr()
        votes = np.asarray(fitted.log_odds(asked))
        for number in np.unique(source[train]):
            own = train[source[train] == number]
            slopes[number] *= logistic_curve(y[own], votes[own] * slopes[number])
        slopes /= slopes[np.unique(source[train])].mean()
    print("slopes", {name: round(float(slope), 2) for name, slope in zip(NAMES, slopes, strict=True)}, flush=True)
    return votes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "prior_sources.json")
    parser.add_argument("--share", type=float, default=1.0, help="of the documents of each source")
    given = parser.parse_args()
    root = data_root(given.data)
    tests = [read_benchmark_corpus(root, name) for name in ("ppi/AIMed.xml", "ppi/HPRD50.xml")]
    rng = np.random.default_rng(0)
    sources = [
        [one for one in read_prior_source(name, root, without_papers=tests) if rng.random() < given.share] for name in NAMES
    ]
    dataset = Dataset(sources, parses=EMBEDDED)
    best, y, source = PRESETS["best"], dataset.y, np.asarray(dataset.corpus, np.int64)
    code = make_code(best.views, best.learner, best.kernel)
    views = dict.fromkeys([*best.views, *(view for part in PRIOR_PARTS for view in part.views)])
    features = FeatureMap(PRIOR_PARTS, code)
    rows, *_ = features.fit_transform(dataset.structures(list(views)))
    columns = dict(features.columns)
    committee, linear = PRIOR_CLASSIFIER.base, LinearClassifier(0.1)
    if not isinstance(committee, CommitteeClassifier):
        raise TypeError("the prior is no mixture of committees any more")
    of_linear = np.concatenate([np.arange(columns[part].start, columns[part].stop) for part in ("descriptors", "ngrams")])
    linear_rows = sparse.csr_matrix(rows)[:, of_linear]

    def votes(train: Rows, classifier: Classifier, table: Any, of: dict[str, slice]) -> Callable[[Any], Floats]:
        fitted = classifier.fit(table, y[train], columns=of, random_state=0, n_jobs=1)
        return lambda asked: np.asarray(fitted.log_odds(asked))

    kinds = {"": (committee, rows, columns), "linear, ": (linear, linear_rows, {"all": slice(0, of_linear.size)})}
    alone = {
        kind: [
            votes(own, classifier, table[own], of)(table)
            for own in map(np.flatnonzero, (source == n for n in range(len(NAMES))))
        ]
        for kind, (classifier, table, of) in kinds.items()
    }
    figures = []
    for tested, name in enumerate(NAMES):
        others = [number for number in range(len(NAMES)) if number != tested]
        test, train = source == tested, np.flatnonzero(source != tested)
        said: dict[str, Floats] = {}
        for kind, (classifier, table, of) in kinds.items():
            said |= {f"{kind}{NAMES[number]} alone": alone[kind][number] for number in others}
            said[f"{kind}poured together"] = votes(train, classifier, table[train], of)(table)
            for weight in NERO_WEIGHTS:
                weights = [weight if NAMES[number] == "nero" else 1.0 for number in others]
                spread = [alone[kind][number] / alone[kind][number][test].std() for number in others]
                said[f"{kind}mixture, NERO {weight:g}"] = np.average(spread, axis=0, weights=weights)
        knowing, of = told_the_source(committee, columns)
        asked = votes(train, knowing, as_source(rows[train], source[train]), of)
        said["shared, told the source"] = np.mean(
            [asked(as_source(rows, np.full(y.size, number))) for number in others], axis=0
        )  # fmt: skip
        said["linear, shared, intercept and slope"] = shared_direction(rows, y, source, train, of_linear)
        for how, scores in said.items():
            row = {
                "tested": name,
                "how": how,
                "auc": round(float(auc(y[test], scores[test])), 4),
                "average_precision": round(float(average_precision(y[test], scores[test])), 4),
            }
            figures.append(row)
            print(row, flush=True)
    means = [
        {"how": how, **{key: round(float(np.mean([row[key] for row in figures if row["how"] == how])), 4) for key in MEASURES}}
        for how in dict.fromkeys(row["how"] for row in figures)
        if sum(row["how"] == how for row in figures) == len(NAMES)
    ]
    made = provenance(shipped_parses())
    counts = {name: {"pairs": int((source == n).sum()), "related": int(y[source == n].sum())} for n, name in enumerate(NAMES)}
    given.output.write_text(json.dumps({"made": made, "pairs": counts, "means": means, "rows": figures}, indent=1) + "\n")


MEASURES = ("auc", "average_precision")

if __name__ == "__main__":
    main()
