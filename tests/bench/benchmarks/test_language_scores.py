"""Scores of a language pipeline, on a pipeline whose answers are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.corpus.document import Dependency, Document, Mention, Sentence, Token
from tests.tools.loading import load

language = load("language", "benchmarks")
parse_scores, entity_scores, path_agreement = language.parse_scores, language.entity_scores, language.path_agreement
protein_errors, spurious_kind = language.protein_errors, language.spurious_kind
TEXT = "Grb2 binds the p21 ras protein, not iTreg or the SH2 domain of Src."


class Answers:
    """A pipeline that gives prepared documents, whatever is asked."""

    def __init__(self, documents):
        self.documents = documents

    def annotate(self, documents):
        assert all(not document.sentences and not document.mentions for document in documents)  # gold is not shown
        return iter(self.documents)


def test_a_perfect_parse(gold):
    scores = parse_scores(Answers(gold), gold)
    assert (scores.unlabelled_attachment, scores.labelled_attachment, scores.tags, scores.sentences) == (1, 1, 1, 1)
    assert scores.n_tokens == 8


def test_each_kind_of_mistake_has_its_price(gold):
    first = gold[0].sentences[0]
    wrong_label = replace(first, dependencies=(Dependency(1, 0, "dobj"), *first.dependencies[1:]))
    parsed = [replace(gold[0], sentences=(wrong_label, gold[0].sentences[1])), gold[1]]
    scores = parse_scores(Answers(parsed), gold)
    assert scores.unlabelled_attachment == 1
    assert scores.labelled_attachment == pytest.approx(5 / 6)  # six words that are no punctuation
    wrong_head = replace(first, dependencies=(Dependency(2, 0, "nsubj"), *first.dependencies[1:]))
    parsed = [replace(gold[0], sentences=(wrong_head, gold[0].sentences[1])), gold[1]]
    assert parse_scores(Answers(parsed), gold).unlabelled_attachment == pytest.approx(5 / 6)
    assert parse_scores(Answers([replace(gold[0], sentences=()), gold[1]]), gold).sentences == pytest.approx(2 / 4)


def marked(start, end, kind="protein"):
    return Mention(f"T{start}", kind, ((start, end),), "x" * (end - start))


def test_entity_scores_are_exact_spans_of_annotated_types():
    gold = [Document("d", "x" * 20, mentions=(marked(0, 3), marked(5, 8)))]
    found = [Document("d", "x" * 20, mentions=(marked(0, 3), marked(5, 9), marked(12, 14, "disease")))]
    scores = entity_scores(Answers(found), gold)
    assert set(scores) == {"protein", "all"}
    assert (scores["protein"].precision, scores["protein"].recall, scores["protein"].f1) == (0.5, 0.5, 0.5)


def test_agreement_of_two_parses():
    text = "Ras binds Raf"
    tokens = (Token(0, 3, "Ras"), Token(4, 9, "binds"), Token(10, 13, "Raf"))
    names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))

    def document(label):
        arcs = (Dependency(1, 0, label), Dependency(1, 2, "dobj"))
        return Document("d", text, (Sentence("s", 0, 13, tokens, arcs, "p"),), names)

    same = path_agreement([document("nsubj")], [document("nsubj")])
    assert (same.same_words, same.same_path, same.n_candidates) == (1, 1, 1)
    other = path_agreement([document("nsubj")], [document("csubj")])
    assert (other.same_words, other.same_path) == (1, 0)
    with pytest.raises(ValueError, match="not two parses"):
        path_agreement([document("nsubj")], [])


def mention(words: str, kind: str = "protein", is_trigger: bool = False) -> Mention:
    start = TEXT.index(words)
    return Mention(f"T{start}", kind, ((start, start + len(words)),), words, is_trigger=is_trigger)


def test_each_error_has_its_place() -> None:
    gold = Document(
        "d", TEXT, mentions=(mention("Grb2"), mention("p21 ras"), mention("Src"), mention("binds", "protein", True))
    )
    found = Document(
        "d", TEXT, mentions=(mention("Grb2", "Gene"), mention("p21 ras protein"), mention("iTreg"), mention("SH2 domain"))
    )
    errors = protein_errors(Answers([found]), [gold])
    assert (errors.n_gold, errors.n_found, errors.n_exact) == (3, 4, 1)
    assert (errors.precision, errors.recall, errors.f1) == (1 / 4, 1 / 3, pytest.approx(2 / 7))
    assert (errors.overlapping_precision, errors.overlapping_recall) == (2 / 4, pytest.approx(2 / 3))
    assert (errors.too_long, errors.too_short, errors.shifted, errors.missed) == (1, 0, 0, 1)
    assert {kind: count for kind, count in errors.spurious if count} == {"cell": 1, "domain": 1}


def test_boundaries() -> None:
    gold = Document("d", TEXT, mentions=(mention("p21 ras"),))
    for found, kind in (("ras", "too_short"), ("the p21 ras protein", "too_long"), ("ras protein", "shifted")):
        errors = protein_errors(Answers([Document("d", TEXT, mentions=(mention(found),))]), [gold])
        assert getattr(errors, kind) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("carboxyl-terminal SH2 domain", "domain"),
        ("catenin gene family", "family"),
        ("GEF", "family"),
        ("VDR 3'-UTR haplotypes", "DNA element"),
        ("Ser473", "residue"),
        ("murine", "species"),
        ("anti-CD3 antibody", "reagent or assay"),
        (")p53", "cut or stray sign"),
        ("cyclinB1", "name"),
    ],
)
def test_what_is_taken_for_a_protein(text: str, kind: str) -> None:
    assert spurious_kind(text) == kind
    assert kind in language.SPURIOUS
