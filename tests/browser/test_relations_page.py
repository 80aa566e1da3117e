"""The page of relations in a real browser: it sorts, filters, shows a part of many rows, and fits a phone."""

from __future__ import annotations

import json
import re

import pytest

from relhash.model.tables import write_rows
from tests.browser.test_report_page import CHROMIUM, browse
from tests.model.tables.sample_rows import COLUMNS, row

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed, or does not start"),
]

SCRIPT = """<script>
const names = () => [...document.querySelectorAll('tbody tr:not([hidden])')].map((one) => one.cells[0].firstChild.textContent);
const said = {};
document.querySelectorAll('th button')[3].click();
said.sorted = [names()[0], names().length];
document.querySelectorAll('.more button')[1].click();
said.all = names().length;
const search = document.querySelector('input[type=search]');
search.value = 'p69 raf1'; search.dispatchEvent(new Event('input'));
said.searched = names().length;
const [assertion] = document.querySelectorAll('.tools select');
assertion.value = '=negated'; assertion.dispatchEvent(new Event('change'));
said.filtered = [names(), document.querySelector('.count').textContent];
said.fits = document.documentElement.scrollWidth <= innerWidth;
document.title = 'said ' + JSON.stringify(said);
</script></body>"""


def test_a_page_of_many_rows_on_a_phone(tmp_path):
    path = tmp_path / "a.html"
    kinds = ["negated", *["asserted"] * 6]
    rows = [row(entity1=f"P{n}", probability=n / 700, assertion=kinds[n % 7]) for n in range(700)]
    write_rows(rows, path, "html", COLUMNS)
    path.write_text(path.read_text("utf-8").replace("</body>", SCRIPT), "utf-8")
    dom = browse(tmp_path, "--window-size=500,900", "--dump-dom", path.as_uri())
    assert json.loads(re.search(r"<title>said (.*?)</title>", dom)[1]) == {
        "sorted": ["P699", 300],  # of many rows a part is laid out, the best of all
        "all": 700,
        "searched": 11,
        "filtered": [["P693"], "1 of 700 rows"],
        "fits": True,
    }
