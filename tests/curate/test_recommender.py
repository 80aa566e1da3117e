"""INCEpTION's external-recommender protocol, with a CAS as it sends it."""

from __future__ import annotations

import cassis
import pytest
from fastapi.testclient import TestClient

import relhash
from relhash.curate.application import create_application

SPAN, RELATION = "webanno.custom.Protein", "webanno.custom.Interaction"
TEXT = "\U0001f600 RAF1 binds to MEK1 in resting cells. TNF was measured in the liver of mice."


@pytest.fixture(scope="module")
def served():
    with TestClient(create_application(relhash.load("ppi")), base_url="http://localhost") as client:
        yield client


def request_for(text, names, layer=RELATION):
    types = cassis.TypeSystem()
    span = types.create_type(SPAN, "uima.tcas.Annotation")
    types.create_feature(span, "value", "uima.cas.String")
    relation = types.create_type(RELATION, "uima.tcas.Annotation")
    types.create_feature(relation, "Governor", SPAN)
    types.create_feature(relation, "Dependent", SPAN)
    types.create_feature(relation, "kind", "uima.cas.String")
    types.create_feature(relation, "kind_score", "uima.cas.Double")
    types.create_feature(relation, "inception_internal_predicted", "uima.cas.Boolean")
    cas = cassis.Cas(types)
    cas.sofa_string, cas.sofa_mime = text, "text/plain"
    for name in names:
        cas.add(span(begin=text.index(name), end=text.index(name) + len(name), value="protein"))
    metadata = {"layer": layer, "feature": "kind", "projectId": 1, "anchoringMode": "tokens", "crossSentence": False}
    document = {"xmi": cas.to_xmi(), "documentId": 7, "userId": "ann"}
    return {"metadata": metadata, "document": document, "typeSystem": types.to_xml()}, types


@pytest.mark.parametrize("text", [TEXT, TEXT[2:]], ids=["a face first", "a name first"])
def test_relations_are_suggested_between_annotated_spans(served, text):
    body, types = request_for(text, ["RAF1", "MEK1", "TNF"])
    reply = served.post("/inception/predict", json=body)
    assert reply.status_code == 200, reply.text
    cas = cassis.load_cas_from_xmi(reply.json()["document"], typesystem=types)
    [found] = cas.select(RELATION)
    assert {found.Governor.get_covered_text(), found.Dependent.get_covered_text()} == {"RAF1", "MEK1"}
    assert found.get_covered_text() == found.Dependent.get_covered_text()
    assert found.kind == "interaction"
    assert 0.3 < found.kind_score <= 1
    assert found.inception_internal_predicted is True
    assert len(list(cas.select(SPAN))) == 3


def test_nothing_to_relate(served):
    body, _ = request_for(TEXT, ["RAF1"])
    assert served.post("/inception/predict", json=body).status_code == 200


def test_training_is_taken_and_left(served):
    body, _ = request_for(TEXT, ["RAF1"])
    assert served.post("/inception/train", json=body).status_code == 204


@pytest.mark.parametrize(
    "xmi",
    ["", "<a", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', '<?xml version="1.0" encoding="utf-7"?><x/>', "<x/>"],
)
def test_what_is_no_cas_is_refused(served, xmi):
    body, _ = request_for(TEXT, ["RAF1", "MEK1"])
    body["document"]["xmi"] = xmi
    reply = served.post("/inception/predict", json=body)
    assert reply.status_code in (200, 422)
    if "<!DOCTYPE" in xmi or "utf-7" in xmi:
        assert reply.status_code == 422


def test_a_layer_that_is_no_relation(served):
    body, _ = request_for(TEXT, ["RAF1", "MEK1"], layer=SPAN)
    assert served.post("/inception/predict", json=body).status_code == 422
