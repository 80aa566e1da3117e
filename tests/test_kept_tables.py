"""Tables that are kept unpacked: the same arrays, whole or made again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from relhash.errors import RelHashWarning
from relhash.kept_tables import damaged_tables, kept_tables, mapped, tables_folder

TABLES = {
    "a": np.arange(12, dtype=np.int16).reshape(3, 4), "none": np.zeros((0, 5)), "one": np.array(3.5), "b": np.array([7], "u1"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tables_folder()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "some" / "tables.npz"
    path.parent.mkdir()
    np.savez_compressed(path, **TABLES)
    return path


def assert_same(found, expected=TABLES) -> None:
    assert list(found) == list(expected)
    for name, table in expected.items():
        np.testing.assert_array_equal(found[name], table, strict=True)


def refuse(path: Path) -> dict[str, np.ndarray]:
    raise AssertionError("read again")


def test_what_is_kept_is_what_was_read(archive, folder):
    assert_same(kept_tables(archive))
    assert_same(kept_tables(archive, refuse))
    assert len(list(folder.iterdir())) == 1


def test_another_content_takes_the_place_of_the_first(archive, folder):
    kept_tables(archive)
    other = {"a": TABLES["a"] + 1}
    np.savez_compressed(archive, **other)
    assert_same(kept_tables(archive), other)
    assert len(list(folder.iterdir())) == 1


@pytest.mark.parametrize("place", [0, 20, 40, -1])
def test_a_damaged_file_is_made_again(archive, folder, place):
    kept_tables(archive)
    [path] = folder.iterdir()
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    assert list(damaged_tables(folder)) == [path]
    with pytest.warns(RelHashWarning, match="damaged"):
        assert_same(kept_tables(archive))
    assert_same(kept_tables(archive, refuse))


@pytest.mark.parametrize("length", [0, 10, 100])
def test_a_file_that_ends_too_early_is_none(archive, folder, length):
    kept_tables(archive)
    [path] = folder.iterdir()
    path.write_bytes(path.read_bytes()[:length])
    assert mapped(path) is None


def test_where_nothing_can_be_kept_the_archive_is_read(archive, folder):
    folder.parent.mkdir(parents=True)
    folder.write_text("no folder")
    assert_same(kept_tables(archive))


def test_nothing_that_is_written_into_an_array_reaches_the_file(archive, folder):
    kept_tables(archive)
    kept_tables(archive)["a"][:] = 0
    assert_same(kept_tables(archive, refuse))


def test_raw_text_is_read_alike_with_and_without_them():
    program = "import relhash; print([one.as_row() for one in relhash.load('ppi').predict('RAF1 binds to MEK1.')])"
    command = [sys.executable, "-c", program]
    said = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for _ in range(2)]
    assert said[0] == said[1]
    assert "HGNC:9829" in said[0]
