"""What a finished cell depends on, by content: the program, what ships with it, the corpora as they were read, the settings.

A version number changes when somebody remembers; content changes by itself. Of the program only what computes counts: comments
and docstrings, and rooms that a result does not pass through (command line, web, reports), do not.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from relhash.bench.datasets.dataset import Dataset
from relhash.bench.protocols import Task
from relhash.bench.systems.system import System
from relhash.corpus import Document
from relhash.resources.inventory import describe_installation

PACKAGE = Path(__file__).resolve().parents[1]
ROOMS = ("candidates", "kernels", "hashing", "learn")
"""Between documents and labels; what comes before shows in the documents themselves."""
RIVALS = "bench/rivals"
FILES = (
    "model/fitting.py", "model/recipe.py", "bench/bench.py", "bench/systems/system.py",
    "bench/systems/kernel_machines.py", "bench/systems/prior.py",
)  # fmt: skip
RESOURCES = ("vectors", "lexicon")


def cell_key(
    system: System, task_fingerprint: str, *, seed: int, draw: int, n_labels: int | None, also: Sequence[str | bool] = ()
) -> str:
    """Identity of a cell: everything that its result depends on."""
    rooms = (*ROOMS, RIVALS) if system.uses_baselines else ROOMS
    described = [*also, program_digest(rooms), _resources(), system.identity, seed, draw, n_labels, task_fingerprint]
    return hashlib.sha256(json.dumps(described, ensure_ascii=False).encode()).hexdigest()[:24]


def task_fingerprint(dataset: Dataset, task: Task) -> str:
    """What a task trains on and what it tests: candidates, labels, and the text and parses of their documents."""
    digest = hashlib.sha256(f"{task.direction} {task.fold}".encode())
    seen: set[int] = set()
    for rows in (task.train, task.test):
        digest.update(f"\n{rows.size} candidates\n".encode())
        for row in rows:
            candidate = dataset.candidates[row]
            digest.update(f"{candidate.key} {dataset.y[row]}\n".encode())
            if id(candidate.document) not in seen:
                seen.add(id(candidate.document))
                digest.update(_content(candidate.document).encode())
    return digest.hexdigest()


def _content(document: Document) -> str:
    """Text, entities and parses as Python writes them: fields of plain frozen records."""
    return repr((document.id, document.text, document.sentences, document.mentions))


@cache
def program_digest(rooms: tuple[str, ...] = ROOMS) -> str:
    """A hash of the rooms' sources without comments and docstrings."""
    digest = hashlib.sha256()
    files = [file for room in rooms for file in sorted((PACKAGE / room).rglob("*.py"))]
    assert all((PACKAGE / room).is_dir() for room in rooms), rooms  # a room that was renamed would count for nothing
    for file in [*files, *(PACKAGE / name for name in FILES)]:
        digest.update(f"\n{file.relative_to(PACKAGE).as_posix()}\n".encode())
        digest.update(without_remarks(file.read_text(encoding="utf-8")).encode())
    return digest.hexdigest()[:16]


def without_remarks(source: str) -> str:
    """What a program does, as a string in which comments, docstrings and layout do not show.

    >>> without_remarks("def f():  # a comment\\n    'A docstring.'\\n    return 1") == without_remarks("def f(): return 1")
    True
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            kept = [one for one in body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
            node.body = kept or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.dump(tree)


@cache
def _resources() -> str:
    return " ".join(one.sha256[:16] for one in describe_installation().resources if one.name in RESOURCES)
