"""relhash hash: codes as rows and as arrays."""

from __future__ import annotations

import json

import numpy as np

from tests.cli.running import rows_of, run


def test_hash_as_rows_and_as_arrays(raw_model, folder, tmp_path, capsys):
    code, out, _ = run(capsys, "hash", raw_model, folder / "raw.txt", "--bits")
    assert code == 0
    rows = rows_of(out)
    assert [row["entity2"] for row in rows] == ["MEK1", "JAK2"]
    code, _, err = run(capsys, "hash", raw_model, folder / "raw.txt", "-o", tmp_path / "codes.npz")
    assert code == 0
    assert "2 codes of 100 bits" in err
    from relhash.hashing.hamming import unpack

    with np.load(tmp_path / "codes.npz") as stored:
        bits = unpack(stored["codes"], int(stored["n_bits"]))
        assert stored["keys"].tolist() == ["raw|raw.p0|raw.p1", "raw|raw.p2|raw.p3"]
    assert ["".join(map(str, code)) for code in bits] == [row["code"] for row in rows]
    _, hexadecimal, _ = run(capsys, "hash", raw_model, folder / "raw.txt", "--json")
    assert [bin(int("1" + row["code"], 16))[3:103] for row in json.loads(hexadecimal)] == [row["code"] for row in rows]


def test_several_inputs(raw_model, folder, tmp_path, capsys):
    (tmp_path / "more.txt").write_text("RAF1 binds to MEK1.")
    _, out, _ = run(capsys, "hash", raw_model, folder / "raw.txt", tmp_path / "more.txt")
    assert [(row["document"], row["entity2"]) for row in rows_of(out)] == [("raw", "MEK1"), ("raw", "JAK2"), ("more", "MEK1")]


def test_hash_to_an_unknown_format(raw_model, folder, tmp_path, capsys):
    code, _, err = run(capsys, "hash", raw_model, folder / "raw.txt", "-o", tmp_path / "codes.xyz")
    assert code == 2
    assert "xyz" in err
