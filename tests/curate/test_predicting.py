"""relhash serve: the same application without curation."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

import relhash
from relhash.curate.application import create_application
from relhash.curate.work import InThreads

TEXT = "RAF1 binds to MEK1 in resting cells. No interaction between STAT3 and JAK2 was observed."


@pytest.fixture(scope="module")
def model():
    return relhash.load("ppi")


@pytest.fixture(scope="module")
def served(model):
    work = InThreads(lambda: model, 4, seconds=900)  # a busy machine compiles for long
    with TestClient(create_application(model, work=work), base_url="http://localhost") as client:
        yield client


def predict(client, **body):
    reply = client.post("/api/predict", json=body)
    assert reply.status_code == 200, reply.text
    return reply.json()["relations"]


def test_rows_are_those_of_relhash_predict(served, model):
    [row] = predict(served, text=TEXT)
    [expected] = [one.as_row() for one in model.predict(TEXT)]
    assert row["text"] == 0
    assert {name: row[name] for name in expected if name != "document"} == {
        name: value for name, value in expected.items() if name != "document"
    }
    assert TEXT[row["start1"] : row["end1"]] == "RAF1"


def test_several_texts_and_all_candidates(served):
    rows = predict(served, texts=["Nothing here.", TEXT], all_candidates=True)
    assert {row["text"] for row in rows} == {1}
    assert {row["assertion"] for row in rows} == {"asserted", "negated"}


def test_evidence_sums_up(served):
    [row] = predict(served, text=TEXT, evidence=True)
    why = row["why"]
    assert why["base"] + sum(one["contribution"] for one in why["reasons"]) == pytest.approx(why["log_odds"])
    assert why["hash_functions"]
    assert predict(served, text="Nothing here.", evidence=True) == []


def test_threads_do_not_disturb_each_other(served):
    texts = [f"RAF{n} binds to MEK1. TNF and IL{n} were measured." for n in range(1, 9)]
    alone = [predict(served, text=text, all_candidates=True) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: predict(served, text=text, all_candidates=True), texts))
    assert together == alone


@pytest.mark.parametrize("name", ["/etc/passwd", "README.md", "-", "abstracts.txt"])
def test_a_text_is_never_the_name_of_a_file(served, name):
    assert predict(served, text=name) == []


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"texts": []}, {"text": "a", "texts": ["b"]}, {"text": 3}, {"txt": "a"}])
def test_what_is_no_text_is_refused(served, body):
    assert served.post("/api/predict", json=body).status_code == 422


def test_characters_that_are_none(served):
    body = b'{"text": "RAF1 \\ud800 binds to \\u0000 MEK1."}'
    reply = served.post("/api/predict", content=body, headers={"Content-Type": "application/json"})
    assert reply.status_code in (200, 422)


def test_no_curation_without_a_text(served):
    for address in ("/api/queue", "/api/progress", "/api/export", "/documents"):
        assert served.get(address).status_code == 404
    assert "/api/answers" not in served.get("/api/openapi.json").json()["paths"]
    assert served.get("/api").status_code == 200
    assert served.get("/").url.path == "/api"  # who opens the address sees what there is


def test_a_model_of_annotated_text_says_so(client):
    reply = client.post("/api/predict", json={"text": TEXT})
    assert reply.status_code == 422
    assert "--parses embedded" in reply.json()["detail"]


def test_types_threshold_and_what_is_kept_are_asked_for_in_the_request(served):
    assert predict(served, text=TEXT, threshold=1.0) == []
    assert predict(served, text=TEXT, types="chemical-disease") == []
    assert {row["assertion"] for row in predict(served, text=TEXT, keep=["negated"])} == {"asserted", "negated"}


def test_statements_are_checked_over_http(served):
    rows = [{"sentence": "RAF1 phosphorylates MEK1.", "subject": one, "object": other, "type": "phosphorylates"}
            for one, other in (("RAF1", "MAP2K1"), ("MAP2K1", "RAF1"))]  # fmt: skip
    reply = served.post("/api/check", json={"rows": rows})
    assert reply.status_code == 200, reply.text
    said = reply.json()["rows"]
    assert [(row["verdict"], row["reason"]) for row in said] == [("supported", ""), ("unsupported", "direction")]
    assert served.post("/api/check", json={"rows": [{"sentence": 1}]}).status_code == 422
