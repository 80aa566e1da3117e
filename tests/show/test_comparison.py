"""Systems side by side: figures of the target's labels, curves, and the most confident relations."""

from __future__ import annotations

import pytest

from relhash.candidates import candidates
from relhash.corpus import Corpus
from relhash.corpus.read_write import demo_corpora
from relhash.show.demonstration import DEMO_MODELS, compare, render_report


@pytest.fixture(scope="module")
def compared():
    source, target = (Corpus(corpus.name, corpus.documents[:40]) for corpus in demo_corpora())
    names: list[str] = []
    systems = {"random": DEMO_MODELS["random"], "ours": DEMO_MODELS["nearly unsupervised, transductive"]}
    comparison = compare(source, target, systems, relations=4, seed=1, on_model=names.append)
    assert names == ["random", "ours"]
    return comparison


def test_figures_agree_with_the_curve(compared):
    labels = [candidate.is_positive for candidate in candidates(compared.target)]
    assert (compared.candidates, compared.positive) == (len(labels), sum(labels))
    for result in compared.results:
        recalls = [recall for recall, _ in result.curve]
        assert recalls == sorted(recalls)
        assert recalls[-1] == pytest.approx(1)
        assert result.curve[-1][1] == pytest.approx(compared.positive / compared.candidates)
        assert min(abs(r - result.recall) + abs(p - result.precision) for r, p in result.curve) < 1e-9
        assert result.f1 == pytest.approx(2 * result.precision * result.recall / (result.precision + result.recall))


def test_relations_are_few_sure_and_unlike(compared):
    assert 1 <= len(compared.relations) <= 4
    paths = {tuple(step.text for step in found.evidence.path if step.kind == "word") for found in compared.relations}
    assert len(paths) == len(compared.relations)
    probabilities = [found.probability for found in compared.relations]
    assert probabilities == sorted(probabilities, reverse=True)


def test_report_names_both_corpora_and_all_systems(compared):
    page = render_report(compared, "A title", ["A note."])
    for text in ("A title", "A note.", "abstracts: 40 documents", "fulltext: 40 documents", "random", "ours"):
        assert text in page
