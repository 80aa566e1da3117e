"""A document with its relations, and the list of documents."""

from __future__ import annotations

from tests.curate.asked import get
from tests.curate.gold import answer


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
