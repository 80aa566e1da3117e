"""From AMR strings to scored interactions: the extractor takes interaction candidates like any others."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import relhash
from relhash.candidates.policies import CandidatePolicy
from relhash.candidates.statements import InteractionPolicy, TriggerLexicon, interaction_type, participants, role_views
from relhash.candidates.statements.open_policy import JudgedPolicy
from relhash.corpus import Document, Mention, Relation
from relhash.corpus.document import Argument
from relhash.language.amr.documents import amr_document, with_amr
from relhash.language.amr.graphs import parse_graph
from relhash.model import FittedModel, RelationExtractor
from relhash.model.prediction import annotated

POLICY = InteractionPolicy(
    TriggerLexicon().extended({"Phosphorylation": ["phosphorylates"], "Activation": ["activates"]}), max_candidates=20
)
VIEWS = role_views(["cause", "theme"])
A = '(a / enzyme :name (n / name :op1 "{0}"){1})'
B = '(b / enzyme :name (m / name :op1 "{0}"))'
TEMPLATES = [  # sentence, graph, what it states of the first and the second enzyme
    ("{0} phosphorylates {1}", "(p / phosphorylate-01 :ARG0 {a} :ARG1 {b})", "Phosphorylation", "phosphorylates"),
    ("{0} induces phosphorylation of {1}", "(i / induce-01 :ARG0 {a} :ARG2 (p / phosphorylate-01 :ARG1 {b}))",
     "Phosphorylation", "phosphorylation"),
    ("activated {0} mediates phosphorylation of {1}", "(i / mediate-01 :ARG0 {active} :ARG1 (p / phosphorylate-01 :ARG1 {b}))",
     "Phosphorylation", "phosphorylation"),
    ("{0} activates {1}", "(c / activate-01 :ARG0 {a} :ARG1 {b})", "Activation", "activates"),
    ("{0} mediates activation of {1}", "(i / mediate-01 :ARG0 {a} :ARG1 (c / activate-01 :ARG1 {b}))", "Activation",
     "activation"),
    ("activated {0} resembles {1}", "(r / resemble-01 :ARG1 {active} :ARG2 {b})", None, None),
]  # fmt: skip
FIGURE = """# ::id figure1
# ::snt Activated Ras catalyzes the phosphorylation of Raf.
(c / catalyze-01
   :ARG0 (e / enzyme :name (n / name :op1 "Ras") :ARG1-of (a / activate-01))
   :ARG1 (p / phosphorylate-01 :ARG1 (e2 / enzyme :name (n2 / name :op1 "Raf"))))"""


def labelled() -> list[Document]:
    documents = []
    for first, second in permutations(["MEK", "ERK", "AKT", "SOS", "JNK"], 2):
        for number, (text, graph, kind, word) in enumerate(TEMPLATES):
            penman = graph.format(
                a=A.format(first, ""), active=A.format(first, " :ARG1-of (x / activate-01)"), b=B.format(second)
            )
            document = amr_document(f"# ::snt {text.format(first, second)}\n{penman}", identifier=f"{first}{second}{number}")
            if kind is not None and word is not None:
                by_name = {mention.text: mention.id for mention in document.mentions}
                start = document.text.index(word)
                trigger = Mention("T9", kind, ((start, start + len(word)),), word, is_trigger=True)
                event = Relation("E1", kind, (Argument("Theme", by_name[second]), Argument("Cause", by_name[first])), "T9")
                document = replace(document, mentions=(*document.mentions, trigger), relations=(event,))
            documents.append(document)
    return documents


@pytest.fixture(scope="module")
def model() -> RelationExtractor:
    extractor = RelationExtractor(
        "KLSH-NU-RF", views=VIEWS, learner={"n_bits": 40, "n_cluster_bits": 4}, policy=POLICY, threshold=0.5, n_jobs=1
    )
    return extractor.fit(labelled())


def test_the_papers_figure_from_an_amr_string_to_scored_candidates(model: RelationExtractor) -> None:
    found = model.predict([amr_document(FIGURE)], all_candidates=True)
    scores = {
        (interaction_type(p.candidate), *(participants(p.candidate)[role].text for role in ("cause", "theme"))): p.probability
        for p in found
    }
    valid = scores.pop(("Phosphorylation", "Ras", "Raf"))
    assert set(scores) == {("Phosphorylation", "Raf", "Ras"), ("Activation", "Ras", "Raf"), ("Activation", "Raf", "Ras")}
    assert valid > max(scores.values())
    accepted = [p.candidate.key for p in found if p.is_relation]
    assert accepted == ["figure1|cause=T1|theme=T2|trigger=Phosphorylation@28-43"]


def test_interactions_are_told_from_their_swapped_roles(model: RelationExtractor) -> None:
    documents = labelled()
    gold = np.array([candidate.is_positive for candidate in model.candidates(documents)])
    assert 0.1 < gold.mean() < 0.5
    assert model.evaluate(documents).f1 > 0.9


def test_thresholds_of_types_stay_with_the_text_that_has_labels() -> None:
    """A target that states more or fewer interactions would move a threshold that takes a share of it."""
    documents = labelled()
    how = {"views": VIEWS, "learner": {"n_bits": 8, "n_cluster_bits": 2}, "policy": POLICY, "n_jobs": 1}
    by_default = RelationExtractor("KLSH-NU-RF", **how).fit(documents, adapt_to=documents[:12])
    assert by_default.model_.decision.threshold.basis == "training"
    assert by_default.model_.decision.threshold.of_group
    asked_for = RelationExtractor("KLSH-NU-RF", threshold="share:0.1", **how).fit(documents, adapt_to=documents[:12])
    assert asked_for.model_.decision.threshold.basis == "target"


def test_nothing_is_learned_that_names_types_which_candidates_suppose(model: RelationExtractor) -> None:
    """The classifiers of types were half of the shipped model's file."""
    assert model.model_.relation_types.weights is None


