"""The pages of review and explain in a real browser: answers by key, kept and saved; nothing overflows on a phone."""

from __future__ import annotations

import json
import re

import pytest

from relhash.model import RelationExtractor
from relhash.show.explanation import explain, write_explanation
from relhash.show.review import write_review
from tests.browser.test_report_page import CHROMIUM, browse
from tests.model.conftest import SMALL, part
from tests.show.test_review import rows

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed, or does not start"),
]

SCRIPT = """<script>
const press = (key) => dispatchEvent(new KeyboardEvent('keydown', { key }));
const said = {};
['y', 'n', 's', 'g', 'u', 'a'].forEach(press);
document.querySelectorAll('article')[5].querySelector('button[data-answer=no]').click();
said.done = document.querySelector('.done').textContent;
let saved;
URL.createObjectURL = (blob) => { saved = blob; return '#'; };
document.querySelector('.save').click();
said.fits = document.documentElement.scrollWidth <= innerWidth;
said.kept = Object.keys(JSON.parse(Object.values(localStorage)[0] ?? '{}')).length;
saved.text().then((text) => { said.lines = text.trim().split('\\n').map(JSON.parse).map((one) => [one.key, one.answer]);
  document.title = 'said ' + JSON.stringify(said); });
</script></body>"""


def test_answers_by_key_undo_and_save(tmp_path):
    path = tmp_path / "review.html"
    write_review(rows(), path, "Questions")
    path.write_text(path.read_text("utf-8").replace("</body>", SCRIPT), "utf-8")
    dom = browse(tmp_path, "--window-size=500,900", "--virtual-time-budget=2000", "--dump-dom", path.as_uri())
    assert json.loads(re.search(r"<title>said (.*?)</title>", dom)[1]) == {
        "done": "5 of 6 answered",
        "fits": True,
        "kept": 5,
        "lines": [["d0|T1|T2", "yes"], ["d1|T1|T2", "no"], ["d2|T1|T2", "skip"], ["d3|T1|T2", "negated"], ["d5|T1|T2", "no"]],
    }


def test_the_explanation_fits_a_phone(tmp_path):
    model = RelationExtractor("KLSH-NU-RF", **SMALL).fit(part("abstracts", 20), adapt_to=part("fulltext", 10)).fitted
    path = tmp_path / "why.html"
    write_explanation(path, explain(model, part("fulltext", 10), top=5, labelled=part("abstracts", 10)))
    probe = "<script>document.title = 'fits ' + (document.documentElement.scrollWidth <= innerWidth)</script></body>"
    page = path.read_text("utf-8").replace("<details>", "<details open>")
    page = page.replace("default-src 'none'", "default-src 'none'; script-src 'unsafe-inline'").replace("</body>", probe)
    path.write_text(page, "utf-8")
    dom = browse(tmp_path, "--window-size=500,900", "--dump-dom", path.as_uri())
    assert "<title>fits true</title>" in dom
    assert dom.count('<article class="relation"') == 5
