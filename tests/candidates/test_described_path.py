"""The path in its context with the descriptors as symbols."""

from __future__ import annotations

from hypothesis import given, settings

from relhash.candidates import PairPolicy, build_structures, candidates, is_symbol, view
from relhash.candidates.descriptors import COLUMNS, descriptors
from relhash.candidates.views import descriptor_symbols
from tests.candidates.any_sentences import documents
from tests.candidates.shown_views import NEGATED, show

NAME = "path+context+descriptors"


def test_what_holds_follows_the_path_in_its_context():
    path = show("path+context", NEGATED)
    shown = show(NAME, NEGATED)
    assert shown.startswith(f"{path} ")
    said = shown.removeprefix(f"{path} ").split()
    assert {"<negation_between>", "<binding_between>", "<log_entities=2>", "<log_words_between=4>"} <= set(said)
    assert "<followed_by_comma>" not in said


def test_levels_of_counts_and_of_shares():
    row = dict.fromkeys(COLUMNS, 0.0) | {"log_words": 2.0794415416798357, "share_of_words_before": 0.5, "name_likeness": 0.1}
    assert list(descriptor_symbols(list(row.values()))) == ["<log_words=3>", "<share_of_words_before=2>"]


@settings(max_examples=50)
@given(documents())
def test_symbols_are_those_of_the_descriptors_one_candidate_at_a_time_or_all_together(document):
    found = list(candidates([document], PairPolicy(self_pairs=True)))
    together = build_structures(found, [NAME, "path+context"]) if found else {NAME: []}
    for number, (candidate, row) in enumerate(zip(found, descriptors(found), strict=True)):
        sequence = view(NAME)(candidate)
        assert sequence == list(together[NAME][number])
        said = list(descriptor_symbols(row.tolist()))
        assert sequence == [*together["path+context"][number], *said]
        assert all(map(is_symbol, said))
