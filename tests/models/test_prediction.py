"""Predictions as annotations of documents."""

from __future__ import annotations

from relhash.models.prediction import annotated, with_predictions


def test_documents_are_annotated_with_what_was_found(small_model, fulltext):
    found = small_model.predict(fulltext)
    documents = list(annotated(fulltext, found))
    assert [document.id for document in documents] == [document.id for document in fulltext]
    assert sum(len(document.relations) for document in documents) == len(found)
    for document in documents:
        document.check()
        assert len([a for a in document.attributes if a.type == "Probability"]) == len(document.relations)


def test_relations_take_the_place_of_those_that_were_there(small_model, fulltext):
    document, found = next((d, f) for d, f in small_model.annotate(fulltext.documents) if f)
    changed = with_predictions(document, found)
    assert [relation.type for relation in changed.relations] == [p.relation for p in found]
    assert [set(relation.targets) for relation in changed.relations] == [{m.id for m in p.candidate.mentions} for p in found]
    nothing = with_predictions(document, [])
    assert nothing.relations == ()
    assert nothing.mentions == document.mentions
