"""Parses of a run: on the disk before it goes on, in front of a cache or without one."""

from __future__ import annotations

import os
import pickle

from relhash.language.annotation import Annotation, PredictedMention
from relhash.language.kept_parses import KeptParses
from relhash.language.parse_cache import ParseCache

KEY = "ab" * 32
ANNOTATION = Annotation((), (PredictedMention(0, 3, "protein"),))


def test_they_outlive_the_cache(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    cache = ParseCache(tmp_path / "cache")
    KeptParses(tmp_path / "run", cache).put(KEY, ANNOTATION)
    assert len(synced) == 1
    assert cache.get(KEY) == ANNOTATION
    assert KeptParses(tmp_path / "run").get(KEY) == ANNOTATION


def test_what_the_cache_has_is_not_made_again(tmp_path):
    cache = ParseCache(tmp_path / "cache")
    cache.put(KEY, ANNOTATION)
    assert KeptParses(tmp_path / "run", cache).get(KEY) == ANNOTATION


def test_worker_processes_share_them(tmp_path):
    pickle.loads(pickle.dumps(KeptParses(tmp_path / "run"))).put(KEY, ANNOTATION)
    assert KeptParses(tmp_path / "run").get(KEY) == ANNOTATION


def test_a_machine_that_does_not_see_the_run_keeps_nothing_there(tmp_path):
    """A worker of a cluster made the folder on a disk of its own, where nobody removed it."""
    cache = ParseCache(tmp_path / "cache")
    KeptParses(tmp_path / "m.relhash.work/parses", cache).put(KEY, ANNOTATION)
    assert cache.get(KEY) == ANNOTATION
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]
