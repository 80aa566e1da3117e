"""What a model found, as people look at it: in words, in a notebook, as a data frame."""

from __future__ import annotations

import pytest

import relhash
from relhash.model import Predictions

TEXT = "RAF1 binds to <b>MEK1</b>. No interaction between TNF and p53 was seen."


@pytest.fixture(scope="module")
def found() -> Predictions:
    return relhash.load("ppi").predict(TEXT, all_candidates=True)


def test_in_words(found: Predictions) -> None:
    assert str(found[0]).startswith("RAF1 – interaction – MEK1 (0.")
    assert "negated, not accepted" in str(found[1])
    assert repr(found).splitlines()[0] == "<2 predictions>"
    assert "object at" not in repr(found[0])


def test_slices_stay_predictions(found: Predictions) -> None:
    assert isinstance(found[:1], Predictions)
    assert found[:1] == [found[0]]


def test_frames(found: Predictions) -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame, table = found.to_frame(), found.to_arrow()
    assert list(frame.columns) == table.column_names
    assert frame["entity1"].tolist() == table["entity1"].to_pylist() == ["RAF1", "TNF"]
    assert frame["start1"].dtype.kind == "i"
    assert list(Predictions().to_frame().columns) == list(frame.columns)


def test_a_notebook_shows_a_table_in_which_no_text_acts(found: Predictions) -> None:
    html = found._repr_html_()
    assert "<mark" in html
    assert "<b>MEK1</b>" not in html.replace("<b>RAF1 – MEK1</b>", "")
    assert "&lt;b&gt;" in html
    assert Predictions()._repr_html_() == "<p>No relations were found.</p>"


def test_a_frame_goes_in_and_comes_out() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"pmid": [7], "abstract": ["RAF1 binds to MEK1."]})
    rows = relhash.load("ppi").predict(frame).to_frame()
    assert rows[["document", "entity1", "entity2"]].to_numpy().tolist() == [["7", "RAF1", "MEK1"]]
