"""The lexicon and the rule that merges sources of entities."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import CorpusError
from relhash.language import Lexicon, LexiconEntry, entity_type
from relhash.language.annotation import PredictedMention
from relhash.language.entities import resolved


def tokens(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]


def test_lexicons_of_the_same_names_are_one():
    assert len({Lexicon((LexiconEntry("Ras", "HGNC:5173"),)) for _ in range(2)}) == 1


def found(lexicon: Lexicon, text: str) -> list[str]:
    return [text[m.start : m.end] for m in lexicon.matches(text, tokens(text))]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("insulin", "Insulin and INSULIN, insulins", ["Insulin", "INSULIN"]),
        ("Ras", "Ras ras RAS", ["Ras"]),
        ("MAPK", "MAPK mapk", ["MAPK"]),
        ("p53", "P53 p53 p53-null", ["p53", "p53"]),
        ("NF kappa B", "NF-kappa B and NF kappa-B", ["NF-kappa B", "NF kappa-B"]),
        ("IL-2", "IL-2 receptor, IL 2, IL-20", ["IL-2", "IL 2"]),
        ("TGF-β", "TGF-β TGF-α", ["TGF-β"]),
        ("tumor necrosis factor", "Tumor necrosis factor alpha", ["Tumor necrosis factor"]),
    ],
)
def test_case_and_hyphens(name, text, expected):
    assert found(Lexicon((LexiconEntry(name),)), text) == expected


def test_the_longest_name_wins():
    lexicon = Lexicon((LexiconEntry("tumor necrosis factor", "A"), LexiconEntry("tumor necrosis factor receptor", "B")))
    text = "tumor necrosis factor receptor binds tumor necrosis factor"
    assert [m.ids for m in lexicon.matches(text, tokens(text))] == [("B",), ("A",)]


def test_ids_of_one_name_are_all_kept():
    lexicon = Lexicon((LexiconEntry("actin", "A"), LexiconEntry("Actin", "B"), LexiconEntry("actin", "A")))
    (mention,) = lexicon.matches("actin", [(0, 5)])
    assert mention.ids == ("A", "B")


def test_a_name_must_end_with_a_token():
    assert Lexicon((LexiconEntry("actin"),)).matches("actin2", [(0, 6)]) == []


def test_reading_a_file(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text(
        "\ufeff# name\tid\ttype\nRas\tUniProt:P01112\tGene\naspirin\tCHEBI:15365\tChemical\n\nRaf\n", encoding="utf-8"
    )
    assert Lexicon.read(path).entries == (
        LexiconEntry("Ras", "UniProt:P01112", "protein"),
        LexiconEntry("aspirin", "CHEBI:15365", "chemical"),
        LexiconEntry("Raf", "", "protein"),
    )


def test_errors_name_file_and_line(tmp_path):
    path = tmp_path / "names.tsv"
    path.write_text("Ras\tX\n\tY\n", encoding="utf-8")
    with pytest.raises(CorpusError, match=r"names\.tsv:2: no name"):
        Lexicon.read(path)
    path.write_bytes("Interféron".encode("latin-1"))
    with pytest.raises(CorpusError, match="UTF-8"):
        Lexicon.read(path)
    with pytest.raises(CorpusError, match="cannot be read"):
        Lexicon.read(tmp_path / "absent.tsv")


spans = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 8)).map(lambda s: PredictedMention(s[0], s[0] + s[1], "protein")), max_size=8
)


@given(spans, spans, spans)
def test_merged_mentions_never_overlap(given_mentions, lexicon, model):
    fixed = [(mention.start, mention.end) for mention in given_mentions]
    merged = resolved(fixed, lexicon, model)
    assert merged == sorted(merged, key=lambda m: m.start)
    for first, second in itertools.pairwise(merged):
        assert first.end <= second.start
    for mention in merged:
        assert all(mention.end <= start or end <= mention.start for start, end in fixed)
    # nothing is dropped without a reason: each source mention overlaps something that was chosen or given
    for mention in (*lexicon, *model):
        taken = [*fixed, *((m.start, m.end) for m in merged)]
        assert any(mention.start < end and start < mention.end for start, end in taken)


def test_types_by_any_name():
    assert {entity_type(name) for name in ("Gene", "PROTEIN", "GGP", "gene_or_gene_product")} == {"protein"}
    assert entity_type("Cell_Type") == entity_type("CellLine") == "cell"
