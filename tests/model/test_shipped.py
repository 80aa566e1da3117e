"""Models by name."""

from __future__ import annotations

import pytest

from relhash.errors import ModelFileError
from relhash.model.model_file import find_model, shipped_models


def test_a_shipped_model_is_found_by_its_name_unless_a_file_has_it(tmp_path, monkeypatch):
    assert find_model("ppi") == shipped_models()["ppi"]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ppi").write_text("mine")
    assert find_model("ppi").read_text() == "mine"


def test_a_name_that_nobody_has_is_refused_with_those_that_ship():
    with pytest.raises(ModelFileError, match="ship with RelHash: events, ppi"):
        find_model("nobody.relhash")
