"""A prediction that is killed at random moments ends with the very bytes of one that is not (docs/guarantees.md)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import relhash
from relhash.corpus import write
from relhash.resources import resource_path

ROOT = Path(__file__).parents[1]
COMMANDS = {
    "predict": ("rows.tsv", ["predict", "ppi", "fulltext.jsonl", "-o", "rows.tsv", "--no-cache", "-q", "--all"]),
    "predict-brat": ("brat", ["predict", "ppi", "raw.txt", "-o", "brat", "--to", "brat", "--no-cache", "-q"]),
}


def killed(tmp_path, name, kills, *, documents, seed=0):
    """What :mod:`tests.killing` says of a command on so many documents of the embedded corpora."""
    output, arguments = COMMANDS[name]
    write(list(relhash.read(resource_path("demo") / "fulltext.jsonl.gz"))[:documents], tmp_path / "fulltext.jsonl")
    (tmp_path / "raw.txt").write_text((resource_path("demo") / "raw_abstracts.txt").read_text(encoding="utf-8"))
    placed = [str(tmp_path / one) if (tmp_path / one).is_file() else one for one in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "tests.killing", str(seed), str(kills), str(tmp_path / "work"), output, *placed],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_three_kills(tmp_path):
    said = killed(tmp_path, "predict", 3, documents=8)
    assert said["kills"] == 3
    assert said["ended"] >= 1
    assert said["left"] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_twenty_kills(tmp_path, name):
    said = killed(tmp_path, name, 20, documents=100 if name == "predict" else 40, seed=20)  # of batches of 32
    print(name, said)
    assert said["kills"] == 20
    assert said["with_something_kept"] > 0
    assert said["left"] == []
