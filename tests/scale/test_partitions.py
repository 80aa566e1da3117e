"""Every document is in one partition, whatever their size; what cannot be read is told once."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.errors import CorpusError, ParameterError
from relhash.scale import partitions
from relhash.scale.dataset import _sample
from relhash.scale.partitions import InputFile, Partition, cut, find_files

ARTICLE = (
    "<PubmedArticle><MedlineCitation><PMID>{0}</PMID><Article><ArticleTitle>A{0} binds B.</ArticleTitle></Article>"
    "</MedlineCitation></PubmedArticle>"
)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=8), st.integers(1, 12))
def test_partitions_hold_every_document_once_and_in_order(counts, size):
    files = [InputFile(f"{number}", "jsonl", 1) for number in range(len(counts))]
    partitions = cut(files, counts, size)
    covered = [(one.file.path, n) for part in partitions for one in part.slices for n in range(one.first, one.stop)]
    assert covered == [(file.path, n) for file, count in zip(files, counts, strict=True) for n in range(count)]
    assert all(part.n_documents == size for part in partitions[:-1])
    assert [part.number for part in partitions] == list(range(len(partitions)))
    last = [one.file.path for part in partitions for one in part.slices if one.is_last]
    assert last == [file.path for file in files]  # somebody reads each file to its end
    assert [Partition.from_dict(json.loads(json.dumps(asdict(part)))) for part in partitions] == partitions


def test_files_of_all_kinds_are_found(tmp_path):
    with gzip.open(tmp_path / "pubmed01.xml.gz", "wt") as handle:
        articles = "".join(ARTICLE.format(n) for n in range(3))
        handle.write(f'<?xml version="1.0"?><PubmedArticleSet>{articles}</PubmedArticleSet>')
    (tmp_path / "more").mkdir()
    (tmp_path / "more/a.jsonl").write_text('{"id": "a", "text": "Ras binds Raf."}\n')
    (tmp_path / "more/b.jsonl").write_text('{"id": "b", "text": "Ras binds Raf."}\n')
    pq.write_table(pa.table({"pmid": [7, 8], "text": ["One.", "Two."]}), tmp_path / "t.parquet")
    files = find_files([tmp_path / "*.xml.gz", tmp_path / "more", tmp_path / "t.parquet"])
    assert [(Path(file.path).name, file.format) for file in files] == [
        ("pubmed01.xml.gz", "pubmed-xml"), ("a.jsonl", "jsonl"), ("b.jsonl", "jsonl"), ("t.parquet", "parquet"),
    ]  # fmt: skip
    assert [document.id for file in files for document in file.documents()] == ["0", "1", "2", "a", "b", "7", "8"]
    with pytest.raises(CorpusError, match="no file fits"):
        find_files([tmp_path / "*.nothing"])
    with pytest.raises(ParameterError, match="standard input"):
        find_files([Path("-")])


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_a_broken_document_is_told_by_one_partition(tmp_path, size):
    lines = ['{"id": "0", "text": "A."}', "{broken", '{"id": "1", "text": "B."}', '{"id": "2", "text": "C."}', "{broken too"]
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(lines) + "\n")
    (file,) = find_files([path])
    read, told = [], []
    for partition in cut([file], [3], size):
        read += [document.id for document in partition.documents(told)]
    assert read == ["0", "1", "2"]
    assert [problem["error"].partition(": ")[0] for problem in told] == [f"{path}:2", f"{path}:5"]


def test_a_file_without_one_good_document_costs_itself(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text("{broken\n")
    (file,) = find_files([path])
    (partition,), told = cut([file], [0], 10), []
    assert list(partition.documents(told)) == []
    assert len(told) == 1


def test_files_are_counted_together_up_to_the_bound_and_not_beyond(monkeypatch):
    monkeypatch.setattr(partitions, "BYTES_AT_A_TIME", 10)
    files = [InputFile(name, "jsonl", size) for name, size in (("a", 4), ("b", 6), ("c", 1), ("d", 10), ("e", 11), ("f", 1))]
    assert ["".join(one.path for one in group) for group in partitions._groups(files)] == ["ab", "c", "d", "e", "f"]


@pytest.mark.parametrize("size", [1600, 100])
def test_codes_are_learned_from_few_documents_of_all_the_text(tmp_path, size):
    path = tmp_path / "many.jsonl"
    path.write_text("".join(f'{{"id": "{n}", "text": "RAF1 binds MEK1."}}\n' for n in range(1600)), encoding="utf-8")
    read = [int(document.id) for document in _sample(cut(find_files([path]), [1600], size))]
    assert 200 <= len(read) <= 256
    assert min(read) < 100
    assert max(read) >= 1500
