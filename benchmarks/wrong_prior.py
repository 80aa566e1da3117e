"""What does a wrong prior cost? Priors with shuffled votes, with votes turned round, and about something else.

    RELHASH_DATA=../shared/data python benchmarks/wrong_prior.py [--draws 8]

AIMed and BioInfer, each trained on draws of labels of one and tested on the other, as in ``relhash benchmark few-labels
--parses embedded``. The own classifier is a forest on descriptors. "Distance" votes for pairs that stand close together,
whatever is said of them; "shuffled" and "reversed" are made from the gold labels, so that nothing in them helps. The loss is
AUC without the prior minus AUC with it; at most .005 is allowed from 100 labels on.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from relhash.evaluation.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.evaluation.preset_system import PresetSystem
from relhash.evaluation.prior_system import with_prior
from relhash.evaluation.prior_votes import PriorVotes
from relhash.evaluation.protocols import PROTOCOLS
from relhash.evaluation.runner import run_protocol
from relhash.evaluation.systems import SYSTEMS
from relhash.models.reading import EMBEDDED

COUNTS = (25, 50, 100, 200, 500, 1000)


def wrong_votes(dataset: Dataset) -> dict[str, np.ndarray]:
    """Votes that say nothing, the contrary, or something else."""
    rng = np.random.default_rng(0)
    informed = 1.5 * dataset.y + rng.normal(size=len(dataset))
    gap = [max(1, abs(one.mentions[1].start - one.mentions[0].end)) for one in dataset.candidates]
    return {"shuffled": rng.permutation(informed), "reversed": -informed, "distance": -np.log(gap)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--draws", type=int, default=8)
    parser.add_argument("--labels", type=int, nargs="+", default=COUNTS)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "wrong_prior.json")
    given = parser.parse_args()
    root = data_root(given.data)
    few = replace(PROTOCOLS["few-labels"], label_counts=tuple(given.labels))
    dataset = Dataset([read_benchmark_corpus(root, name) for _, name in few.corpora], parses=EMBEDDED)
    plain = SYSTEMS["descriptors-forest"]
    if not isinstance(plain, PresetSystem):
        raise SystemExit("descriptors-forest is no preset")
    SYSTEMS["voted"] = replace(with_prior(plain), name="voted")
    alone = run_protocol(few, dataset=dataset, systems=["descriptors-forest"], seeds=given.draws, n_jobs=1)
    base = {(cell.direction, cell.labels, cell.seed): cell.figures["all"]["auc"] for cell in alone.cells}
    figures = []
    for name, votes in wrong_votes(dataset).items():
        dataset.prior = PriorVotes(votes, np.full(len(dataset), 0.2), name)
        run = run_protocol(few, dataset=dataset, systems=["voted"], seeds=given.draws, n_jobs=1)
        losses: dict[int, list[float]] = {}
        for cell in run.cells:
            if cell.labels is not None:
                loss = base[cell.direction, cell.labels, cell.seed] - cell.figures["all"]["auc"]
                losses.setdefault(cell.labels, []).append(loss)
        for labels, found in losses.items():
            row = {"prior": name, "labels": labels, "loss": round(float(np.mean(found)), 4), "draws": given.draws}
            figures.append(row)
            print(row, flush=True)
    given.output.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
