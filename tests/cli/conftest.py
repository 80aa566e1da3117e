"""Models made once for all tests of commands, through the command itself, and the texts that they read."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

import relhash
from relhash.compilation import compiled_folder
from relhash.corpus import Corpus
from relhash.resources import resource_path
from tests.cli.interaction_corpora import NAMES, standoff
from tests.cli.running import exit_code

COMPILED = compiled_folder()
"""The user's, before any test says otherwise."""
RAW = "RAF1 binds to MEK1.\nThe interaction of STAT3 with JAK2 was lost.\n"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands in processes of their own find what is compiled already: with the cache of ours they would compile all of it."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(COMPILED))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Parts of the embedded corpora, a raw text, and names to find in it."""
    root = tmp_path_factory.mktemp("cli")
    for name, n in (("abstracts", 30), ("fulltext", 15)):
        documents = list(relhash.read(resource_path("demo") / f"{name}.jsonl.gz"))[:n]
        relhash.write(Corpus.of(documents, name), root / f"{name}.jsonl")
    (root / "raw.txt").write_text(RAW)
    (root / "names.tsv").write_text("RAF1\tHGNC:9829\nMEK1\tHGNC:6840\tgene\n")
    return root


@pytest.fixture(scope="session")
def model(folder: Path) -> Path:
    """A quick model of the parses that the corpora carry."""
    path = folder / "model.relhash"
    code = exit_code(
        "fit", folder / "abstracts.jsonl", "--adapt", folder / "fulltext.jsonl", "-o", path, "--quiet",
        "--preset", "KLSH-NU-RF", "--classifier", "linear", "--views", "path+edges,window(2,2)",
    )  # fmt: skip
    assert code == 0
    return path


@pytest.fixture(scope="session")
def raw_model(folder: Path) -> Path:
    """A quick model that parses by itself, adapted to raw text."""
    path = folder / "raw.relhash"
    code = exit_code(
        "fit", folder / "abstracts.jsonl", "--adapt", folder / "raw.txt", "-o", path, "--quiet", "--no-cache",
        "--preset", "KLSH-NU-RF", "--classifier", "linear",
    )  # fmt: skip
    assert code == 0
    return path


@pytest.fixture(scope="session")
def interaction_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A quick model of interactions with a trigger and roles."""
    root = tmp_path_factory.mktemp("interactions")
    standoff(root / "train", list(permutations(NAMES, 2)))
    arguments = ["fit", root / "train", "--interactions", "--preset", "KLSH-NU-RF", "-o", root / "m.relhash", "--quiet"]
    assert exit_code(*arguments, "--seed", "0") == 0
    return root / "m.relhash"
