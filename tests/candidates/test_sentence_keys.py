from __future__ import annotations

from dataclasses import replace

from relhash.candidates import PairPolicy, candidates
from relhash.candidates.shared_sentences import sentence_hashes, sentence_key
from tests.candidates.drawn_sentences import draw


def test_spacing_punctuation_and_case_do_not_matter():
    here = draw("Ras , binds Raf and MEK", names=["Ras", "Raf", "MEK"])
    there = draw("ras,binds RAF and mek .", names=["ras", "RAF", "mek"], identifier="other")
    else_ = draw("Ras frees Raf", names=["Ras", "Raf"], identifier="else")
    found = list(candidates([here, there, else_]))
    assert {sentence_key(candidate) for candidate in found[:6]} == {"rasbindsrafandmek"}
    hashes = sentence_hashes(found)
    assert len(set(hashes[:6].tolist())) == 1
    assert hashes[6] not in hashes[:6]


def test_a_document_that_is_not_split_is_one_sentence():
    document = replace(draw("Ras binds Raf", names=["Ras", "Raf"]), sentences=())
    (candidate,) = candidates([document], PairPolicy(unsplit="document"))
    assert sentence_key(candidate) == "rasbindsraf"
