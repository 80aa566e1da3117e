"""Presets as systems: what their cells depend on."""

from __future__ import annotations

from relhash.bench.systems.listed import SYSTEMS


def test_other_descriptors_make_other_cells(monkeypatch):
    known = {name: SYSTEMS[name].identity for name in ("best", "descriptors-forest", "kernel-svm", "KLSH-RF", "ngram-lr")}
    monkeypatch.setattr("relhash.bench.systems.system.COLUMNS", ("log_words",))
    changed = {name for name, identity in known.items() if SYSTEMS[name].identity != identity}
    assert changed == {"best", "descriptors-forest", "kernel-svm"}
