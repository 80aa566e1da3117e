from __future__ import annotations

from relhash.show import provenance as module
from relhash.show.provenance import commit, provenance


def test_cells_of_several_commits_are_counted():
    made = provenance("", ["a 2026-11-16", "b 2026-11-17", "b 2026-11-17"])
    assert made["cells"] == {"a 2026-11-16": 1, "b 2026-11-17": 2}
    assert made["parse source"] == "the corpus files"


def test_without_git_the_version_stands_for_the_commit(monkeypatch):
    commit.cache_clear()
    monkeypatch.setattr(module, "_git", lambda *arguments: "")
    assert commit().startswith("version ")
    commit.cache_clear()
