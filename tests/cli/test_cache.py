"""`relhash cache`: what is kept is shown, checked and cleared."""

from __future__ import annotations

import json

import pytest

from relhash.language.annotation import Annotation
from relhash.language.parse_cache import ParseCache
from tests.cli.running import run


@pytest.fixture
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    cache = ParseCache()
    for key in ("aa01", "bb02"):
        cache.put(key, Annotation((), ()))
    compiled = tmp_path / "relhash" / "numba" / "kernels-0" / "f"
    compiled.mkdir(parents=True)
    (compiled / "f.nbc").write_bytes(b"no checksum")
    tables = tmp_path / "relhash" / "tables"
    tables.mkdir()
    (tables / "f.tables").write_bytes(b"no checksum")
    return cache


def test_show_check_and_clear(kept, capsys):
    code, out, _ = run(capsys, "cache", "show", "--json")
    assert code == 0
    assert {row["what"]: row["files"] for row in json.loads(out)} == {"compiled code": 1, "parses": 2, "unpacked tables": 1}
    (kept.folder / "aa" / "01").write_bytes(b"garbage")
    code, out, said = run(capsys, "cache", "check")
    assert code == 1
    assert "3 damaged files" in said
    code, _, said = run(capsys, "cache", "clear")
    assert code == 0
    assert "4 files removed" in said
    code, out, _ = run(capsys, "cache", "check", "--json")
    assert code == 0
    assert [row["files"] for row in json.loads(out)] == [0, 0, 0]


def test_another_word_is_refused(capsys):
    code, _, said = run(capsys, "cache", "burn")
    assert code == 2
    assert "none of show, check, clear" in said
