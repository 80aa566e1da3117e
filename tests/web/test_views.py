from __future__ import annotations

from urllib.parse import quote

import numpy as np
import pytest

from relhash.hashing.hamming import hamming_distances
from tests.web.gold import answer, answer_by_gold


def get(client, *parts, **more):
    reply = client.get("/api/" + "/".join(quote(part, safe="") for part in parts), params=more)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_evidence_sums_to_the_log_odds_of_the_taught_model(client, teaching, curation):
    answer_by_gold(client, teaching, 8)
    row = 7
    found = get(client, "questions", teaching.candidates[row].key, "evidence")
    total = found["base"] + sum(one["contribution"] for one in found["reasons"])
    assert total == pytest.approx(found["log_odds"])
    decision = curation.settled().taught.model.decision
    assert found["log_odds"] == pytest.approx(float(decision.classifier.log_odds(teaching.features[[row]])[0]))
    assert found["hash_functions"]
    assert {one["side"] for one in found["hash_functions"]} <= {0, 1}
    assert found["neighbours"][0]["from"] == "your answers"
    assert found["neighbours"][0]["sentence"]


def test_evidence_without_answers(client, teaching):
    found = get(client, "questions", teaching.candidates[0].key, "evidence")
    assert found["reasons"]
    assert all(one["from"] == "training text" for one in found["neighbours"])


def test_similar_sentences_are_the_nearest_codes(client, teaching):
    row = 3
    found = get(client, "questions", teaching.candidates[row].key, "similar", n=10)["questions"]
    distances = hamming_distances(teaching.codes[[row]], teaching.codes)[0].astype(int)
    others = np.delete(distances, row)
    assert [one["distance"] for one in found] == np.sort(others)[:10].tolist()
    assert teaching.candidates[row].key not in [one["key"] for one in found]


def test_one_question_shows_all_answers(client, teaching):
    key = teaching.candidates[0].key
    answer(client, key, "entity", "ann")
    answer(client, key, "no", "bob")
    found = get(client, "questions", key)
    assert [(one["curator"], one["answer"]) for one in found["answers"]] == [("ann", "entity"), ("bob", "no")]
    assert client.get("/api/questions/nothing").status_code == 404
    assert client.get("/api/questions/nothing/evidence").status_code == 404


def test_a_document_with_its_relations(client, teaching):
    candidate = teaching.candidates[5]
    answer(client, candidate.key, "yes")
    found = get(client, "documents", candidate.document.id)
    entities = {one["id"]: one for one in found["entities"]}
    for entity in entities.values():
        assert " ".join(found["text"][start:end] for start, end in entity["spans"]) == entity["text"]
    own = [one for one in teaching.candidates if one.document.id == candidate.document.id]
    assert {one["key"] for one in found["relations"]} == {one.key for one in own}
    assert all({one["from"], one["to"]} <= entities.keys() for one in found["relations"])
    [relation] = [one for one in found["relations"] if one["key"] == candidate.key]
    assert relation["answer"] == "yes"
    assert len(found["sentences"]) == len(candidate.document.sentences)
    assert client.get("/api/documents/nothing").status_code == 404


def test_the_list_of_documents(client, teaching, fulltext):
    found = get(client, "documents")
    assert found["total"] == len({one.document.id for one in teaching.candidates})
    name = teaching.candidates[0].document.id
    answer(client, teaching.candidates[0].key, "no")
    [line] = [one for one in get(client, "documents", search=name)["documents"] if one["id"] == name]
    assert line["answered"] == 1
    assert line["candidates"] == sum(one.document.id == name for one in teaching.candidates)
    assert get(client, "documents", search="no such words at all")["documents"] == []
    assert get(client, "documents", page=99)["page"] == 1


def test_pairs_with_belief_that_answers_move(client, teaching, curation):
    best, *_ = before = get(client, "pairs")["pairs"]
    assert [one["belief"] for one in before] == sorted((one["belief"] for one in before), reverse=True)
    assert 0 < best["belief"] < 1
    for key in best["keys"]:
        answer(client, key, "no")
    names = {best["a"], best["b"]}
    assert not [one for one in get(client, "pairs", search=best["a"])["pairs"] if {one["a"], one["b"]} == names]
    answer(client, best["keys"][0], "yes", "ann")
    [again] = [one for one in get(client, "pairs", search=best["a"])["pairs"] if {one["a"], one["b"]} == names]
    assert again["sentences"] == 1
    assert again["answered"] == len(best["keys"])
    assert again["belief"] == pytest.approx(0.95)  # as sure as one sentence can make it


def test_pages(client, teaching):
    for page in ("/", "/documents", f"/documents/{teaching.candidates[0].document.id}", "/pairs", "/api"):
        reply = client.get(page)
        assert reply.status_code == 200, page
        assert reply.headers["content-type"].startswith("text/html")
    assert client.get("/documents/nothing").status_code == 404
    assert client.get("/api/openapi.json").json()["paths"]["/api/answers"]
