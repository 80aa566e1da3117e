"""Corpora prepared for many runs: rows, views built once, and where the data is looked for."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.bench.datasets import dataset as module
from relhash.bench.datasets.dataset import Dataset, data_root, read_benchmark_corpus
from relhash.candidates import build_structures, candidates
from relhash.corpus import Corpus, Document
from relhash.errors import DataMissingError, ParameterError


def test_rows_are_the_candidates_of_the_corpora_one_after_the_other(toy_data):
    corpora = [read_benchmark_corpus(toy_data, f"ppi/{name}.xml") for name in ("AIMed", "HPRD50")]
    dataset = Dataset(corpora)
    own = [list(candidates(corpus)) for corpus in corpora]
    assert [one.key for one in dataset.candidates] == [one.key for of_corpus in own for one in of_corpus]
    assert np.bincount(dataset.corpus).tolist() == [len(of_corpus) for of_corpus in own]
    assert dataset.y.tolist() == [one.is_positive for one in dataset.candidates]
    assert dataset.documents[0] == f"0/{own[0][0].document.id}"  # ids of two corpora may be the same


def test_a_view_is_built_once(toy_data, monkeypatch):
    dataset = Dataset([read_benchmark_corpus(toy_data, "ppi/HPRD50.xml")])
    built: list[str] = []

    def counted(found, views):
        built.extend(views)
        return build_structures(found, views)

    monkeypatch.setattr(module, "build_structures", counted)
    first = dataset.structures(["between", "descriptors"])
    again = dataset.structures(["descriptors", "path"])
    assert built == ["between", "descriptors", "path"]
    assert again.columns["descriptors"] == first.columns["descriptors"]


def test_a_corpus_without_candidates_is_refused():
    with pytest.raises(ParameterError, match="no candidates"):
        Dataset([Corpus.of([Document("d", "Nothing here.")], "empty")])


def test_where_the_data_is(tmp_path, monkeypatch):
    monkeypatch.setenv("RELHASH_DATA", str(tmp_path))
    assert data_root(None) == tmp_path
    with pytest.raises(DataMissingError, match="RELHASH_DATA"):
        data_root(tmp_path / "nowhere")
    with pytest.raises(DataMissingError, match=r"ppi/AIMed\.xml"):
        read_benchmark_corpus(tmp_path, "ppi/AIMed.xml")
