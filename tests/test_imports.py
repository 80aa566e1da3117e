"""What a command loads: a plain pair is predicted without the wings and rooms that have no part in it."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

PROGRAM = """
import sys
from relhash.cli.main import main

try:
    main(["predict", "ppi", sys.argv[1], "--no-cache", "--quiet", "-o", sys.argv[2]])
except SystemExit as ended:
    assert not ended.code
print(*sys.modules, sep="\\n")
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Modules that ``relhash predict ppi a.txt`` has loaded when it ends, in a process of its own."""
    folder: Path = tmp_path_factory.mktemp("imports")
    (folder / "a.txt").write_text("RAF1 binds to MEK1 in resting cells.\n", encoding="utf-8")
    arguments = [sys.executable, "-c", PROGRAM, str(folder / "a.txt"), str(folder / "found.tsv")]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert "RAF1" in (folder / "found.tsv").read_text(encoding="utf-8")
    return set(done.stdout.splitlines())


@pytest.mark.parametrize(
    "module",
    [
        "relhash.language.amr",
        "penman",
        "relhash.corpus.pubmed45",
        "relhash.hashing.supervised",
        "relhash.candidates.statements",
        "relhash.hashing.neural",
        "relhash.bench.rivals",
        "relhash.bench",
        pytest.param("torch", marks=pytest.mark.skipif(find_spec("torch") is not None, reason="thinc loads it if it is there")),
        "matplotlib",
        "numpy.f2py",
        "scipy.linalg",
    ],
)
def test_predicting_a_pair_does_not_load(loaded: set[str], module: str) -> None:
    assert "relhash.model" in loaded
    assert not {name for name in loaded if name == module or name.startswith(f"{module}.")}
