"""The prior of a protocol shares neither papers nor sentences with its corpora."""

from __future__ import annotations

import pytest

from relhash.bench.protocols import protocol
from relhash.bench.runner import run_protocol
from relhash.bench.systems.prior_votes import protocol_prior, without_leakage
from relhash.candidates.shared_sentences import plain_text
from relhash.corpus import Document, Sentence
from relhash.errors import ParameterError


def test_known_papers_and_sentences_are_left_out():
    known = "MEK was shown to bind to ERK in resting cells."
    split = Document("s", f"Ras binds Raf. {known}", (Sentence("s1", 0, 14), Sentence("s2", 15, 15 + len(known))))
    given = [Document("9000001", "Other text."), split, Document("w", f"Yes: {known}"), Document("k", "p53 binds MDM2.")]
    kept, of_papers, of_sentences = without_leakage(given, {"PMID9000001"}, {plain_text(known)})
    assert [document.id for document in kept] == ["k"]
    assert (of_papers, of_sentences) == (1, 2)


def test_a_heading_is_in_every_text():
    text = "Results and discussion. It binds Raf."
    kept, _, _ = without_leakage([Document("a", text)], set(), {plain_text("Results and discussion")})
    assert len(kept) == 1


@pytest.mark.usefixtures("small_systems")
def test_parses_of_files_have_no_prior(toy_data):
    with pytest.raises(ParameterError, match="--parses embedded"):
        run_protocol(protocol("ppi-cross"), data=toy_data, systems=["prior"], seeds=1)
    assert callable(protocol_prior)
