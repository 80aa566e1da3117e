"""Which candidates count as labelled."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.biomed.grounding import shipped_grounder
from relhash.candidates import PairPolicy, candidates
from relhash.corpus import CandidatePair, Document, Mention, Sentence, read
from relhash.errors import ParameterError
from relhash.learn.labels import are_all_pairs, draw_labelled, example_of, training_labels


@given(st.integers(4, 40), st.integers(2, 20), st.integers(0, 5))
def test_a_draw_has_both_classes_each_candidate_once_and_is_the_same_again(n, positive, seed):
    y = np.arange(60) < positive
    chosen = draw_labelled(y, n, seed)
    assert len(set(chosen.tolist())) == len(chosen) == n
    assert 2 <= y[chosen].sum() <= n - 2
    assert (np.diff(chosen) > 0).all()
    np.testing.assert_array_equal(chosen, draw_labelled(y, n, seed))


def test_draws_are_random():
    y = np.arange(60) < 20
    draws = {tuple(draw_labelled(y, 10, seed).tolist()) for seed in range(20)}
    assert len(draws) == 20
    assert draw_labelled(y, 100, 0).size == 60
    with pytest.raises(ParameterError, match="at least 4"):
        draw_labelled(y, 3, 0)


def test_an_example_shows_eighty_letters_at_most():
    def shown(between):
        text = f"RAF1{between}MEK1"
        names = (Mention("e1", "protein", ((0, 4),), "RAF1"), Mention("e2", "protein", ((len(text) - 4, len(text)),), "MEK1"))
        (one,) = candidates([Document("d", text, (Sentence("s", 0, len(text)),), names)])
        return example_of(one)

    assert shown("x" * 72) == f"“RAF1{'x' * 72}MEK1”"
    assert shown("x" * 73) == f"“RAF1{'x' * 36} … {'x' * 36}MEK1”"


def test_labels_by_key_replace_those_of_the_corpus(abstracts):
    found = list(candidates(abstracts))[:30]
    chosen = {found[5].key: not found[5].is_positive, found[2].key: True}
    labelled, y = training_labels(found, chosen, 0)
    assert labelled.tolist() == [2, 5]
    assert y[5] != found[5].is_positive
    assert y[2]
    everything, gold = training_labels(found, None, 0)
    assert everything.tolist() == list(range(30))
    assert gold.tolist() == [candidate.is_positive for candidate in found]


class TestAllPairs:
    """Whether labels tell how common relations are."""

    def asked(self, documents, labelled=None):
        found = list(candidates(documents))
        rows = np.arange(len(found)) if labelled is None else labelled
        return are_all_pairs(found, rows, PairPolicy())

    def test_an_annotated_corpus_is_complete_whether_it_lists_its_pairs_or_not(self, abstracts):
        listed = [one for one in abstracts if one.candidates is not None]
        for documents in (abstracts, [replace(one, candidates=None) for one in abstracts], listed or abstracts):
            assert self.asked(documents)

    def test_a_draw_is_not(self, abstracts):
        assert not self.asked(abstracts, np.arange(50))

    def test_a_sheet_is_not(self, tmp_path):
        one_row_each = "text,label\n[E1]TNF[/E1] binds [E2]TRAF2[/E2].,1\n[E1]Ras[/E1] and [E2]Raf[/E2] were found.,0\n"
        two_rows = "text,label\n[E1]A1[/E1] binds [E2]B1[/E2] but not C1.,1\n[E1]A1[/E1] binds B1 but not [E2]C1[/E2].,0\n"
        for number, content in enumerate((one_row_each, two_rows)):
            path = tmp_path / f"{number}.csv"
            path.write_text(content)
            assert not self.asked(list(read(path)))

    def test_a_sheet_with_every_pair_of_a_sentence_is(self, tmp_path):
        (tmp_path / "all.csv").write_text(
            "text,label\n[E1]A1[/E1] binds [E2]B1[/E2] but not C1.,1\n[E1]A1[/E1] binds B1 but not [E2]C1[/E2].,0\n"
            "A1 binds [E1]B1[/E1] but not [E2]C1[/E2].,0\n"
        )
        assert self.asked(list(read(tmp_path / "all.csv")))
        open_cell = (tmp_path / "all.csv").read_text().replace("[/E2].,0\n", "[/E2].,\n")
        (tmp_path / "open.csv").write_text(open_cell)
        documents = list(read(tmp_path / "open.csv"))
        found = list(candidates(documents))
        assert not are_all_pairs(found, training_labels(found, None, 0)[0], PairPolicy())

    def test_two_names_of_one_thing_are_no_pair_that_must_be_listed(self):
        """p65 is RELA: only ids tell it, and they are looked up where a pair is missing, and where three are counted."""
        text = "RELA binds MEK1 and RAF1, and p65 is cleaved."
        names = ["RELA", "MEK1", "RAF1", "p65"]
        mentions = tuple(Mention(name, "protein", ((text.index(name), text.index(name) + len(name)),), name) for name in names)
        sentence = Sentence("s", 0, len(text))
        pairs = [pair for pair in combinations(names, 2) if pair != ("RELA", "p65")]
        listed = tuple(CandidatePair("-".join(pair), *pair) for pair in pairs)
        document = Document("d", text, (sentence,), mentions, candidates=listed)
        found, rows = list(candidates([document])), np.arange(5)
        assert not are_all_pairs(found, rows, PairPolicy())
        assert are_all_pairs(found, rows, PairPolicy(), grounded=shipped_grounder())
        pairs = [CandidatePair("-".join(pair), *pair) for pair in combinations(("RELA", "RAF1", "p65"), 2)]
        three = list(candidates([replace(document, mentions=mentions[:1] + mentions[2:], candidates=tuple(pairs))]))
        assert are_all_pairs(three, np.arange(3), PairPolicy())
        assert not are_all_pairs(three, np.arange(3), PairPolicy(), grounded=shipped_grounder())