def test_a_model_of_interactions_is_kept_in_a_file(model: RelationExtractor, tmp_path: Path) -> None:
    model.save(tmp_path / "m.relhash")
    again = FittedModel.load(tmp_path / "m.relhash")
    assert again.policy == POLICY
    documents = [amr_document(FIGURE), *labelled()[:6]]
    np.testing.assert_array_equal(again.scores(documents), model.scores(documents))


def test_predicted_interactions_have_their_own_type_and_are_written_as_events(model: RelationExtractor, tmp_path: Path) -> None:
    document = amr_document(FIGURE)
    found = model.predict([document])
    assert [prediction.relation for prediction in found] == ["Phosphorylation"]
    relhash.write(annotated([document], found), tmp_path / "out", "bionlp")
    assert (tmp_path / "out" / "figure1.a2").read_text().splitlines() == [
        "T3\tPhosphorylation 28 43\tphosphorylation",
        "E1\tPhosphorylation:T3 Theme:T2 Cause:T1",
    ]


def test_swapped_roles_as_a_third_class(tmp_path: Path) -> None:
    """PubMed45's label 2: the extractor names what is valid and what is valid once the roles are swapped."""
    entries, graphs = [], []
    for number, (first, second) in enumerate(permutations(["MEK", "ERK", "AKT", "SOS", "JNK", "RAF"], 2)):
        for verb, labels in (("activates", (1, 2)), ("resembles", (0, 0))):
            place = f"a_pmid_1000_{number}.{1 if labels[0] else 2}"
            for (cause, theme), label in zip(((first, second), (second, first)), labels, strict=True):
                entries.append(
                    {"path": place, "interaction_tuple": ["activation", cause, theme], "label": label,
                     "sentence": f"{first} {verb} {second}"}
                )  # fmt: skip
            graph = f"(v / {verb[:-1]}-01 :ARG0 {A.format(first, '')} :ARG1 {B.format(second)})"
            graphs.append(parse_graph(f"# ::id {place}\n{graph}"))
    (tmp_path / "judged.json").write_text(json.dumps(entries))
    documents = [with_amr(document, graphs) for document in relhash.read(tmp_path / "judged.json")]
    model = RelationExtractor("KLSH-NU-RF", learner={"n_bits": 40, "n_cluster_bits": 4}, policy=JudgedPolicy(swapped="class"))
    found = model.fit(documents).predict(documents, all_candidates=True)
    named = [prediction.relation if prediction.is_relation else "" for prediction in found]
    right = [name == "".join(p.candidate.relations) for name, p in zip(named, found, strict=True)]
    assert set(named) == {"valid", "swapped", ""}
    assert np.mean(right) > 0.95


def test_judged_candidates_can_be_kept() -> None:
    policy = JudgedPolicy(TriggerLexicon().extended({"Binding": ["binds"]}), swapped="class")
    assert CandidatePolicy.from_dict(json.loads(json.dumps(policy.to_dict()))) == policy
