"""How long would all of PubMed take on 100 and on 1,000 workers, some of them slow and some of them dying?

``python benchmarks/scale_simulation.py`` draws the times of partitions around the rate that
``scale_predict.py rate`` measured (``results/scale_predict.json``), or from those of a dataset (``--dataset``), and plays
the scheduler: a worker takes the next partition as soon as it is free; one that dies loses what it was at and comes back
after a while; a slow one is slow for good.
"""

from __future__ import annotations

import argparse
import heapq
import json
from pathlib import Path
from typing import Any

import numpy as np

from relhash.show.provenance import provenance

RESULTS = Path(__file__).parent / "results"
DOCUMENTS = 37_000_000


def play(
    times: np.ndarray, n_workers: int, rng: np.random.Generator, *, slow: float, slowness: float, deaths_per_hour: float,
    back_after: float,
) -> dict[str, float]:  # fmt: skip
    """Wall time of partitions that take ``times`` seconds on a healthy worker, the work that was lost, and the last hour."""
    speed = np.where(rng.random(n_workers) < slow, slowness, 1.0)
    free = [(0.0, worker) for worker in range(n_workers)]
    heapq.heapify(free)
    waiting, lost, deaths, done = list(times[::-1]), 0.0, 0, []
    while waiting:
        now, worker = heapq.heappop(free)
        seconds = waiting.pop() * speed[worker]
        death = rng.exponential(3600 / deaths_per_hour) if deaths_per_hour else np.inf
        if death < seconds:
            waiting.append(seconds / speed[worker])
            lost += death
            deaths += 1
            heapq.heappush(free, (now + death + back_after, worker))
        else:
            done.append(now + seconds)
            heapq.heappush(free, (now + seconds, worker))
    wall = max(done)
    return {
        "wall_hours": round(wall / 3600, 2), "ideal_hours": round(times.sum() / n_workers / 3600, 2),
        "efficiency": round(times.sum() / n_workers / wall, 3), "deaths": deaths, "lost_worker_hours": round(lost / 3600, 1),
        "tail_minutes": round((wall - np.quantile(done, 0.99)) / 60, 1),
    }  # fmt: skip


def measured(dataset: Path | None, documents_per_partition: int) -> tuple[np.ndarray, float]:
    """Seconds of partitions as they were measured, scaled to the size asked for; and documents per second."""
    if dataset is not None:
        from relhash.scale.manifest import read_counts

        counts = [read_counts(path) for path in sorted(dataset.glob("part-*.parquet"))]
        per_document = np.array([one.cpu_seconds / one.documents for one in counts if one.documents])
        return per_document * documents_per_partition, 1 / float(per_document.mean())
    rate = json.loads((RESULTS / "scale_predict.json").read_text(encoding="utf-8"))["rate"]["documents_per_cpu_second"]
    return np.array([documents_per_partition / rate]), rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path)
    parser.add_argument("--partition-size", type=int, default=1000)
    parser.add_argument("--rate", type=float, help="documents per second of a worker, if not the measured rate")
    parser.add_argument("--output", type=Path, default=RESULTS / "scale_simulation.json")
    arguments = parser.parse_args()
    times, rate = measured(arguments.dataset, arguments.partition_size)
    if arguments.rate:
        times, rate = times * rate / arguments.rate, arguments.rate
    rng = np.random.default_rng(0)
    n_partitions = DOCUMENTS // arguments.partition_size
    drawn = rng.choice(times, n_partitions) * rng.lognormal(0, 0.1, n_partitions)
    rows: list[dict[str, Any]] = []
    for n_workers in (100, 1000):
        for name, trouble in {
            "all well": {"slow": 0.0, "slowness": 1.0, "deaths_per_hour": 0.0, "back_after": 0.0},
            "5 % of workers three times slower": {"slow": 0.05, "slowness": 3.0, "deaths_per_hour": 0.0, "back_after": 0.0},
            "and each dies every ten hours": {"slow": 0.05, "slowness": 3.0, "deaths_per_hour": 0.1, "back_after": 120.0},
            "and each dies every hour": {"slow": 0.05, "slowness": 3.0, "deaths_per_hour": 1.0, "back_after": 120.0},
        }.items():
            row = {"workers": n_workers, "trouble": name, **play(drawn, n_workers, rng, **trouble)}
            rows.append(row)
            print(json.dumps(row, ensure_ascii=False))
    hours = DOCUMENTS / rate / 3600
    print(f"{rate:.2f} documents per second and worker: {hours:,.0f} core-hours for {DOCUMENTS:,} abstracts")
    result = {"documents_per_second": round(rate, 3), "core_hours": round(hours), "rows": rows, "made": provenance("")}
    result["partition_size"] = arguments.partition_size
    arguments.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
