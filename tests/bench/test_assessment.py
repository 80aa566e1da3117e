"""A model on a gold corpus: figures, mistakes, and sentences that it has seen before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from relhash.biomed.assertion import Assertion
from relhash.candidates import PairPolicy, candidates, scenes
from relhash.candidates.shared_sentences import sentence_hashes
from relhash.corpus import Corpus, Document, Relation
from relhash.corpus.document import NO_ANSWERS, Argument
from relhash.corpus.read_write import demo_corpora
from relhash.errors import ParameterError, RelHashWarning
from relhash.learn.relation_types import RelationTypes
from relhash.model import Prediction
from relhash.show.assessment import assess


class Oracle:
    """Knows every label but those of the pairs numbered in ``wrong``."""

    def __init__(self, wrong=(), seen=(), types=("interaction",)):
        self.wrong, self.training_sentences = set(wrong), np.array(sorted(seen), np.uint64)
        self.relation_types = RelationTypes(types, ())

    def keeping(self, *assertions):
        assert "negated" in assertions  # denied pairs are evaluated like all others
        return self

    policy, kept = PairPolicy(), frozenset(Assertion)

    def annotate(self, documents, *, all_candidates):
        assert all_candidates
        number = 0
        for document in documents:
            found = []
            for one in scenes(candidates([document])):
                yes = one.candidate.is_positive != (number in self.wrong)
                found.append(Prediction(one, "interaction", 0.9 if yes else 0.1, 0.8 if yes else 0.3, yes))
                number += 1
            yield document, found


@pytest.fixture(scope="module")
def corpus():
    return Corpus("few", demo_corpora()[0].documents[:20])


def test_an_oracle_makes_no_mistakes(corpus):
    found = assess(Oracle(), corpus)
    assert (found.metrics.f1, found.metrics.auc, found.f1.low) == (1.0, 1.0, 1.0)
    assert found.errors() == []
    assert found.by_type["interaction"]["recall"] == 1.0
    assert "no sentence of this corpus" in found.leakage_text


def test_mistakes_are_listed_with_what_the_gold_says(corpus):
    own = list(candidates(corpus))
    missed = next(number for number, one in enumerate(own) if one.is_positive)
    wrongly = next(number for number, one in enumerate(own) if not one.is_positive)
    report = assess(Oracle([missed, wrongly]), corpus).as_dict(errors=True)
    kinds = {error["kind"]: error["gold"] for error in report["errors"]}
    assert kinds == {"missed": list(own[missed].relations), "wrongly found": []}
    assert report["f1_interval"][0] <= report["f1"] <= report["f1_interval"][1]


def test_sentences_of_the_training_text_are_counted(corpus):
    hashes = sentence_hashes(list(candidates(corpus)))
    found = assess(Oracle(seen=[hashes[0]]), corpus)
    assert (found.shared_sentences, found.affected) == (1, int((hashes == hashes[0]).sum()))
    assert "the figures are too good" in found.leakage_text


def test_the_curve_is_drawn(corpus, tmp_path):
    assess(Oracle(), corpus).draw(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes()[:4] == b"\x89PNG"


def test_text_without_labelled_candidates_is_refused():
    with pytest.raises(ParameterError, match="no labelled candidates"):
        assess(Oracle(), Corpus.of([Document("d", "Nothing here.")], "empty"))


def test_candidates_are_counted_by_what_their_sentence_says(corpus):
    found = assess(Oracle(), corpus)
    columns = ("candidates", "gold", "found", "right")
    total = {column: sum(row[column] for row in found.by_assertion.values()) for column in columns}
    positive = sum(prediction.candidate.is_positive for prediction in found.predictions)
    assert total == {"candidates": len(found.predictions), "gold": positive, "found": positive, "right": positive}
    assert found.as_dict()["by_assertion"] == found.by_assertion


def test_types_are_measured_where_the_model_tells_them_apart(corpus):
    assert assess(Oracle(), corpus).typed is None
    found = assess(Oracle(types=("interaction", "regulation")), corpus)
    assert found.typed.micro.f1 == found.typed.macro.f1 == 1.0
    assert found.as_dict()["typed"]["by_type"]["interaction"]["precision"] == 1.0
    assert found.errors() == []


def test_a_relation_of_the_wrong_type_is_a_mistake(corpus):
    class Mistaken(Oracle):
        def annotate(self, documents, *, all_candidates):
            for document, found in super().annotate(documents, all_candidates=all_candidates):
                yield document, [replace(one, relation="regulation") for one in found]

    found = assess(Mistaken(types=("interaction", "regulation")), corpus)
    assert (found.metrics.f1, found.typed.micro.f1) == (1.0, 0.0)
    assert {error["kind"] for error in found.errors()} == {"wrong type"}


def test_everything_stated_is_the_denominator(corpus):
    """Pairs across sentences are no candidates; recall over the candidates alone was 1.0."""
    document = next(one for one in corpus if len(one.sentences) > 1 and one.relations)
    first, second = document.entities[0], document.entities[-1]
    beyond = Relation("beyond", "interaction", (Argument("e1", first.id), Argument("e2", second.id)))
    found = assess(Oracle(), [replace(document, relations=(*document.relations, beyond))])
    counts = found.stated.counts
    assert found.metrics.recall == 1.0
    assert (counts.stated, counts.reached, counts.right) == (counts.found + 1, counts.found, counts.found)
    assert found.stated.recall == found.stated.ceiling < 1.0
    assert found.as_dict()["stated"]["stated"] == counts.stated


def test_documents_without_answers_are_left_out_or_refused(corpus):
    bare = [replace(one, relations=(), metadata={NO_ANSWERS: "true"}) for one in corpus.documents[:3]]
    with pytest.raises(ParameterError, match=r"none of the 3 documents has a \.a2 file"):
        assess(Oracle(), bare)
    with pytest.warns(RelHashWarning, match="3 of 6 documents have no .a2 file"):
        found = assess(Oracle(), [*bare, *corpus.documents[3:6]])
    assert found.without_answers == 3
    assert found.stated == assess(Oracle(), corpus.documents[3:6]).stated


def test_gold_without_relations_is_an_error_and_no_figure(corpus):
    """It gave F1 0.000."""
    bare = Corpus.of([replace(document, relations=()) for document in corpus.documents], "bare")
    with pytest.raises(ParameterError, match=r"my\.xml: .* not one relation .*relhash inspect"):
        assess(Oracle(), bare, name="my.xml")
