"""An index of text: what is written comes back, and is searched as one text however it is cut."""

from __future__ import annotations

import numpy as np
import pytest

import relhash
from relhash.candidates import build_structures
from relhash.errors import CorpusError, ParameterError
from relhash.model.index import CODES, Index

pytest.importorskip("pyarrow")
TEXT = (
    "RAF1 binds to MEK1. STAT3 associates with JAK2 and PTPN6. CD4 and CD8 were absent. TP53 is bound by MDM2. "
    "Phosphorylation of AKT1 by PDK1 was seen. IL-2 does not bind to CD4."
)


@pytest.fixture(scope="module")
def model():
    return relhash.load("ppi")


@pytest.fixture(scope="module")
def index(model, tmp_path_factory):
    return Index.made(model, TEXT, tmp_path_factory.mktemp("index"), n_bits=64)


def test_what_was_written_comes_back(model, index):
    pairs = index.pairs(TEXT)
    assert len(index) == len(pairs) > 6
    views = index.views
    assert all(index.structures(range(len(pairs)))[view] == build_structures(pairs, views)[view] for view in views)
    for row, pair in enumerate(pairs):
        found, label = index.candidate(row)
        assert [one.text for one in found.mentions] == [one.text for one in pair.mentions]
        assert label == ""
    codes = np.concatenate([part.columns.T for part in index.parts])
    assert np.array_equal(codes, index.hashed(build_structures(pairs, views)))


def test_the_same_words_are_most_similar(index):
    best, *others = index.similar("[E1]GRB2[/E1] binds to [E2]SOS1[/E2].", n=5)
    assert (best.candidate.mentions[0].text, best.similarity) == ("RAF1", 1.0)
    assert [one.similarity for one in others] == sorted((one.similarity for one in others), reverse=True)
    assert others[0].similarity < 1
    assert best.as_row()["marked"] == "[E1]RAF1[/E1] binds to [E2]MEK1[/E2]."


def test_rows_like_a_row_are_others(index):
    assert 0 not in [one.row for one in index.like(0, n=3)]
    with pytest.raises(ParameterError, match="no row 99"):
        index.like(99)


def test_marks_in_any_order_are_the_same_question(index):
    one, two = (index.similar(f"[E{a}]A[/E{a}] binds to [E{b}]B[/E{b}].", n=3) for a, b in ((1, 2), (2, 1)))
    assert [found.row for found in one] == [found.row for found in two]


def test_labels_of_a_labelled_text(model, tmp_path):
    from relhash.corpus.read_write import demo_corpora

    index = Index.made(model, list(demo_corpora()[0])[:20], tmp_path / "labelled")
    labels = {found.label for found in index.similar("[E1]RAF1[/E1] binds to [E2]MEK1[/E2].", n=50)}
    assert "none" in labels
    assert len(labels) > 1


def test_a_model_asks_an_index(model, index):
    (found,) = model.similar("[E1]GRB2[/E1] binds to [E2]SOS1[/E2].", index, n=1)
    assert found.row == model.similar("[E1]GRB2[/E1] binds to [E2]SOS1[/E2].", index.folder, n=1)[0].row


def test_folders_that_are_no_index(index, tmp_path):
    with pytest.raises(CorpusError, match="no index"):
        Index.open(tmp_path)
    (tmp_path / CODES).write_bytes((index.folder / CODES).read_bytes())
    (tmp_path / "part-000000.arrow").write_bytes(b"broken")
    with pytest.raises(CorpusError, match="not a part of an index"):
        len(Index.open(tmp_path))
    with pytest.raises(ParameterError, match="is not marked"):
        index.similar("RAF1 binds to MEK1.")
