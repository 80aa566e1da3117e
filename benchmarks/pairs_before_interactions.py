"""Do interactions with roles and types slow down plain pairs, or change them?

    python benchmarks/pairs_before_interactions.py [CORPUS.xml]

1. The binary way (candidates, structures, 100 hash functions) with the code just before and just after interactions came in, in
   turn, each in a process of its own. Needs the repository's history.
2. With the code here: pairs as pairs (view path+edges), and as the special case of roles (view role(e1,e2), and a kernel
   combined over roles of which there is one).

Prints the ratios of processor times (fastest of several repetitions) and whether structures and bits are the same. Without an
argument it takes ppi/AIMed.xml of RELHASH_DATA. Writes benchmarks/results/pairs_before_interactions.json.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from relhash.show.provenance import provenance
from stage_clock import ROOT, unpacked

BEFORE, AFTER = "b8eb8e8^", "b8eb8e8"
"""The first commit with interaction candidates and views by role, and the one before it."""
REPETITIONS = 3

MEASUREMENT = """
import hashlib, json, sys, time
import numpy as np
from relhash.corpus import read
from relhash.hashing import HashcodeLearner
from relhash.kernels import PathKernel
from relhash.candidates import build_structures, candidates

corpus, view, views_of_kernel = read(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
seconds = {}

def timed(name, work):
    start = time.process_time()
    result = work()
    seconds[name] = time.process_time() - start
    return result

pairs = timed("candidates", lambda: list(candidates(corpus)))
X = timed("structures", lambda: build_structures(pairs, [view]))
data = X if views_of_kernel else X[view]
kernel = PathKernel(views=views_of_kernel)
HashcodeLearner(2, kernel=kernel, random_state=0, n_jobs=1).fit(data)  # compiled code and vectors are loaded
learner = HashcodeLearner(100, kernel=kernel, random_state=0, n_jobs=1)
bits = timed("100 hash functions", lambda: learner.fit(data).transform(data))
digest = hashlib.sha256(np.asarray(bits).astype(np.uint8).tobytes())
for row in range(len(pairs)):
    digest.update(" ".join(X[view][row]).encode())
print(json.dumps({"seconds": seconds, "candidates": len(pairs), "digest": digest.hexdigest()}))
"""


def measure(source: Path, corpus: Path, view: str = "path+edges", views_of_kernel: list[str] | None = None) -> dict[str, Any]:
    """Run the measurement with the package below ``source``."""
    environment = {**os.environ, "PYTHONPATH": str(source), "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    command = [sys.executable, "-c", MEASUREMENT, str(corpus), view, json.dumps(views_of_kernel)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the measurement failed with the code in {source}:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def compared(title: str, runs: list[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, Any]:
    """Seconds of the first and the second of each pair of runs, their ratios, and whether results are the same."""
    stages = list(runs[0][0]["seconds"])
    first, second = ({stage: min(run[side]["seconds"][stage] for run in runs) for stage in stages} for side in (0, 1))
    ratios = {stage: second[stage] / first[stage] for stage in stages}
    ratios["all"] = sum(second.values()) / sum(first.values())
    is_same = len({run["digest"] for pair in runs for run in pair}) == 1
    listed = ", ".join(f"{stage} {ratio:.2f}" for stage, ratio in ratios.items())
    print(f"{title}: ratio of seconds: {listed}; same structures and bits: {is_same}")
    return {"seconds": [first, second], "ratio": ratios, "same structures and bits": is_same}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = Path(os.environ.get("RELHASH_DATA", ROOT.parent / "shared" / "data")) / "ppi" / "AIMed.xml"
    parser.add_argument("corpus", nargs="?", type=Path, default=default)
    corpus = parser.parse_args().corpus
    if not corpus.exists():
        parser.error(f"{corpus} is not there: give a corpus in unified PPI XML, or set RELHASH_DATA")
    with tempfile.TemporaryDirectory() as folder:
        before, after = (unpacked(commit, Path(folder) / name) for name, commit in (("before", BEFORE), ("after", AFTER)))
        history = [(measure(before, corpus), measure(after, corpus)) for _ in range(REPETITIONS)]
    here, role = ROOT / "src", "role(e1,e2)"
    special = [(measure(here, corpus), measure(here, corpus, role, [role])) for _ in range(REPETITIONS)]
    report = {
        "corpus": corpus.name,
        "candidates": special[0][0]["candidates"],
        "before and after": compared("before and after interactions", history),
        "pairs and roles": compared("pairs as pairs, and as the special case of roles", special),
    }
    target = ROOT / "benchmarks" / "results" / "pairs_before_interactions.json"
    target.write_text(json.dumps({**report, "made": provenance("")}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
