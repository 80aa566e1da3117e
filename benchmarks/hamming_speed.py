"""How fast are codes compared? Nanoseconds of CPU time a pair, next to faiss, usearch, numpy and the speed of memory.

    python benchmarks/hamming_speed.py [--codes 1000000] [--queries 64] [--output benchmarks/results]

Exact search of the ten nearest among random codes, one thread, all in one run, the best of five rounds. "before" is the way of
version 0.1: bits added up in ever wider fields, one query after the other. faiss and usearch are compared with where they are
installed; usearch also by its graph, which is not exact: its recall stands beside its time, and so does the time to build it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from relhash.compilation import compiled
from relhash.hashing.hamming import as_columns, nearest_in_columns
from relhash.show.provenance import provenance

NEAREST = 10
ROUNDS = 5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codes", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=64)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    rows = [row for bits in (64, 128, 256) for row in measured(options.codes, options.queries, bits)]
    for row in rows:
        print(f"{row['bits']:4} bits  {row['way']:36} {row['ns_per_pair']:8.3f} ns a pair")
    graphs = usearch_row(options.codes, options.queries)
    for row in graphs:
        told = f"{row['us_per_query']:6.0f} µs a query, recall {row['recall']:.3f}, built in {row['built_s']:.0f} s"
        print(f"{row['codes']:,} codes of 128 bits  {row['way']:16} {told}")
    if options.output:
        asked = {"codes": options.codes, "queries": options.queries}
        report = {"made": provenance("none"), **asked, "rows": rows, "graphs": graphs}
        (options.output / "hamming_speed.json").write_text(json.dumps(report, indent=1) + "\n")


def measured(n: int, n_queries: int, bits: int) -> list[dict[str, Any]]:
    codes, queries = random_codes(n, n_queries, bits)
    columns = as_columns(codes)
    exact = nearest_in_columns(queries, columns, NEAREST)[0]
    ways: dict[str, Callable[[], Any]] = {
        "ours, queries together": lambda: nearest_in_columns(queries, columns, NEAREST)[0],
        "ours, one query": lambda: nearest_in_columns(queries[:1], columns, NEAREST)[0],
        "before": lambda: _before(queries, codes, NEAREST),
        "numpy (one query)": lambda: np.sort(np.bitwise_count(codes ^ queries[0]).sum(axis=1, dtype=np.uint16))[:NEAREST],
        "memory: codes read once (one query)": lambda: int(np.bitwise_xor.reduce(columns, axis=None)),
        **_faiss(queries, codes, bits),
    }
    rows = []
    for way, run in ways.items():
        found = run()
        seconds = min(_seconds(run) for _ in range(ROUNDS))
        used = 1 if "one query" in way else n_queries
        if isinstance(found, np.ndarray) and found.ndim == 2 and not np.array_equal(found, exact[: len(found)]):
            raise SystemExit(f"{way}: other distances than ours")
        rows.append({"bits": bits, "way": way, "ns_per_pair": seconds / used / n * 1e9})
    return rows


def random_codes(n: int, n_queries: int, bits: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    codes, queries = (rng.integers(0, 2**64, (size, bits // 64), np.uint64) for size in (n, n_queries))
    return codes, queries


def _seconds(run: Callable[[], Any]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def _faiss(queries: Any, codes: Any, bits: int) -> dict[str, Callable[[], Any]]:
    try:
        import faiss
    except ImportError:
        return {}
    faiss.omp_set_num_threads(1)
    index = faiss.IndexBinaryFlat(bits)
    index.add(codes.view(np.uint8).reshape(len(codes), -1))
    wanted = queries.view(np.uint8).reshape(len(queries), -1)
    return {"faiss IndexBinaryFlat": lambda: index.search(wanted, NEAREST)[0]}


def usearch_row(n: int, n_queries: int, bits: int = 128) -> list[dict[str, Any]]:
    """usearch's graph over a tenth of the codes (it takes long to build), and our search of the same."""
    try:
        from usearch.index import Index, MetricKind, ScalarKind
    except ImportError:
        return []
    codes, queries = random_codes(n // 10, n_queries, bits)
    index = Index(ndim=bits, metric=MetricKind.Hamming, dtype=ScalarKind.B1)
    built = _seconds(lambda: index.add(np.arange(len(codes)), codes.view(np.uint8).reshape(len(codes), -1), threads=1))
    wanted, columns = queries.view(np.uint8).reshape(len(queries), -1), as_columns(codes)
    exact = nearest_in_columns(queries, columns, NEAREST)[0]
    found = np.asarray(index.search(wanted, NEAREST, threads=1).distances)
    ours = min(_seconds(lambda: nearest_in_columns(queries, columns, NEAREST)) for _ in range(ROUNDS))
    graph = min(_seconds(lambda: index.search(wanted, NEAREST, threads=1)) for _ in range(ROUNDS))
    return [
        {"way": "ours, exact", "codes": len(codes), "us_per_query": ours / n_queries * 1e6, "recall": 1.0, "built_s": 0.0},
        {
            "way": "usearch's graph",
            "codes": len(codes),
            "us_per_query": graph / n_queries * 1e6,
            "recall": float((found <= exact[:, -1:]).mean()),
            "built_s": built,
        },
    ]


@compiled
def _before(queries: Any, codes: Any, k: int) -> Any:
    distances = np.full((len(queries), k), np.iinfo(np.uint16).max, np.uint16)
    for q in range(len(queries)):
        for c in range(len(codes)):
            distance = 0
            for w in range(codes.shape[1]):
                word = queries[q, w] ^ codes[c, w]
                word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
                word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
                word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
                distance += int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))
            if distance < distances[q, k - 1]:
                place = k - 1
                while place > 0 and distance < distances[q, place - 1]:
                    distances[q, place] = distances[q, place - 1]
                    place -= 1
                distances[q, place] = distance
    return distances


if __name__ == "__main__":
    main()
