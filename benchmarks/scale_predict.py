"""How fast does a cluster read raw text?

``python benchmarks/scale_predict.py rate`` measures the processor time of one process per abstract.
``python benchmarks/scale_predict.py speedup`` reads the same abstracts in this process and with two Dask workers.
``python benchmarks/scale_predict.py million --workers 2`` reads text until there are 1,000,000 candidates, end to end: files
in, a Parquet dataset out. The abstracts are those of BioNLP (``RELHASH_DATA``), copied with made-up words between theirs, so
that no two copies are alike and nothing that was computed once serves twice.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from relhash.scale.cluster import cluster
from relhash.scale.dataset import predict_partition, predict_to_dataset
from relhash.scale.job import PredictionJob
from relhash.scale.partitions import count_documents, cut, find_files
from relhash.show.provenance import provenance, shipped_parses

RESULTS = Path(__file__).parent / "results"
DOCUMENTS_PER_FILE = 2000
LETTERS = "bcdfghklmnprstvz", "aeiou"


def abstracts(share: float) -> list[str]:
    """The abstracts of BioNLP, of which the ``share`` with most annotated proteins per character is taken."""
    root = Path(os.environ["RELHASH_DATA"]) / "bionlp"
    found = {}
    for path in sorted(root.rglob("*.txt")):
        if path.with_suffix(".a1").exists():
            text = path.read_text(encoding="utf-8")
            found[text] = path.with_suffix(".a1").read_text(encoding="utf-8").count("\n") / len(text)
    return sorted(found, key=lambda text: -found[text])[: max(1, int(share * len(found)))]


def noisy(text: str, rng: random.Random) -> str:
    """The text with a made-up word before every fifteenth word, more or less."""

    def word() -> str:
        return "".join(rng.choice(LETTERS[n % 2]) for n in range(rng.choice((5, 7))))

    return re.sub(r" (?=[a-z]{3,} )", lambda _: f" {word()} " if rng.random() < 1 / 15 else " ", text)


def copies(texts: list[str], seed: int = 0) -> Iterator[dict[str, str]]:
    """Documents without end."""
    rng, number = random.Random(seed), 0
    while True:
        for text in texts:
            yield {"id": f"d{number}", "text": noisy(text, rng)}
            number += 1


def write_documents(folder: Path, documents: Iterator[dict[str, str]], n: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, n, DOCUMENTS_PER_FILE):
        with (folder / f"text-{first:08d}.jsonl").open("w", encoding="utf-8") as handle:
            for _ in range(min(DOCUMENTS_PER_FILE, n - first)):
                handle.write(json.dumps(next(documents), ensure_ascii=False) + "\n")


def speedup(n: int, workers: int) -> dict[str, Any]:
    """One process against several workers on the same text, both with everything loaded."""
    with tempfile.TemporaryDirectory() as place, cluster(workers=workers) as client:
        folder = Path(place)
        write_documents(folder / "warm", copies(abstracts(1.0), seed=1), 20 * workers)
        write_documents(folder / "in", copies(abstracts(1.0)), n)
        job = PredictionJob.of_model("ppi")
        predict_to_dataset(job, [folder / "warm"], folder / "warm-out", client, partition_size=10)
        files = find_files([folder / "in"])
        size = max(1, n // (8 * workers))
        partitions = cut(files, count_documents(files, client), size)
        job.loaded()
        warm = find_files([folder / "warm"])
        predict_partition(job, cut(warm, [20 * workers], 10)[0], folder / "warm.parquet")
        start, cpu = time.perf_counter(), time.process_time()
        for partition in partitions:
            predict_partition(job, partition, folder / f"one-{partition.number}.parquet")
        one, one_cpu = time.perf_counter() - start, time.process_time() - cpu
        start = time.perf_counter()
        counts = predict_to_dataset(job, [folder / "in"], folder / "out", client, partition_size=size)
        many = time.perf_counter() - start
    return {
        "documents": n, "sentences": counts.sentences, "candidates": counts.candidates,
        "workers": workers, "one_process_seconds": round(one, 2),
        "one_process_cpu_seconds": round(one_cpu, 2), "dask_seconds": round(many, 2), "speedup": round(one / many, 3),
        "documents_per_cpu_second": round(n / one_cpu, 3), "sentences_per_cpu_second": round(counts.sentences / one_cpu, 1),
        "dask_cpu_seconds": round(counts.cpu_seconds, 2),
    }  # fmt: skip


def rate(n: int) -> dict[str, Any]:
    """Processor time of one process per abstract, without what is loaded once: also right on a busy machine."""
    with tempfile.TemporaryDirectory() as place:
        folder, job = Path(place), PredictionJob.of_model("ppi")
        write_documents(folder / "in", copies(abstracts(1.0)), n)
        partitions = cut(find_files([folder / "in"]), [n], max(1, n // 5))
        counts = [predict_partition(job, one, folder / f"{one.number}.parquet") for one in partitions][1:]
    documents, sentences = (sum(getattr(one, name) for one in counts) for name in ("documents", "sentences"))
    seconds = sum(one.cpu_seconds for one in counts)
    return {
        "documents": documents, "sentences": sentences, "candidates": sum(one.candidates for one in counts),
        "cpu_seconds": round(seconds, 2), "documents_per_cpu_second": round(documents / seconds, 3),
        "sentences_per_cpu_second": round(sentences / seconds, 1),
    }  # fmt: skip


def million(candidates: int, share: float, workers: int, folder: Path) -> dict[str, Any]:
    """Text until there are so many candidates, from files to a dataset."""
    texts, job = abstracts(share), PredictionJob.of_model("ppi")
    fitted, sample = job.loaded(), texts[:: max(1, len(texts) // 60)]
    start = time.process_time()
    found = len(fitted.candidates([document for document, _ in zip(_documents(sample), sample, strict=False)]))
    print(
        f"{found / len(sample):.1f} candidates per abstract, {1000 * (time.process_time() - start) / found:.2f} ms each to make"
    )
    n = int(1.05 * candidates / (found / len(sample))) + 1
    write_documents(folder / "in", copies(texts), n)
    size = sum(path.stat().st_size for path in (folder / "in").iterdir())
    print(f"{n:,} documents, {size / 1e6:.0f} MB; to {folder / 'out'}", flush=True)
    start = time.perf_counter()
    with cluster(workers=workers) as client:
        counts = predict_to_dataset(
            job, [folder / "in"], folder / "out", client, partition_size=500,
            on_partition=lambda one, n: print(f"{one.documents} documents, {one.seconds:.0f} s of a worker", flush=True),
        )  # fmt: skip
        memory = max(client.run(_peak_memory).values())
    seconds = time.perf_counter() - start
    written = sum(path.stat().st_size for path in (folder / "out").glob("part-*"))
    return {
        "workers": workers, "documents": counts.documents, "bytes_read": size, "sentences": counts.sentences,
        "candidates": counts.candidates,
        "relations": counts.relations, "errors": len(counts.errors), "bytes_written": written,
        "wall_seconds": round(seconds, 1),
        "worker_seconds": round(counts.seconds, 1), "cpu_seconds": round(counts.cpu_seconds, 1),
        "documents_per_cpu_second": round(counts.documents / counts.cpu_seconds, 2),
        "candidates_per_cpu_second": round(counts.candidates / counts.cpu_seconds, 1),
        "peak_memory_of_a_worker_mb": round(memory / 1e6), "share_of_abstracts": share,
    }  # fmt: skip


def _documents(texts: list[str]) -> Iterator[Any]:
    from relhash.corpus import Document

    return (Document(f"d{number}", text) for number, text in enumerate(texts))


def _peak_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("question", choices=["rate", "speedup", "million"])
    parser.add_argument("--documents", type=int, default=400, help="of the rate and the speed-up")
    parser.add_argument("--candidates", type=int, default=1_000_000)
    parser.add_argument("--share", type=float, default=0.25, help="of the abstracts, those with most proteins")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where text and dataset go; a run that was stopped goes on")
    parser.add_argument("--output", type=Path, default=RESULTS / "scale_predict.json")
    arguments = parser.parse_args()
    if arguments.question == "rate":
        found = rate(arguments.documents)
    elif arguments.question == "speedup":
        found = speedup(arguments.documents, arguments.workers)
    else:
        folder = arguments.folder or Path(tempfile.mkdtemp(prefix="relhash-scale-"))
        found = million(arguments.candidates, arguments.share, arguments.workers, folder)
    print(json.dumps(found, indent=1))
    kept = json.loads(arguments.output.read_text(encoding="utf-8")) if arguments.output.exists() else {}
    kept |= {arguments.question: found, "made": provenance(shipped_parses())}
    arguments.output.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
