"""How does ``relhash serve`` do under load? Many clients for a while, then the same while one of them sends the worst text.

    python benchmarks/serve_load.py [--clients 200] [--seconds 60] [-o benchmarks/results/serve_load.json]

Each client sends a text of 1 to 50 KB (log-uniform), waits for the reply, thinks for ``--think`` seconds on average, and sends
the next; a 503 is tried again after its Retry-After. Prints the load of the machine, seconds from the first try to the reply
(p50, p95, p99), the share of texts that were served, and the memory of the server and its processes, every ten seconds. With
``-o`` also a picture beside the file.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from matplotlib.figure import Figure

from hostile_text import without_punctuation
from relhash.show.provenance import provenance

SENTENCES = (
    "RAF1 binds to MEK1 in resting cells. ", "The cells were grown for two days at 37 degrees. ",
    "No interaction between STAT3 and JAK2 was observed. ", "These results suggest that further work is needed here. ",
    "Expression of IL-2 was measured after stimulation with TNF-alpha. ", "Samples were taken every hour and kept on ice. ",
)  # fmt: skip


def text(draw: random.Random) -> str:
    size = int(1000 * 50 ** draw.random())
    found = ""
    while len(found) < size:
        found += draw.choice(SENTENCES)
    return found[:size]


def at(number: int, address: str) -> httpx.AsyncClient:
    """A client with an address of its own: turns and rates are per address."""
    own = f"127.0.{1 + number // 250}.{1 + number % 250}"
    return httpx.AsyncClient(base_url=address, timeout=180, transport=httpx.AsyncHTTPTransport(local_address=own))


async def client(number: int, address: str, until: float, think: float, seen: dict[str, Any]) -> None:
    draw = random.Random(number)
    async with at(number, address) as http:
        await asyncio.sleep(draw.random() * think)
        while time.monotonic() < until:
            body, start, served = {"text": text(draw)}, time.monotonic(), False
            for _ in range(20):
                try:
                    reply = await http.post("/api/predict", json=body)
                except httpx.HTTPError as error:
                    seen["errors"].append(repr(error))
                    break
                served = reply.status_code == 200
                if reply.status_code != 503:
                    break
                seen["again"] += 1
                await asyncio.sleep(float(reply.headers["retry-after"]))
            seen["served" if served else "refused"].append(time.monotonic() - start)
            await asyncio.sleep(min(draw.expovariate(1 / think), max(0, until - time.monotonic())))


async def worst(address: str, until: float) -> None:
    async with at(1000, address) as http:
        for size in itertools.cycle((50_000, 200_000)):
            if time.monotonic() > until:
                break
            await http.post("/api/predict", json={"text": without_punctuation(size), "all_candidates": True})


async def watched(server: int, megabytes: list[int]) -> None:
    while True:
        megabytes.append(memory(server))
        await asyncio.sleep(10)


async def run(address: str, server: int, given: argparse.Namespace, *, with_worst: bool) -> dict[str, Any]:
    seen: dict[str, Any] = {"served": [], "refused": [], "errors": [], "again": 0, "megabytes": []}
    until = time.monotonic() + given.seconds
    clients = [client(number, address, until, given.think, seen) for number in range(given.clients)]
    beside = [asyncio.ensure_future(watched(server, seen["megabytes"]))]
    if with_worst:
        beside.append(asyncio.ensure_future(worst(address, until)))
    await asyncio.gather(*clients)
    for one in beside:
        one.cancel()
    total = len(seen["served"]) + len(seen["refused"])
    cuts = statistics.quantiles(seen["served"], n=100)
    return {
        "texts": total, "served": len(seen["served"]) / total, "tried_again": seen["again"], "errors": seen["errors"][:3],
        "p50": cuts[49], "p95": cuts[94], "p99": cuts[98], "seconds": sorted(round(one, 2) for one in seen["served"]),
        "megabytes": seen["megabytes"], "load": os.getloadavg()[0],
    }  # fmt: skip


def memory(process: int) -> int:
    """Megabytes of a process and those that it started."""
    listed = subprocess.run(["ps", "-eo", "pid,ppid,rss"], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()[1:]]
    family = {process}
    for _ in range(3):
        family |= {pid for pid, parent, _ in rows if parent in family}
    return sum(rss for pid, _, rss in rows if pid in family) >> 10


def draw(found: dict[str, Any], path: Path) -> None:
    figure = Figure(figsize=(8, 3), layout="constrained")
    waiting, used = figure.subplots(1, 2)
    for name in ("alone", "beside the worst text"):
        seconds, megabytes = found[name]["seconds"], found[name]["megabytes"]
        waiting.plot(seconds, [(rank + 1) / len(seconds) for rank in range(len(seconds))], label=name)
        used.plot([10 * number for number in range(len(megabytes))], megabytes)
    waiting.set(xlabel="seconds to the reply", ylabel="share of the texts", xlim=(0, None), ylim=(0, 1))
    waiting.legend(loc="lower right", frameon=False)
    used.set(xlabel="seconds since the start", ylabel="megabytes of the server", ylim=(0, None))
    figure.savefig(path, dpi=120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=60)
    parser.add_argument("-o", "--output", type=Path)
    given = parser.parse_args()
    command = [str(Path(sys.executable).with_name("relhash")), "serve", "ppi", "--rate", "2000"]
    found: dict[str, Any] = {"clients": given.clients, "seconds": given.seconds, "think": given.think, "cores": os.cpu_count()}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = re.search(r"http://\S+", server.stdout.readline())
        assert address is not None
        try:
            for name, with_worst in (("alone", False), ("beside the worst text", True)):
                found[name] = asyncio.run(run(address[0], server.pid, given, with_worst=with_worst))
                print(name, json.dumps({key: one for key, one in found[name].items() if key != "seconds"}), flush=True)
        finally:
            server.terminate()
    if given.output:
        draw(found, given.output.with_suffix(".png"))
        found["made"] = provenance("the shipped pipeline")
        given.output.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
