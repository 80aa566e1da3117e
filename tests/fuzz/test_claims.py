"""Claims, recipes and what else a command is given beside its text, damaged: read, or refused with an error of ours."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from relhash.cli.main import read_config
from relhash.kernels.word_vectors import load_vectors
from relhash.language import Lexicon
from relhash.model.answers.answer import read_answers
from relhash.model.checking.rows import read_claims
from relhash.model.recipe import Recipe, preset
from tests.fuzz.mutations import ROUNDS, mutated, survived

CLAIM = {"sentence": "RAF1 binds to MEK1.", "subject": "RAF1", "object": "MEK1", "type": "binds", "subject_ids": ["HGNC:9829"]}
AGENTS = [{"name": name, "db_refs": {"HGNC": number, "TEXT": name}} for name, number in (("RAF1", "9829"), ("MEK1", "6840"))]
INDRA = [{"type": "Complex", "members": AGENTS, "evidence": [{"text": "RAF1 binds to MEK1.", "pmid": "1"}], "id": "a"}]
SEEDS = {
    "a.jsonl": [f"{json.dumps(CLAIM)}\n{json.dumps(CLAIM)}\n".encode()],
    "a.json": [json.dumps(INDRA).encode(), json.dumps([CLAIM]).encode()],
    "a.tsv": [b"subject\tobject\ttype\tsentence\nRAF1\tMEK1\tbinds\t[E1]RAF1[/E1] binds to [E2]MEK1[/E2].\n"],
    "a.toml": [preset("best").to_toml().encode(), b'base = "best"\nviews = ["path"]\n[learner]\nn_bits = 20\n'],
    "config.toml": [b'[serve]\nport = 8000\n[predict]\ntypes = "protein"\n'],
    "answers.jsonl": [b'{"key": "k1", "answer": "yes", "draw": 0.1}\n{"key": "k2", "answer": "no", "draw": null}\n'],
    "answers.tsv": [b"answer\tkey\tdraw\tentity1\nyes\tk1\t0.1\tRAF1\n\tk2\t\t\nentity wrong\tk3\t\tMEK1\n"],
    "lexicon.tsv": ["RAF1\tHGNC:9829\tprotein\n# a remark\nα-Syn\tUniProt:P37840\n".encode()],
    "vectors.txt": [b"binds 0.5 1\ninhibits 1 0\n", b"2 2\nbinds 0.5 1\ninhibits 1 0\n"],
    "vectors.bin": [b"2 2\nbinds " + struct.pack("<2f", 0.5, 1) + b"\nto " + struct.pack("<2f", 1, 0) + b"\n"],
}
READ: dict[str, Callable[[Path], object]] = {
    "a.toml": Recipe.read,
    "config.toml": lambda path: read_config(str(path)),
    "answers.jsonl": read_answers,
    "answers.tsv": read_answers,
    "lexicon.tsv": lambda path: Lexicon.read(path).entries,
    "vectors.txt": load_vectors,
    "vectors.bin": load_vectors,
}
USUAL = {"a.toml": 100, "config.toml": 30}
"""Inputs in the default suite, where they are not 300: they are checked as a whole, which is slow."""


@pytest.mark.parametrize("name", SEEDS)
def test_damaged_claims_and_recipes_are_read_or_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    read = READ.get(name, lambda path: [list(group) for group in read_claims(path).groups])
    for seed in SEEDS[name]:
        path.write_bytes(seed)
        assert read(path)
    survived(path, mutated(SEEDS[name], ROUNDS or USUAL.get(name, 300), seed=len(name)), lambda _: read(path))
