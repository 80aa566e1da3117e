"""Tables of texts: title and abstract become a document."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.corpus import Document, Passage
from relhash.errors import CorpusError
from tests.corpus.tables.written_tables import read_table


@pytest.mark.parametrize(
    "header",
    ["pmid,title,abstract", "PMID,ArticleTitle,AbstractText", "doi,Title,Abstract", "id,titre,résumé", "Doc,Titel,abstract"],
)
def test_title_and_abstract(tmp_path: Path, header: str) -> None:
    first, second = read_table(tmp_path, f'{header}\n7,A title.,"An abstract,\r\nin two lines."\n8,Only a title.,\n')
    assert first == Document(
        "7", "A title.\nAn abstract,\nin two lines.", passages=(Passage("title", 0, 8), Passage("abstract", 9, 35))
    )
    assert second == Document("8", "Only a title.", passages=(Passage("title", 0, 13),))


def test_text_with_and_without_ids(tmp_path: Path) -> None:
    assert read_table(tmp_path, "text\nRAF1 binds MEK1.\n") == (Document("a:2", "RAF1 binds MEK1."),)
    (document,) = read_table(tmp_path, "pmid,doi,text\n,10.1/x,One.\n,10.1/x,Two.\n,10.1/x,One.\n")
    assert (document.id, document.text) == ("10.1/x", "One.\nTwo.")


def test_a_row_without_text_is_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"a\.csv:3: the row has no text"):
        read_table(tmp_path, "pmid,title,abstract\n1,x,y\n2,,\n")
