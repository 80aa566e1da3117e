"""The page: complete, small, harmless."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from relhash.corpus import Corpus
from relhash.show.explanation import explain, render_explanation, write_explanation
from tests.candidates.drawn_sentences import draw
from tests.model.conftest import part
from tests.show.test_interaction_rows import PASSIVE, predicted

HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m"


@pytest.fixture(scope="module")
def found(small_model):
    return explain(small_model.fitted, part("fulltext", 15), top=50, labelled=part("abstracts", 30))


def test_everything_is_there(found):
    page = render_explanation(found)
    assert page.count('<article class="relation"') == len(found.rows) == 50
    for said in ("log-odds of the classifier", "Hash functions that decided", "Nearest labelled candidates", "Seen ",
                 "Which parts matter", "How redundant they are", "Calibration", "never joined the code"):  # fmt: skip
        assert said in page, said


def test_a_picture_says_who_does_what_to_whom(found):
    """The names of a row stand in the order of the sentence, here the theme before the cause."""
    assert 'class="interaction"' not in render_explanation(found)  # a pair has no roles
    stated = predicted(PASSIVE, "phosphorylated", cause="IKKbeta", theme="RPS3")
    page = render_explanation(replace(found, rows=[replace(found.rows[0], prediction=stated)]))
    assert page.index('aria-label="Phosphorylation(Cause: IKKbeta, Theme: RPS3)"') < page.index('<p class="sentence">')
    assert "that the interaction is valid" in page
    assert "<style>text{" not in page  # that would be the style of all pictures of the page
    name = "x" * 500
    endless = draw(f"{name} is phosphorylated by IKKbeta", None, [name, "IKKbeta"])
    stated = predicted(endless, "phosphorylated", cause="IKKbeta", theme=name)
    page = render_explanation(replace(found, rows=[replace(found.rows[0], prediction=stated)]))
    assert 'class="interaction"' not in page
    assert name in page


def test_one_file_that_loads_nothing(found, tmp_path):
    write_explanation(tmp_path / "report.html", found)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert len(page) < 5_000_000
    assert "<script" not in page
    assert not re.search(r"(src|href)=[\"'](?!#|data:)", page)
    assert "url(" not in page
    assert "default-src 'none'" in page


def test_hostile_text_is_shown_not_obeyed(small_model):
    """A document whose id and text are full of tricks."""
    documents = [
        replace(document, id=f"{HOSTILE}{document.id}", text=document.text.replace(" and ", " \u202e\x07< "))
        for document in part("fulltext", 3)
    ]
    page = render_explanation(explain(small_model.fitted, Corpus.of(documents, "x"), top=10, title=HOSTILE))
    assert "<script" not in page
    assert not re.search("[\x00-\x08\x0b-\x1f\u202e]", page)
    assert "⟨U+202E⟩" in page


def test_contributions_on_the_page_sum_up(found):
    """What a reader adds up with a pocket calculator is what stands below the line."""
    page = render_explanation(found)
    for table in re.findall(r'<table class="reasons">(.*?)</table>', page, re.DOTALL)[:20]:
        values = [float(value) for value in re.findall(r"<td>([+-]\d+\.\d+)</td>", table)]
        assert sum(values[:-1]) == pytest.approx(values[-1], abs=0.0006 * len(values))
