"""The examples in docs/formats are read, so that they stay true."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import relhash
from relhash.corpus.formats import all_formats
from relhash.corpus.tables.columns import COLUMNS, plain_heading

DOCS = Path(__file__).resolve().parents[2] / "docs" / "formats"


def _examples(name: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / name).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("example", _examples("jsonl.md", "json"))
def test_jsonl_examples(tmp_path: Path, example: str) -> None:
    record = json.loads(example)
    (tmp_path / "a.jsonl").write_text(json.dumps(record))
    (document,) = relhash.read(tmp_path / "a.jsonl")
    for mention in document.mentions:
        assert " ".join(document.text[start:end] for start, end in mention.spans) == mention.text
    relhash.write([document], tmp_path / "b.jsonl")
    assert json.loads((tmp_path / "b.jsonl").read_text()) == {"schema": "relhash/1"} | record


@pytest.mark.parametrize("example", _examples("table.md", "csv"))
def test_table_examples(tmp_path: Path, example: str) -> None:
    (tmp_path / "a.csv").write_text(example)
    corpus = relhash.read(tmp_path / "a.csv")
    assert len(corpus) == example.count("\n") - 1
    assert corpus.documents[0].mentions[0].text == "TNF"
    assert corpus.documents[0].relations


def test_every_format_and_column_is_documented() -> None:
    overview, table = (DOCS / "README.md").read_text(encoding="utf-8"), (DOCS / "table.md").read_text(encoding="utf-8")
    for known in all_formats():
        assert f"`{known.name}`" in overview
    headings = plain_heading(table)
    for column in ("text", "label", "id"):
        for heading in COLUMNS[column]:
            assert heading in headings
