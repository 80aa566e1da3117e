"""Tables of codes are read back as they were hashed, whatever the format; what is no code is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from relhash.errors import CorpusError
from relhash.hashing.codes import pack
from relhash.models.tables import write_rows
from relhash.scale.code_table import read_code_table

BITS = hnp.arrays(np.uint8, st.tuples(st.integers(1, 6), st.integers(3, 140)), elements=st.integers(0, 1))
COLUMNS = ("document", "code", "marked", "model_version")


def _table(path: Path, texts: list[str], version: str = "1") -> Path:
    rows = [
        {"document": f"d{number}", "code": text, "marked": f"sentence {number}", "model_version": version}
        for number, text in enumerate(texts)
    ]
    write_rows(iter(rows), path, path.suffix.removeprefix("."), COLUMNS)
    return path


@given(bits=BITS, as_bits=st.booleans())
def test_codes_are_read_back(tmp_path_factory, bits, as_bits):
    texts = ["".join(map(str, code)) if as_bits else np.packbits(code).tobytes().hex() for code in bits]
    path = _table(tmp_path_factory.mktemp("codes") / "codes.tsv", texts)
    table = read_code_table(path, bits.shape[1])
    assert (table.codes == pack(bits)).all()
    assert table.versions == {"1"}


@pytest.mark.parametrize("suffix", ["tsv", "csv", "jsonl", "parquet"])
def test_rows_are_fetched_by_number(tmp_path, suffix):
    if suffix == "parquet":
        pytest.importorskip("pyarrow")
    table = read_code_table(_table(tmp_path / f"codes.{suffix}", ["00ff", "a0b1", "ffff"]))
    assert table.codes.tolist() == [[0xFF00], [0x8D05], [0xFFFF]]
    assert {number: row["marked"] for number, row in table.rows([2, 0, 2]).items()} == {0: "sentence 0", 2: "sentence 2"}


def test_arrays(tmp_path):
    np.savez(
        tmp_path / "codes.npz", codes=np.array([[5], [6]], np.uint64), n_bits=np.int64(3), keys=np.array(["d|a|b", "d|a|c"])
    )
    table = read_code_table(tmp_path / "codes.npz", 3)
    assert table.codes.tolist() == [[5], [6]]
    assert table.rows([1]) == {1: {"marked": "d|a|c"}}
    with pytest.raises(CorpusError, match="64 bits, those of the model 65"):
        read_code_table(tmp_path / "codes.npz", 65)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["00ff", "zz00"], r"codes\.tsv:3: 'zz00' is not a code"),
        (["00ff", "00"], r"codes\.tsv:3: its code is not as long"),
        ([], "no codes in it"),
        (["00ff00"], "24 bits, those of the model 16"),
        (["00ff", ""], r"codes\.tsv:3: there is no code"),
    ],
)
def test_what_is_no_code_is_refused(tmp_path, texts, message):
    with pytest.raises(CorpusError, match=message):
        read_code_table(_table(tmp_path / "codes.tsv", texts), 16)


def test_a_damaged_archive_of_codes(tmp_path, monkeypatch):
    """A byte that had turned was a traceback of zipfile or zlib, and nothing bounded what was unpacked."""
    from relhash.structures import npz

    path = tmp_path / "codes.npz"
    arrays = {"codes": np.arange(2000, dtype=np.uint64)[:, None], "keys": np.array([f"d|{n}" for n in range(2000)])}
    np.savez_compressed(path, **arrays)
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            read_code_table(path)
        except CorpusError:
            continue
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CorpusError, match="cannot be read as codes"):
        read_code_table(path)
    with path.open("wb") as handle:
        np.save(handle, arrays["codes"])  # no archive, but numpy reads it
    with pytest.raises(CorpusError, match="cannot be read as codes"):
        read_code_table(path)
    np.savez_compressed(path, codes=np.zeros((1 << 18, 1), np.uint64), keys=np.zeros(1 << 18, np.uint8))
    assert len(read_code_table(path)) == 1 << 18
    monkeypatch.setattr(npz, "ALWAYS_ALLOWED", 1 << 20)
    with pytest.raises(CorpusError, match="unpacks to 2,3"):
        read_code_table(path)


def test_a_column_of_something_else(tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    import pyarrow as pa

    for codes in ([["0", "a"]], [b"0a"], [10]):
        pq.write_table(pa.table({"code": codes}), tmp_path / "codes.parquet")
        with pytest.raises(CorpusError, match="there is no code"):
            read_code_table(tmp_path / "codes.parquet")


def test_files_that_are_something_else(tmp_path):
    (tmp_path / "codes.npz").write_bytes(b"no archive")
    with pytest.raises(CorpusError, match="cannot be read as codes"):
        read_code_table(tmp_path / "codes.npz")
    with pytest.raises(CorpusError, match="no such file"):
        read_code_table(tmp_path / "missing.tsv")
