"""One file and one registration: the parts of docs/howto/own-parts.md are learned with, saved, and read by another process.

The page is run here, not in tests/test_docs.py. Its commands are processes of their own, because registrations are global.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from relhash.model.model_file import read_manifest
from tests.test_docs import BLOCK, EXTENDING, run_page, text_of

(PROJECT,) = [block for kind, block, *_ in BLOCK.findall(text_of(EXTENDING)) if kind == "toml"]
OFFERED = {group: next(iter(parts.items())) for group, parts in tomllib.loads(PROJECT)["project"]["entry-points"].items()}
"""Group of entry points → name and place of the page's part."""
IN_THE_MODEL = ("views", "kernels", "hash_families", "feature_parts", "classifiers")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts, and the model and the table that the commands of the page have made with all of them."""
    folder = tmp_path_factory.mktemp("parts")
    run_page(EXTENDING, folder)
    return folder


@pytest.mark.parametrize("group", OFFERED)
def test_a_part_is_one_file_with_one_registration(group: str, folder: Path) -> None:
    name, place = OFFERED[group]
    assert PROJECT.count(f"{name} = ") == 1
    assert (folder / f"{place.partition(':')[0]}.py").exists()
    sources = Path(__file__).resolve().parents[1] / "src" / "relhash"
    assert not [path for path in sources.rglob("*.py") if f'"{name}"' in path.read_text(encoding="utf-8")]


def test_the_model_and_the_table_have_them(folder: Path) -> None:
    heading, _, *rows = (folder / "found.md").read_text(encoding="utf-8").splitlines()
    assert heading.endswith(" words-between |")
    assert len(rows) == 20
    assert all(row.endswith("| 2 |") for row in rows)
    assert read_manifest(folder / "mine.relhash")["card"]["threshold"]["strategy"] == "one-in:2"


@pytest.mark.parametrize("group", IN_THE_MODEL)
def test_without_its_file_the_part_is_named_in_one_line(group: str, folder: Path, tmp_path: Path) -> None:
    name, place = OFFERED[f"relhash.{group}"]
    alone = shutil.copytree(folder, tmp_path / "alone")
    (information,) = alone.glob("*.dist-info/entry_points.txt")
    information.write_text(re.sub(rf"^{name} = .*\n", "", information.read_text(), flags=re.MULTILINE))
    (alone / f"{place.partition(':')[0]}.py").unlink()
    program = "from relhash.cli.main import main; main(['predict', 'mine.relhash', 'labels.four'])"
    path = os.pathsep.join([str(alone), *sys.path])
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], cwd=alone, env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert name in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
