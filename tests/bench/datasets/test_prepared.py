"""Prepared data sets with files of the user's own, and what is said where files are missing."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.datasets.prepared import prepared_dataset, pubmed45_dataset
from relhash.bench.protocols import protocol
from relhash.bench.runner import run_protocol
from relhash.errors import DataMissingError, ParameterError


def test_files_of_the_users_own(toy_pubmed45, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # no data folder here
    monkeypatch.delenv("RELHASH_DATA", raising=False)
    own = toy_pubmed45 / "pubmed45"
    dataset = prepared_dataset("pubmed45", path=own / "pubmed45.json")
    np.testing.assert_array_equal(dataset.y, pubmed45_dataset(toy_pubmed45).y)
    (tmp_path / "elsewhere.json").write_bytes((own / "pubmed45.json").read_bytes())
    with pytest.raises(DataMissingError, match=r"AMR graphs.*subsets"):
        prepared_dataset("pubmed45", path=tmp_path / "elsewhere.json")
    for name, options in (("ppi-cross", {"amr": own / "amr"}), ("bionlp", {"judged": "valid"})):
        with pytest.raises(ParameterError, match=f"{name}.*--{next(iter(options))}"):
            prepared_dataset(name, **options)


def test_what_is_missing_is_named_with_how_to_obtain_it(tmp_path):
    with pytest.raises(DataMissingError, match=r"obtain the labelled file.*Garg et al\. \(2016\).*pubmed45/amr/"):
        run_protocol(protocol("pubmed45"), data=tmp_path)
    with pytest.raises(DataMissingError, match="GENIA event corpora"):
        run_protocol(protocol("bionlp"), data=tmp_path)
