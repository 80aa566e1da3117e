"""What PubMed's page saves: fields with tags, continued lines, several articles in one file."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import relhash
from relhash.corpus.document import Passage
from tests.corpus.reader_contract import ReaderContract

BOTH = """
PMID- 11780382
OWN - NLM
STAT- MEDLINE
DP  - 2001 Dec 14
TI  - Binding of TNF to
      p53 in café cells.
AB  - BACKGROUND: TNF - as known - is
      bound. RESULTS: It binds p53.
FAU - Smith, A
AU  - Smith A
AD  - Somewhere.
TA  - J Test

PMID- 2
OWN - NLM
TI  - A title alone.
"""


class TestMedlineReader(ReaderContract):
    format = "medline"
    filename = "pubmed-TNF-set.txt"
    sample = BOTH
    broken: ClassVar = {
        "a line that is no field": (BOTH.replace("OWN - NLM\nSTAT", "no field\nSTAT"), 3),
        "no PMID": ("TI  - A title.\nAB  - Text.\n", 1),
        "an empty PMID": (BOTH.replace("PMID- 2", "PMID-"), 15),
    }
    one_of_two_is_broken = BOTH.replace("OWN - NLM\nTI  - A title", "no field\nTI  - A title")


def test_title_and_abstract_are_the_text(tmp_path: Path) -> None:
    path = tmp_path / "citations.nbib"
    path.write_text(BOTH, encoding="utf-8")
    first, second = relhash.read(path)
    title = "Binding of TNF to p53 in café cells."
    assert (first.id, first.text) == ("11780382", f"{title}\nBACKGROUND: TNF - as known - is bound. RESULTS: It binds p53.")
    assert first.passages == (Passage("title", 0, len(title)), Passage("abstract", len(title) + 1, len(first.text)))
    assert first.metadata == {"journal": "J Test", "year": "2001"}
    assert (second.id, second.text) == ("2", "A title alone.")
