"""Finished cells, and the files that keep them: an interrupted run goes on where it stopped, and every table can be made again.

A cell keeps what its figures are made of: the label of each test candidate, and the ranks of their scores (all that AUC,
average precision and the best threshold depend on). Which candidates these are, with gold labels and documents, stands in a
file of test sets beside it. Its key is what it depends on, by content: the program, what ships with it, the corpora as they
were read, the settings. Of the program only what computes counts: not comments, docstrings, command line, web, reports.
"""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from relhash.bench.datasets.dataset import Dataset
from relhash.bench.protocols import PROTOCOLS, Protocol, Task
from relhash.bench.systems.listed import SYSTEMS, is_system, system
from relhash.bench.systems.system import System
from relhash.corpus import Document
from relhash.errors import DataMissingError, ParameterError
from relhash.files import replacing
from relhash.resources.inventory import describe_installation

TESTS = ".tests.json.gz"


@dataclass(frozen=True, eq=False)
class TestSet:
    """One test set: a direction, or a fold of one."""

    __test__ = False  # not for pytest

    direction: str
    fold: int
    keys: Sequence[str]
    y: NDArray[np.bool_]
    documents: NDArray[Any]

    @classmethod
    def of(cls, dataset: Dataset, task: Task) -> TestSet:
        """The test set of a task."""
        keys = [dataset.candidates[row].key for row in task.test]
        return cls(task.direction, task.fold, keys, dataset.y[task.test], dataset.documents[task.test])


def write_tests(path: Path, protocol: str, tests: Sequence[TestSet], about: dict[str, Any]) -> None:
    """Write test sets, and ``about``: what else is to be said with the tables."""
    stored = []
    for test in tests:
        names, place = np.unique(test.documents, return_inverse=True)
        stored.append(
            {
                "direction": test.direction, "fold": test.fold, "keys": list(test.keys), "documents": names.tolist(),
                "document_of": place.tolist(), "n": int(test.y.size),
                "gold": base64.b64encode(np.packbits(test.y).tobytes()).decode(),
            }
        )  # fmt: skip
    text = json.dumps({"protocol": protocol, **about, "tests": stored}, ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, "wb") as handle:
        handle.write(gzip.compress(text.encode(), 9, mtime=0))


def read_tests(path: Path) -> tuple[dict[str, Any], list[TestSet]]:
    """The inverse of :func:`write_tests`."""
    try:
        stored = json.loads(gzip.decompress(path.read_bytes()))
        tests = [
            TestSet(
                one["direction"],
                one["fold"],
                one["keys"],
                np.unpackbits(np.frombuffer(base64.b64decode(one["gold"]), np.uint8), count=one["n"]).astype(bool),
                np.array(one["documents"])[one["document_of"]],
            )
            for one in stored.pop("tests")
        ]
    except (OSError, ValueError, KeyError, EOFError) as error:
        raise DataMissingError(f"{path}: not a file of test sets ({error}); run the benchmark again with -o") from error
    return stored, tests


CELLS = ".cells.jsonl"
"""What the name of a file of cells ends with; one that is kept with published tables may be packed (``.gz``)."""


@dataclass
class Cell:
    """The result of one run: what it was, its figures by variant, and what they were made of.

    Attributes
    ----------
    group
        What this run shares with others: the seed of its codes, or its own number where it has none. Runs of one group are
        resampled together.
    given, ranks
        The label and the rank of the score of each test candidate (equal scores have equal ranks).
    made
        Commit and day.
    chosen
        The classifier that the training side chose, where there was a choice.
    """

    system: str
    direction: str
    fold: int
    seed: int
    labels: int | None
    seconds: float
    figures: dict[str, dict[str, Any]]
    given: NDArray[np.bool_] | None = None
    ranks: NDArray[np.uint32] | None = None
    group: int | None = None
    made: str = ""
    chosen: str = ""

    def to_json(self, key: str) -> str:
        stored = {**asdict(self), "key": key}
        if self.given is not None:
            packed = np.packbits(self.given).tobytes()
            stored["given"] = {"n": int(self.given.size), "bits": base64.b64encode(packed).decode()}
        if self.ranks is not None:
            narrow = self.ranks.astype(np.min_scalar_type(int(self.ranks.max(initial=0))))
            packed = zlib.compress(narrow.tobytes(), 9)
            stored["ranks"] = {"type": str(narrow.dtype), "zlib": base64.b64encode(packed).decode()}
        return json.dumps(stored, ensure_ascii=False)

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Cell:
        given, ranks = stored.pop("given"), stored.pop("ranks", None)
        if given is not None:
            packed = np.frombuffer(base64.b64decode(given["bits"]), np.uint8)
            given = np.unpackbits(packed, count=given["n"]).astype(bool)
        if ranks is not None:
            ranks = np.frombuffer(zlib.decompress(base64.b64decode(ranks["zlib"])), ranks["type"]).astype(np.uint32)
        return cls(**stored, given=given, ranks=ranks)


def ranks_of(scores: NDArray[np.float64]) -> NDArray[np.uint32]:
    """The rank of each score among the distinct ones, from 0 for the lowest.

    >>> ranks_of(np.array([.5, .1, .5, .9])).tolist()
    [1, 0, 1, 2]
    """
    return np.unique(scores, return_inverse=True)[1].astype(np.uint32)


