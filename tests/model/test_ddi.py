"""The DDI corpus from the files to an evaluation."""

from __future__ import annotations

from pathlib import Path

import relhash
from relhash.learn import LinearClassifier
from relhash.model import RelationExtractor
from tests.corpus.ddi_samples import write_ddi

TYPES = {"mechanism", "effect", "advise", "int"}


def test_read(tmp_path: Path) -> None:
    corpus = relhash.read(write_ddi(tmp_path / "train", n_documents=2))
    first = corpus.documents[0]
    assert len(first.sentences) == len(first.candidates or ()) == 7
    assert {relation.type for relation in first.relations} == TYPES
    assert [first.text[mention.start : mention.end] for mention in first.mentions[:2]] == ["aspirin", "warfarin"]
    in_pieces = first.mentions[-2]
    assert (in_pieces.text, len(in_pieces.spans)) == ("Oral steroids", 2)


def test_fit_and_evaluate(tmp_path: Path) -> None:
    train, test = write_ddi(tmp_path / "train", n_documents=10), write_ddi(tmp_path / "test", n_documents=2, first=16)
    model = RelationExtractor(
        "KLSH-NU-RF", learner={"n_bits": 12}, classifier=LinearClassifier(0.1), threshold=0.5, cache=False
    ).fit(train)
    assert set(model.model_.relation_types.names) == TYPES
    found = model.evaluate(test)
    assert found.f1 > 0.9
    predicted = {prediction.relation for prediction in model.predict(test) if prediction.is_relation}
    assert predicted == TYPES
