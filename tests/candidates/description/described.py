"""The descriptors of one candidate by the names of their columns."""

from __future__ import annotations

from relhash.candidates import PairPolicy, candidates, descriptors
from relhash.candidates.descriptors import COLUMNS
from tests.candidates.drawn_sentences import draw

ALL_PAIRS = PairPolicy(synonym_pairs=True)
"""Two names of one thing are described like any other pair, where a corpus lists them."""


def describe(document, number=0):
    found = list(candidates([document], ALL_PAIRS))[number : number + 1]
    return dict(zip(COLUMNS, descriptors(found)[0].tolist(), strict=True))


SENTENCE = draw(
    "Ras ( p21 ) does not bind the inhibitory subunit of Raf and MEK",
    "Ras appos p21, bind nsubj Ras, bind aux does, bind neg not, bind dobj subunit, subunit amod inhibitory, subunit det the, "
    "subunit prep_of Raf, subunit prep_of MEK, Raf conj_and MEK",
    ["Ras", "p21", "Raf", "MEK"],
    tags="NN -LRB- NN -RRB- VBZ RB VB DT JJ NN IN NN CC NN",
)
