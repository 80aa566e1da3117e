"""How should labels of several sources be mixed? Each source is tested by models of the other two.

    RELHASH_DATA=../shared/data python benchmarks/prior_sources.py

Three ways: each source alone, all labels poured together, and the mean vote of one committee per source (with NERO's vote at
several weights). The features are fitted once on the unlabelled candidates of all three. AIMed and HPRD50 are not looked at.
About ten minutes of one core.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from relhash.evaluation.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.evaluation.datasets.prior_sources import PRIOR_SOURCES, read_prior_source
from relhash.evaluation.prior_fitting import PRIOR_CLASSIFIER, PRIOR_PARTS
from relhash.features.codes import CodeSettings
from relhash.features.feature_map import FeatureMap
from relhash.learning.metrics import auc, average_precision
from relhash.models.presets import PRESETS
from relhash.models.reading import EMBEDDED

NERO_WEIGHTS = (0.25, 0.5, 1.0)
NAMES = tuple(PRIOR_SOURCES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "prior_sources.json")
    given = parser.parse_args()
    root = data_root(given.data)
    tests = [read_benchmark_corpus(root, name) for name in ("ppi/AIMed.xml", "ppi/HPRD50.xml")]
    dataset = Dataset([read_prior_source(name, root, without_papers=tests) for name in NAMES], parses=EMBEDDED)
    best = PRESETS["best"]
    code = CodeSettings(best.views, best.learner, best.kernel).make(random_state=0)
    views = dict.fromkeys([*best.views, *(view for part in PRIOR_PARTS for view in part.views)])
    features = FeatureMap(PRIOR_PARTS, code)
    rows, _ = features.fit_transform(dataset.structures(list(views)))

    def votes(chosen: np.ndarray) -> np.ndarray:
        fitted = PRIOR_CLASSIFIER.base.fit(rows[chosen], dataset.y[chosen], columns=features.columns, random_state=0)
        return np.asarray(fitted.log_odds(rows))

    alone = [votes(np.flatnonzero(dataset.corpus == number)) for number in range(len(NAMES))]
    figures = []
    for tested, name in enumerate(NAMES):
        others = [number for number in range(len(NAMES)) if number != tested]
        test = dataset.corpus == tested
        said = {f"{NAMES[number]} alone": alone[number] for number in others}
        said["poured together"] = votes(np.flatnonzero(~test))
        for weight in NERO_WEIGHTS:
            weights = [weight if NAMES[number] == "nero" else 1.0 for number in others]
            spread = [alone[number] / alone[number][test].std() for number in others]
            said[f"mixture, NERO {weight:g}"] = np.average(spread, axis=0, weights=weights)
        for how, scores in said.items():
            row = {
                "tested": name,
                "how": how,
                "auc": round(float(auc(dataset.y[test], scores[test])), 4),
                "average_precision": round(float(average_precision(dataset.y[test], scores[test])), 4),
            }
            figures.append(row)
            print(row, flush=True)
    given.output.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
