"""How long does a person wait for the next question? ``python benchmarks/curation_load.py [--curators 5] [--candidates 10000]``

A server of its own process, on loopback, with the shipped model and the embedded full texts, repeated until there are enough
candidates; an answer is written to a file on disk (``synchronous=FULL``) before it is acknowledged. Each person thinks for
``--think`` seconds on the average, then answers; measured is the time from answer to next question as the client sees it, and
how long a refit takes in the server. 0 means that nobody thinks at all: the most that the server can do.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np


def serve(n: int, database: str, bits: str) -> None:
    """The server: 10,000 candidates from documents that were parsed once."""
    import relhash
    from relhash.corpus.demo import demo_corpora
    from relhash.curate.application import ServerSettings, create_application
    from relhash.curate.curation import Curation
    from relhash.curate.server.limits import Limits
    from relhash.curate.server.serving import listen, run
    from relhash.curate.store import AnswerStore, identity_of_text
    from relhash.model.answers.teaching import Teaching

    model = relhash.load(bits)
    documents = list(model.read([replace(one, sentences=(), relations=(), candidates=None) for one in demo_corpora()[1]]))
    found = [candidate for document in documents for candidate in model.candidates([document])]
    candidates = [
        replace(candidate, document=replace(candidate.document, id=f"{candidate.document.id}-{copy}"))
        for copy in range(-(-n // len(found)))
        for candidate in found
    ][:n]
    teaching = Teaching(model, candidates)
    store = AnswerStore(f"sqlite:///{database}", identity_of_text(model, candidates))
    app = create_application(model, Curation(teaching, store), ServerSettings(limits=Limits(rate=1e6, burst=1_000_000)))
    listening = listen("127.0.0.1", 0)
    print(listening.getsockname()[1], flush=True)
    run(app, listening)


@contextmanager
def server(n: int, model: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "answers.sqlite")
        command = [sys.executable, __file__, "--serve", database, "--candidates", str(n), "--model", model]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.terminate()
            process.wait()


def curate(address: str, name: str, answers: int, think: float, waited: list[float], fresh: list[bool]) -> None:
    """One person: answers by a rule, so that the model has something to learn."""
    own = random.Random(name)
    with httpx.Client(base_url=address, headers={"X-RelHash": "1"}, timeout=60) as client:
        asked = client.get("/api/queue", params={"curator": name}).json()["questions"][0]
        for _ in range(answers):
            time.sleep(own.expovariate(1 / think) if think else 0)
            said = "yes" if "bind" in asked["sentence"] or "interact" in asked["sentence"] else "no"
            start = time.perf_counter()
            reply = client.post("/api/answers", json={"key": asked["key"], "answer": said, "curator": name}).json()
            waited.append(time.perf_counter() - start)
            fresh.append(reply["refitted"])
            asked = reply["next"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--curators", type=int, default=5)
    parser.add_argument("--candidates", type=int, default=10_000)
    parser.add_argument("--answers", type=int, default=40, help="of each person, in each round")
    parser.add_argument("--think", type=float, nargs="*", default=[2.0, 0.5, 0.0])
    parser.add_argument("--model", default="ppi")
    parser.add_argument("--serve", metavar="DATABASE", help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if given.serve:
        serve(given.candidates, given.serve, given.model)
        return
    rows = []
    with server(given.candidates, given.model) as address:
        print(f"{given.candidates:,} candidates, {given.curators} curators, {given.answers} answers of each")
        print("think (s)  answers/s   p50 (ms)   p95 (ms)   max (ms)   learned at once   last refit (ms)")
        for think in given.think:
            waited: list[float] = []
            fresh: list[bool] = []
            people = [
                threading.Thread(target=curate, args=(address, f"person {number} {think}", given.answers, think, waited, fresh))
                for number in range(given.curators)
            ]
            start = time.perf_counter()
            for one in people:
                one.start()
            for one in people:
                one.join()
            took = time.perf_counter() - start
            figures = httpx.get(f"{address}/metrics", timeout=60).text.splitlines()
            refit = next(float(line.split()[1]) for line in figures if line.startswith("relhash_refit_seconds"))
            p50, p95 = (1000 * float(np.quantile(waited, share)) for share in (0.5, 0.95))
            row = {"think": think, "rate": len(waited) / took, "p50": p50, "p95": p95, "max": 1000 * max(waited),
                   "fresh": float(np.mean(fresh)), "refit": 1000 * refit}  # fmt: skip
            rows.append(row)
            print(
                f"{think:9g}  {row['rate']:9.1f}  {p50:9.0f}  {p95:9.0f}  {row['max']:9.0f}  {100 * row['fresh']:15.0f}%  "
                f"{row['refit']:16.0f}",
                flush=True,
            )
    if given.json:
        given.json.write_text(json.dumps({"candidates": given.candidates, "curators": given.curators, "rows": rows}, indent=2))


if __name__ == "__main__":
    main()
