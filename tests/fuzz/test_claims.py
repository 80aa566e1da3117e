"""Claims and recipes that are damaged: read, or refused with an error of ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

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
}
READ: dict[str, Callable[[Path], object]] = {".toml": Recipe.read}
USUAL = {"a.toml": 100}
"""Inputs in the default suite, where they are not 300: a recipe is checked as a whole, which is slow."""


@pytest.mark.parametrize("name", SEEDS)
def test_damaged_claims_and_recipes_are_read_or_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    read = READ.get(path.suffix, lambda path: [list(group) for group in read_claims(path).groups])
    for seed in SEEDS[name]:
        path.write_bytes(seed)
        assert read(path)
    survived(path, mutated(SEEDS[name], ROUNDS or USUAL.get(name, 300), seed=len(name)), lambda _: read(path))