def read_lines(path: Path) -> list[str]:
    """The lines of a file that may be packed."""
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8").splitlines()


class CellFile:
    """Finished cells as lines of files, one file per protocol; a last line that was cut off by an interruption is ignored.

    ``finished`` also has the cells that other protocols left in the folder.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.finished: dict[str, Cell] = {}
        self._own: set[str] = set()
        known = [] if path is None else [*path.parent.glob(f"*{CELLS}.gz"), *path.parent.glob(f"*{CELLS}")]
        for file in sorted(known):
            cells = read_cells(file)
            self.finished |= cells
            if path is not None and file.name.removesuffix(".gz") == path.name:
                self._own |= cells.keys()

    def taken(self, key: str) -> Cell:
        """A finished cell; one that another protocol left is written into the own file, which is then complete by itself."""
        if key not in self._own:
            self.add(key, self.finished[key])
        return self.finished[key]

    def add(self, key: str, cell: Cell) -> None:
        self.finished[key] = cell
        self._own.add(key)
        if self.path is not None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            ends_clean = not self.path.exists() or self.path.read_bytes()[-1:] in (b"", b"\n")
            with self.path.open("a", encoding="utf-8") as handle:
                handle.write(("" if ends_clean else "\n") + cell.to_json(key) + "\n")


def read_cells(file: Path) -> dict[str, Cell]:
    """The cells of a file by their keys."""
    cells = {}
    for line in read_lines(file):
        try:
            stored: Mapping[str, Any] = json.loads(line)
            key = stored["key"]
            cells[key] = Cell.from_json({name: value for name, value in stored.items() if name != "key"})
        except (ValueError, KeyError, TypeError, zlib.error):
            continue
    return cells


@dataclass
class Run:
    """The test sets, the systems as they ran, their cells, and what is to be said of them.

    ``parsed_by`` is the pipeline whose parses were used, empty for those of the files. A run that is read from its files has no
    ``dataset``.
    """

    protocol: Protocol
    tests: list[TestSet]
    systems: list[System]
    cells: list[Cell] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    parsed_by: str = ""
    dataset: Dataset | None = field(default=None, repr=False)

    def system(self, name: str) -> System:
        """The system of this name as it ran."""
        return next(system for system in self.systems if system.name == name)


def read_run(folder: Path) -> Run:
    """The run whose cells and test sets stand in a folder; no corpus is needed.

    Cells are taken as they are, whatever program made them: what they say of it goes into the results. One without labels has
    its figures, and takes no part in differences.
    """
    files = sorted(folder.glob(f"*{TESTS}")) if folder.is_dir() else []
    if len(files) != 1:
        raise DataMissingError(
            f"{folder}: {'no' if not files else 'more than one'} file *{TESTS} to compute from; name one folder that relhash "
            "benchmark -o has written"
        )
    about, tests = read_tests(files[0])
    name = str(about["protocol"])
    if name not in PROTOCOLS:
        raise ParameterError(f"{files[0]}: there is no protocol {name!r} in this version")
    cells: dict[str, Cell] = {}
    for file in (folder / f"{name}{CELLS}.gz", folder / f"{name}{CELLS}"):
        cells |= read_cells(file) if file.exists() else {}
    if not cells:
        raise DataMissingError(f"{folder}: there is no finished cell in {name}{CELLS}")
    sizes = {(test.direction, test.fold): test.y.size for test in tests}
    for cell in cells.values():
        size = sizes.get((cell.direction, cell.fold)) if cell.given is None else cell.given.size  # figures alone will do
        if size is None or size != sizes.get((cell.direction, cell.fold)):
            raise DataMissingError(f"{folder}: a cell of {cell.system} does not fit the test set of {cell.direction}")
    order = {named: number for number, named in enumerate(SYSTEMS)}
    named = dict.fromkeys(cell.system for cell in cells.values())
    lost = [one for one in named if not is_system(one)]
    if lost:
        raise ParameterError(f"{folder}: there is no system {', '.join(lost)} in this version")
    protocol = PROTOCOLS[name]
    listed = [one for one in protocol.systems if one in named]
    wanted = dict.fromkeys([*listed, *sorted(named, key=lambda one: order.get(one, len(order)))])
    systems = [system(one, has_roles=protocol.has_roles) for one in wanted]
    place = {one: number for number, one in enumerate(wanted)}
    direction = {key: number for number, key in enumerate(sizes)}
    ordered = sorted(cells.values(), key=lambda c: (direction[c.direction, c.fold], c.seed, place[c.system], c.labels or 0))
    return Run(protocol, tests, systems, ordered, list(about["notes"]), str(about["parsed_by"]))


PACKAGE = Path(__file__).resolve().parents[1]
ROOMS = ("candidates", "kernels", "hashing", "learn")
"""Between documents and labels; what comes before shows in the documents themselves."""
RIVALS = "bench/rivals"
FILES = (
    "model/fitting.py", "model/recipe.py", "bench/bench.py", "bench/systems/system.py",
    "bench/systems/kernel_machines.py",
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
