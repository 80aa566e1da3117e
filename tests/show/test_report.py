"""The HTML report: complete, self-contained, and safe with any text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates.evidence import Evidence, Piece, Station
from relhash.show.report import FoundRelation, ReportData, ResultRow, render_report, write_report

PATH = (
    Station("Ras", "participant"),
    Station("nsubj", "up"),
    Station("binds", "word"),
    Station("dobj", "down"),
    Station("Raf", "participant"),
)

EVIDENCE = Evidence(
    "doc-1",
    ("Ras", "Raf"),
    (Piece("Ras", "participant"), Piece(" "), Piece("binds", "path"), Piece(" Raf", "participant")),
    PATH,
)

CURVE = [(0.0, 1.0), (0.5, 0.8), (1.0, 0.3)]

DATA = ReportData(
    title="Demo",
    summary="From abstracts to full text.",
    facts=[("Trained on", "abstracts")],
    results=[
        ResultRow("random", 0.4, 0.5, 0.444, auc=0.6, seconds=1.25, curve=CURVE),
        ResultRow("ours", 0.6, 0.7, 0.646, auc=0.8, seconds=2.0, remark="adapted", curve=CURVE),
    ],
    positive_rate=0.29,
    relations=[FoundRelation(EVIDENCE, 0.9876, "interaction", is_gold=True), FoundRelation(EVIDENCE, 0.99999)],
    notes=["Synthetic."],
    footer="relhash 0.1.0",
)

VOID = {"meta", "br", "img", "line", "circle", "rect", "path"}


class Balance(HTMLParser):
    """Collects tags, attributes and text, and insists that what opens closes."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.text += data


def parse(page: str) -> Balance:
    parser = Balance()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    return parser


def test_everything_given_is_shown():
    parsed = parse(render_report(DATA))
    given_text = (
        "Demo|From abstracts to full text.|Trained on|random|ours|adapted|0.646|0.800|1.2|Ras – Raf|interaction|doc-1|"
        "gold agrees|0.988|> 0.999|nsubj|Synthetic.|relhash 0.1.0"
    )
    for text in given_text.split("|"):
        assert text in parsed.text, text


def test_best_value_of_each_column_stands_out():
    page = render_report(DATA)
    assert re.findall(r'class="best">([\d.]+)<', page) == ["0.600", "0.700", "0.646", "0.800"]


def test_what_was_not_measured_is_a_dash():
    assert "<td>–</td>" in render_report(ReportData("t", results=[ResultRow("s", 0.1, 0.2, 0.13)]))


def test_nothing_is_loaded_from_elsewhere():
    page = render_report(DATA)
    parsed = parse(page)
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _ in parsed.tags}
    assert not any(name == "href" or name.startswith("on") for _, attributes in parsed.tags for name in attributes)
    assert all(attributes.get("src", "data:").startswith("data:") for _, attributes in parsed.tags)
    assert "http://" not in page
    assert "https://" not in page
    assert "url(" not in page
    assert "default-src 'none'" in page


def test_sections_without_content_are_left_out():
    page = render_report(ReportData("only a title"))
    assert "<h2>" not in page
    assert "<table" not in page
    assert "<svg" not in page


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_any_text_is_text_and_never_markup(text):
    evil = f"</title><script>alert('{text}\")&amp;<!--"
    evidence = Evidence(
        evil, (evil, evil), (Piece(evil, "path"),), (Station(evil, "participant"), Station(evil, "up"), Station(evil, "word"))
    )
    data = ReportData(
        evil, evil, [(evil, evil)], [ResultRow(evil, 0, 0, 0, remark=evil)], None,
        [FoundRelation(evidence, 0.5, evil)], [evil], evil,
    )  # fmt: skip
    page = render_report(data)
    parsed = parse(page)
    assert "script" not in {tag for tag, _ in parsed.tags}
    assert "<!--" not in page
    assert parsed.text.count(evil) >= 12


def test_write_replaces_the_whole_file(tmp_path):
    target = tmp_path / "report.html"
    target.write_text("old")
    write_report(target, DATA)
    assert target.read_text(encoding="utf-8") == render_report(DATA)
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
