"""Groups of similar words that ship."""

from __future__ import annotations

from pathlib import Path

import pytest

from relhash.biomed.genes.tagger import shipped_gene_tagger
from relhash.candidates.statements import links
from relhash.candidates.statements.links import shipped_word_groups
from relhash.errors import LanguageError


def test_they_are_those_of_the_gene_tagger() -> None:
    assert shipped_word_groups().of == shipped_gene_tagger().model.clusters


def test_similar_words_share_a_group_and_others_do_not() -> None:
    groups = shipped_word_groups()
    assert groups("Inhibits")[1] == groups("suppresses")[1]
    assert groups("inhibits")[1] != groups("patient")[1]
    assert groups("titillates") == ()


def test_a_damaged_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.npz").write_bytes(b"PK")
    monkeypatch.setattr(links, "resource_path", lambda *_: tmp_path / "model.npz")
    with pytest.raises(LanguageError, match="damaged"):
        shipped_word_groups.__wrapped__()
