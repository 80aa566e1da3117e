from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest

import relhash
from relhash.curate.exports import EXPORTS, export_rows
from relhash.model.answers.teaching import answers_on
from relhash.model.tables import read_rows
from tests.curate.gold import answer, answer_by_gold


def export(client, tmp_path, format, **more):
    reply = client.get("/api/export", params={"format": format, **more})
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-disposition"] == f'attachment; filename="{EXPORTS[format][0]}"'
    path = tmp_path / EXPORTS[format][0]
    path.write_bytes(reply.content)
    return path


@pytest.mark.parametrize("format", ["jsonl", "tsv", "xlsx"])
def test_answers_come_back_by_fit(client, teaching, curation, tmp_path, format):
    answer_by_gold(client, teaching, 6)
    client.delete("/api/answers/last", params={"curator": "ann"})
    found = answers_on(teaching.candidates, [export(client, tmp_path, format)])
    assert {one.key: one.answer for one in found} == {one.key: one.answer for one in curation.standing()}
    assert {one.key: one.draw for one in found if one.draw} == pytest.approx(
        {one.key: one.draw for one in curation.standing() if one.draw}, rel=1e-5
    )
    assert len(found) == 5


def test_where_people_are_divided_nothing_is_said(client, tmp_path):
    keys = [one["key"] for one in client.get("/api/queue", params={"n": 2}).json()["questions"]]
    for name, word in (("ann", "yes"), ("bob", "no")):
        answer(client, keys[0], word, name)
    answer(client, keys[1], "negated", "ann")
    rows = {row["key"]: row for _, row in read_rows(export(client, tmp_path, "jsonl"))}
    assert rows[keys[0]]["answer"] == "skip"
    assert rows[keys[0]]["curators"] == "ann; bob"
    assert [one["answer"] for one in rows[keys[0]]["answers"]] == ["yes", "no"]
    assert rows[keys[1]]["answer"] == "negated"


def test_a_table_of_checked_relations(client, teaching, curation, tmp_path):
    taught = curation.moment.taught
    wrong, right = int(np.flatnonzero(taught.accepted)[0]), int(np.flatnonzero(~taught.accepted)[0])
    answer(client, teaching.candidates[wrong].key, "no")
    answer(client, teaching.candidates[right].key, "yes")
    keys = [row["key"] for _, row in read_rows(export(client, tmp_path, "jsonl", rows="accepted"))]
    accepted = curation.settled().taught.accepted.copy()  # two answers teach already
    accepted[[wrong, right]] = False, True
    assert keys == [teaching.candidates[row].key for row in np.flatnonzero(accepted)]
    everything = list(read_rows(export(client, tmp_path, "tsv", rows="all")))
    assert len(everything) == len(teaching.candidates)


def test_a_table_says_how_many_of_its_rows_are_right(client, teaching, curation):
    answer_by_gold(client, teaching, 20, order="random")
    rows = list(export_rows(curation, curation.settled(300), "all"))
    said = client.get("/api/progress").json()["precision"]
    assert {row["table_precision"] for row in rows} == {f"{said['value']:.0%} ({said['low']:.0%}–{said['high']:.0%})"}


@pytest.mark.parametrize("format", ["bioc", "brat"])
def test_the_text_with_checked_relations(client, teaching, curation, tmp_path, format):
    row = int(np.flatnonzero(~curation.moment.taught.accepted)[0])
    answer(client, teaching.candidates[row].key, "yes")
    path = export(client, tmp_path, format)
    if format == "brat":
        with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
            archive.extractall(tmp_path / "unpacked")
        path = tmp_path / "unpacked" / "relations"
    documents = {document.id: document for document in relhash.read(path)}
    assert sum(len(one.relations) for one in documents.values()) == curation.settled().taught.accepted.sum() + (
        not curation.settled().taught.accepted[row]
    )
    candidate = teaching.candidates[row]
    document = documents[candidate.document.id]
    spans = {frozenset(document.mention_by_id[target].spans for target in one.targets) for one in document.relations}
    assert frozenset(mention.spans for mention in candidate.mentions) in spans


def test_the_taught_model(client, teaching, curation, fulltext, tmp_path):
    answer_by_gold(client, teaching, 10)
    model = relhash.load(export(client, tmp_path, "model"))
    np.testing.assert_allclose(model.predict_proba(fulltext), curation.settled().taught.probabilities, rtol=1e-6)
    assert sum(model.card["taught"]["answers"].values()) == 10


def test_unknown_formats(client):
    assert client.get("/api/export", params={"format": "exe"}).status_code == 422


def test_the_export_is_a_round_trip(client, teaching, open_curation, tmp_path):
    """Answers of several people taken out, and into a new database, are the same answers."""
    answer_by_gold(client, teaching, 3, "ann")
    for one in answer_by_gold(client, teaching, 2, "bob"):
        assert one["id"]
    content = export(client, tmp_path, "jsonl").read_bytes()
    before = client.get("/api/export").text
    while client.delete("/api/answers/last", params={"curator": "ann"}).status_code == 200:
        pass
    while client.delete("/api/answers/last", params={"curator": "bob"}).status_code == 200:
        pass
    assert client.get("/api/progress").json()["answered"] == 0
    reply = client.post("/api/import", content=content, headers={"Content-Type": "application/octet-stream"}).json()
    assert reply["saved"] == 5
    after = client.get("/api/export").text

    def told(text):
        return {
            (row["key"], row["draw"], *sorted((one["curator"], one["answer"]) for one in row["answers"]))
            for row in map(json.loads, text.splitlines())
        }

    assert told(before) == told(after)
