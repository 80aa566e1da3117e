"""A corpus that tries everything: markup, scripts, characters that turn the line, colours of terminals, templates, formulas."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from relhash.corpus import Corpus, Document, Mention, Sentence
from relhash.curate.application import ServerSettings, create_application
from relhash.curate.curation import Curation
from relhash.curate.store import AnswerStore, identity_of_text
from relhash.model.answers.teaching import Teaching
from tests.curate.conftest import CHANGING
from tests.curate.gold import answer

NAMES = ["<script>alert(1)</script>", "\u202eevil\u202c", "\x1b[31mred\x1b[0m", "</script><img src=x onerror=alert(2)>",
         "{{ 7 * 7 }}", "=HYPERLINK(\"x\")", "a\x00b", "\u2066x\u2069", "&lt;b&gt;", "'\"><svg onload=x>"]  # fmt: skip
UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def hostile_document(number: int, one: str, two: str) -> Document:
    """A sentence about two names that are none."""
    sentence = f"{one} binds to {two} directly."
    mentions = tuple(
        Mention(f"T{n}</script>", "protein<b>", ((sentence.index(name), sentence.index(name) + len(name)),), name)
        for n, name in enumerate((one, two))
    )
    sentences = (Sentence("s", 0, len(sentence)),)
    return Document(f"d/{number}#?<script>\u202e", sentence, sentences, mentions)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A model of words needs no parse: any text will do."""
    from relhash.learn import LinearClassifier
    from relhash.model import RelationExtractor
    from tests.model.conftest import part

    plain = [
        replace(one, sentences=tuple(replace(s, tokens=(), dependencies=(), parser="") for s in one.sentences))
        for one in part("abstracts", 25)
    ]
    corpus = Corpus.of(plain, "abstracts")
    extractor = RelationExtractor(
        "KLSH-NU-RF", views=("between",), learner={"n_bits": 8}, classifier=LinearClassifier(0.1), random_state=1
    ).fit(corpus)
    documents = [hostile_document(number, one, NAMES[(number + 1) % len(NAMES)]) for number, one in enumerate(NAMES)]
    teaching = Teaching.of(extractor.fitted, documents)
    url = f"sqlite:///{tmp_path_factory.mktemp('hostile') / 'answers.sqlite'}"
    store = AnswerStore(url, identity_of_text(teaching.model, teaching.candidates))
    curation = Curation(teaching, store, documents=documents, patience=10)
    app = create_application(teaching.model, curation, ServerSettings(curator="ann", input="<script>\u202e.txt"))
    with TestClient(app, base_url="http://localhost", headers=CHANGING) as client:
        yield client, teaching


def test_pages_hold_no_markup_of_the_text(hostile):
    client, teaching = hostile
    for page in ("/", "/pairs", "/api", "/documents", "/documents/" + quote(teaching.candidates[0].document.id, safe="")):
        text = client.get(page).text
        assert "<script>" not in text.replace('<script type="', "")
        assert not UNSEEN.search(text)
        state = re.search(r'<script type="application/json" id="state">(.*?)</script>', text, re.DOTALL)
        assert json.loads(state[1])["input"] == "<script>⟨U+202E⟩.txt"


def test_what_is_shown_can_be_seen_and_offsets_still_fit(hostile):
    client, _ = hostile
    asked = client.get("/api/queue", params={"n": 100}).json()["questions"]
    assert len(asked) == len(NAMES)
    for one in asked:
        assert not UNSEEN.search(one["sentence"] + one["words"] + "".join(entity["type"] for entity in one["entities"]))
        for entity in one["entities"]:
            assert [one["sentence"][start:end] for start, end in entity["spans"]] == [entity["text"]]
        document = client.get("/api/documents/" + _quoted(one["document"])).json()
        for entity in document["entities"]:
            assert [document["text"][start:end] for start, end in entity["spans"]] == [entity["text"]]


def test_answers_and_exports_survive(hostile):
    client, _ = hostile
    for one in client.get("/api/queue", params={"n": 100}).json()["questions"]:
        answer(client, one["key"], "yes")
        assert client.get("/api/questions/" + _quoted(one["key"])).json()["answers"]
        assert client.get("/api/questions/" + _quoted(one["key"]) + "/evidence").status_code == 200
        assert client.get("/api/questions/" + _quoted(one["key"]) + "/similar").status_code == 200
    for format in ("jsonl", "tsv", "xlsx", "model"):
        assert client.get("/api/export", params={"format": format}).status_code == 200
    assert "\n=HYPERLINK" not in client.get("/api/export", params={"format": "tsv"}).text
    for format in ("bioc", "brat"):  # XML cannot hold a NUL: refused in one sentence, if at all
        reply = client.get("/api/export", params={"format": format})
        assert reply.status_code in (200, 409)
    assert client.get("/api/pairs").json()["pairs"]


def test_refusals_do_not_echo(hostile):
    client, _ = hostile
    reply = client.get("/api/queue", params={"order": "<script>\x1b"})
    assert "<script>" not in reply.text
    assert reply.headers["content-type"] == "application/json"


def _quoted(text: str) -> str:
    return quote(text, safe="")
