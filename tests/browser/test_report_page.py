"""The report in a real browser: it renders, nothing overflows, nothing is fetched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from relhash.candidates import Evidence, candidates, scenes
from relhash.corpus.read_write import demo_corpora
from relhash.model import RelationExtractor
from relhash.show.demonstration import Comparison, FoundRelation, ResultRow, render_report

INSTALLED = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CHROMIUM = None if os.environ.get("RELHASH_NO_BROWSER") else INSTALLED  # .ci/run has looked whether it starts
QUIETLY = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # a container has little of it, and a page that gets none crashes
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed, or does not start"),
]


def browse(tmp_path: Path, *arguments: str) -> str:
    assert CHROMIUM
    finished = subprocess.run(
        [CHROMIUM, "--headless", *QUIETLY, "--hide-scrollbars", f"--user-data-dir={tmp_path / 'profile'}", *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return finished.stdout


@pytest.fixture
def report(tmp_path):
    curve = [(i / 10, 1 - i / 20) for i in range(11)]
    pairs = [pair for pair in candidates(demo_corpora()[1]) if pair.is_positive][:5]
    relations = [FoundRelation(found, 0.9, "interaction", True) for found in map(Evidence.of, scenes(pairs))]
    results = tuple(ResultRow(name, 0.6, 0.7, 0.65, 0.7, 0.8, 3.2, "a remark", curve) for name in ("one", "two"))
    compared = Comparison(*demo_corpora(), results, (), tuple(relations), 1000, 300, 0, RelationExtractor())
    path = tmp_path / "report.html"
    path.write_text(render_report(compared, "Report & <test>", ["Note."]), encoding="utf-8")
    return path


def test_browser_builds_the_whole_page(report, tmp_path):
    dom = browse(tmp_path, "--dump-dom", report.as_uri())
    assert "<title>Report &amp; &lt;test&gt;</title>" in dom
    assert dom.count('<article class="relation">') == 5
    assert dom.count('src="data:image') == 1, "the curves of both rows, in one figure"
    assert dom.rstrip().endswith("</html>")


def test_page_has_no_horizontal_overflow_on_a_phone(report, tmp_path):
    """A frame of phone width asks the page for its scroll width; tables and paths scroll in their own boxes."""
    page = report.read_text(encoding="utf-8").replace("default-src 'none'", "default-src 'none'; script-src 'unsafe-inline'")
    probe = (
        "<script>addEventListener('load', () => document.title = "
        "'overflow ' + (document.documentElement.scrollWidth - innerWidth))</script></body>"
    )
    measured = tmp_path / "measured.html"
    measured.write_text(page.replace("</body>", probe), encoding="utf-8")
    dom = browse(tmp_path, "--window-size=500,900", "--dump-dom", measured.as_uri())
    assert re.search(r"<title>(.*?)</title>", dom)[1] == "overflow 0"
