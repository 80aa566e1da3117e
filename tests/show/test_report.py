"""The HTML report: complete, self-contained, and safe with any text."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from relhash.candidates.evidence import Evidence, Piece, Station
from relhash.corpus import Corpus, Document
from relhash.model import RelationExtractor
from relhash.show.demonstration import Comparison, FoundRelation, ResultRow, render_report

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



def comparison(name="Demo", evidence=EVIDENCE) -> Comparison:
    corpus = Corpus(name, (Document("doc-1", "Ras binds Raf"),))
    results = (
        ResultRow(f"random {name}", 0.4, 0.5, 0.444, 0.5, 0.6, 1.25, "by chance", CURVE),
        ResultRow("ours", 0.6, 0.7, 0.646, 0.5, 0.8, 2.0, f"adapted {name}", CURVE),
    )
    relations = (FoundRelation(evidence, 0.9876, name, True), FoundRelation(evidence, 0.99999, "other", False))
    return Comparison(corpus, corpus, results, (), relations, 1000, 290, 7, RelationExtractor())


DATA = comparison()

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
    parsed = parse(render_report(DATA, "A title", ["Two excerpts."]))
    given_text = (
        "A title|Demo: 1 documents|1,000 candidate pairs|random|ours|adapted|0.646|0.800|1.2|Ras – Raf|doc-1|"
        "gold agrees|gold disagrees|0.988|> 0.999|nsubj|Two excerpts.|seed 7"
    )
    for text in given_text.split("|"):
        assert text in parsed.text, text


def test_best_value_of_each_column_stands_out():
    page = render_report(DATA)
    assert re.findall(r'class="best">([\d.]+)<', page) == ["0.500", "0.600", "0.700", "0.646", "0.500", "0.800"]


def test_nothing_is_loaded_from_elsewhere():
    page = render_report(DATA)
    parsed = parse(page)
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _ in parsed.tags}
    assert not any(name == "href" or name.startswith("on") for _, attributes in parsed.tags for name in attributes)
    assert all(attributes.get("src", "data:").startswith("data:") for _, attributes in parsed.tags)
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page
    assert "url(" not in page
    assert "default-src 'none'" in page


@given(text=st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_any_text_is_text_and_never_markup(text):
    evil = f"</title><script>alert('{text}\")&amp;<!--"
    evidence = Evidence(
        evil, (evil, evil), (Piece(evil, "path"),), (Station(evil, "participant"), Station(evil, "up"), Station(evil, "word"))
    )
    page = render_report(comparison(evil, evidence), evil, [evil])
    parsed = parse(page)
    assert "script" not in {tag for tag, _ in parsed.tags}
    assert "<!--" not in page
    assert parsed.text.count(evil) >= 12
