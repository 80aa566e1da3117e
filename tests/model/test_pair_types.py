"""Which types of entities a model pairs."""

from __future__ import annotations

from relhash.candidates import PairPolicy, candidates
from relhash.corpus import Document, Mention
from relhash.model.fitted import PairTypes

WHOLE = PairPolicy(unsplit="document")


def document(*types: str) -> Document:
    mentions = tuple(Mention(f"T{n}", kind, ((2 * n, 2 * n + 1),), "abcd"[n]) for n, kind in enumerate(types))
    return Document("d", "a b c d", mentions=mentions)


def test_pairs_of_types_that_were_never_paired():
    """A model of drugs and diseases says nothing of two drugs, but reads a corpus with types of its own."""
    seen = PairTypes.of(candidates([document("Drug", "disease")], WHOLE), WHOLE)
    kept = [c for c in candidates([document("chemical", "Drug", "cancer")], WHOLE) if seen.allow(c)]
    assert [sorted(m.text for m in c.mentions) for c in kept] == [["a", "c"], ["b", "c"]]
    assert all(seen.allow(c) for c in candidates([document("planet", "star")], WHOLE))


def test_a_policy_that_names_its_types_decides_alone():
    named = PairPolicy([("protein", "chemical")], unsplit="document")
    seen = PairTypes.of(candidates([document("protein", "chemical")], named), named)
    assert seen.pairs is None
    assert all(seen.allow(c) for c in candidates([document("protein", "protein")], WHOLE))


def test_pairs_come_back_from_a_list():
    seen = PairTypes.of(candidates([document("Drug", "disease", "protein")], WHOLE), WHOLE)
    assert PairTypes.from_list(seen.as_list()) == seen
    assert PairTypes.from_list(None) == PairTypes()
