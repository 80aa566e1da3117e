"""Would the tests notice any small mistake? Mutants that a program makes, a sample of them (part of ``make mutants``).

    python tools/sampled_mutants.py                        # 200 of them, seed 0; goes on where an earlier run stopped
    python tools/sampled_mutants.py --only 10              # ten more, then stop
    python tools/sampled_mutants.py --again                # try the survivors of the file once more
    python tools/sampled_mutants.py --seed 1 --sample 50 --rooms bench,show -o FILE.json    # others, of some rooms

Every comparison, sum, product, number, ``and``/``or``, ``not`` and condition of any room (networks left out: they need torch)
can be broken by itself. Which ones are tried is drawn by a hash of what they are, so that the sample stays the same while other
lines change. The tests named after the file, its doctests and tests that import it are run, first those that mention what is
changed or what uses it there, until one fails or ``--seconds`` are over. A survivor without a reason in
``sampled_mutants.toml`` ends the program with 1. Writes ``benchmarks/results/mutants-sampled.json`` (or FILE) and ``.md``.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from in_a_hurry import NAMES, SECONDS
from mutants import ROOT, Mutant, Verdict, copy_of, notices, results_in, write_results
from relhash.show.provenance import made_now
from warm_mutants import Warm

LEFT_OUT = ("hashing/neural/", "bench/rivals/", "resources/")
USERS = 6
"""Files of tests that are asked for each file of the package, beside its own."""
BUDGET = 100
"""Numbers from here on are budgets (trees, resamples, rows at once): one more of them is no mistake."""
NO_TESTS = "not tried: pytest ended with 5"
OUT = ROOT / "benchmarks" / "results" / "mutants-sampled.json"
REASONS = ROOT / "tools" / "sampled_mutants.toml"
BESIDE: dict[str, list[str]] = tomllib.loads(REASONS.read_text(encoding="utf-8"))["beside"]
"""Files of tests that tell of a file what no import does."""

COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is",
    ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
COMPUTED: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "*", ast.Pow: "*", ast.MatMult: "+",
    ast.BitAnd: "|", ast.BitOr: "&", ast.LShift: ">>", ast.RShift: "<<",
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """A node of a program and what stands in its place."""

    start: int
    end: int
    new: str
    inside: str
    """The function or class around it."""


@dataclass(frozen=True)
class Sampled:
    """A mutant that a program made."""

    file: str
    inside: str
    line: int
    old: str
    new: str
    number: int
    """Which one of equal changes inside the same function."""
    source: str

    @property
    def name(self) -> str:
        return f"{self.file} {self.inside or 'module'}: {self.old} → {self.new}" + (
            f" ({self.number + 1})" if self.number else ""
        )


class Changes(ast.NodeVisitor):
    """All changes of a program; what only people and type checkers read is left alone."""

    def __init__(self, source: str) -> None:
        self.lines = [0]
        self.bytes = source.encode()
        for line in self.bytes.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))
        self.found: list[Change] = []
        self.inside: list[str] = []
        self.visit(ast.parse(source))

    def place(self, node: ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.lines[node.lineno - 1] + node.col_offset, self.lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr) -> str:
        start, end = self.place(node)
        return self.bytes[start:end].decode()

    def change(self, node: ast.expr, new: str) -> None:
        self.found.append(Change(*self.place(node), new, ".".join(self.inside)))

    def between(self, left: ast.expr, right: ast.expr, old: str, new: str) -> None:
        """Change an operator, which has no place of its own: it stands between two nodes."""
        start, end = self.place(left)[1], self.place(right)[0]
        gap = self.bytes[start:end].decode()
        if gap.count(old) == 1:
            self.found.append(Change(start, end, gap.replace(old, new), ".".join(self.inside)))

    def _named(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        self.inside.append(node.name)
        for part in node.body:
            self.visit(part)
        if isinstance(node, ast.FunctionDef):
            for default in [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]:
                self.visit(default)
        self.inside.pop()

    visit_FunctionDef = visit_ClassDef = _named  # noqa: N815 - decorators and annotations are not visited

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_Raise(self, node: ast.Raise) -> None:
        """Messages are not mutated."""

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(isinstance(one, ast.Name) and one.id == "__all__" for one in node.targets):
            self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if self.text(node.test) != "TYPE_CHECKING":
            self.condition(node.test)
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self.condition(node.test)
        self.generic_visit(node)

    def condition(self, node: ast.expr) -> None:
        if not isinstance(node, ast.Compare | ast.UnaryOp):  # these are turned round below
            self.change(node, f"not ({self.text(node)})")

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for number, sign in enumerate(node.ops):
            self.between(sides[number], sides[number + 1], _written(sign), COMPARED[type(sign)])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in COMPUTED and not any(
            isinstance(one, ast.Constant) and isinstance(one.value, str) for one in (node.left, node.right)
        ):
            self.between(node.left, node.right, _written(node.op), COMPUTED[type(node.op)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            self.between(left, right, old, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            self.change(node, f"({self.text(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.change(node, str(not node.value))
        elif isinstance(node.value, int | float) and abs(node.value) < BUDGET:
            self.change(node, repr(node.value + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Words for people."""


WRITTEN = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//",
    ast.Mod: "%", ast.Pow: "**", ast.MatMult: "@", ast.BitAnd: "&", ast.BitOr: "|", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip


def _written(sign: ast.cmpop | ast.operator) -> str:
    return WRITTEN[type(sign)]


def mutants_of(source: str, file: str) -> Iterator[Sampled]:
    """Every mutant of a program.

    >>> [one.name for one in mutants_of("def f(x):\\n    return x + 1", "a.py")]
    ['a.py f: x + 1 → x - 1', 'a.py f: 1 → 2']
    """
    raw = source.encode()
    seen: dict[tuple[str, str, str], int] = {}
    for change in Changes(source).found:
        line = raw[: change.start].count(b"\n") + 1
        old = raw[change.start : change.end].decode()
        if old == change.new:
            continue
        changed = (raw[: change.start] + change.new.encode() + raw[change.end :]).decode()
        shown = [" ".join(text.split()) for text in _around(raw, change, old)]
        number = seen.get((change.inside, *shown), 0)  # type: ignore[arg-type]
        seen[change.inside, shown[0], shown[1]] = number + 1
        yield Sampled(file, change.inside, line, shown[0], shown[1], number, changed)


def _around(raw: bytes, change: Change, old: str) -> tuple[str, str]:
    """The change with a little of what stands around it on its line, so that people see what it is."""
    begin = max(raw.rfind(b"\n", 0, change.start) + 1, change.start - 24)
    end = raw.find(b"\n", change.end)
    end = min(len(raw) if end < 0 else end, change.end + 24)
    before, after = (part.decode(errors="ignore") for part in (raw[begin : change.start], raw[change.end : end]))
    return before + old + after, before + change.new + after


def all_mutants(root: Path = ROOT) -> list[Sampled]:
    """Every mutant of the rooms, in the order in which they are drawn."""
    package = root / "src" / "relhash"
    names = [file.relative_to(package).as_posix() for file in sorted(package.rglob("*.py"))]
    names = [name for name in names if not name.startswith(LEFT_OUT)]
    return [one for name in names for one in mutants_of((package / name).read_text(encoding="utf-8"), name)]


def drawn(mutants: list[Sampled], seed: int) -> list[Sampled]:
    return sorted(mutants, key=lambda one: hashlib.sha256(f"{seed} {one.name}".encode()).hexdigest())


def tests_of(file: str, most: int) -> list[str]:
    """The file's own tests, those that import something of it, and the same of the modules that import it."""
    rings, seen = [[file]], {file}
    while rings[-1]:
        rings.append(
            [name for one in rings[-1] for name in importing(module_of(one)) if name not in seen and not seen.add(name)]
        )
    found = dict.fromkeys([*BESIDE.get(file, ()), *(test for ring in rings for one in ring for test in _near(one))])
    return [name for name in found if (ROOT / "tests" / name).exists()][:most]


def _near(file: str) -> list[str]:
    place = Path(file)
    room = place.parts[0]
    users = sorted(users_of(file), key=lambda name: (not name.startswith(f"{place.parent}/"), not name.startswith(room), name))
    return [f"{place.parent}/test_{place.name}", f"../src/relhash/{file}", *users[:USERS]]


def module_of(file: str) -> str:
    return ".".join(("relhash", *Path(file).with_suffix("").parts)).removesuffix(".__init__")


@cache
def users_of(file: str) -> list[str]:
    """Tests that import the module, or what it defines from its package."""
    tree = ast.parse((ROOT / "src" / "relhash" / file).read_text(encoding="utf-8"))
    own = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    module = module_of(file)
    packages = {module, *(module.rsplit(".", depth)[0] for depth in (1, 2))}
    return [
        name
        for name, found in imported("tests").items()
        if module in found or any(one in packages and names & own for one, names in found.items())
    ]


@cache
def importing(module: str) -> list[str]:
    """Files of the package that import a module, or something of it."""
    package, _, own = module.rpartition(".")
    return [name for name, found in imported("src/relhash").items() if module in found or own in found.get(package, ())]


@cache
def imported(folder: str) -> dict[str, dict[str, set[str]]]:
    """File below ``folder`` → what it imports of RelHash: module → names."""
    found: dict[str, dict[str, set[str]]] = {}
    for path in sorted((ROOT / folder).rglob("*.py" if folder != "tests" else "test_*.py")):
        name = path.relative_to(ROOT / folder).as_posix()
        if not name.startswith(("realdata/", "browser/", "fuzz/", "tools/")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("relhash"):
                    found.setdefault(name, {}).setdefault(str(node.module), set()).update(one.name for one in node.names)
    return found


def names_around(one: Sampled) -> set[str]:
    """The function and class that are changed, and what uses them in the same file."""
    names = set(one.inside.split("."))
    functions = [node for node in ast.walk(ast.parse(one.source)) if isinstance(node, ast.FunctionDef)]
    uses = {node.name: {getattr(part, "id", getattr(part, "attr", "")) for part in ast.walk(node)} - {""} for node in functions}
    while more := {name for name, used in uses.items() if name not in names and not names.isdisjoint(used)}:
        names |= more
    return names


def tried(one: Sampled, folder: Path, warm: Warm, most: int) -> Verdict:
    """Whether the file's own tests notice, or those that use it."""
    own = folder / "src" / "relhash" / one.file
    os.environ[NAMES] = " ".join(names_around(one))
    tests = tests_of(one.file, most)
    found = warm.notices(one.file, one.source, tests)
    if found is None or found.found == "survived":  # code made at import is not exchanged in a fork: that takes the file
        found = notices(Mutant(one.name, one.file, own.read_text(encoding="utf-8"), one.source, tests), folder)
    if found.found.startswith(NO_TESTS):
        found = Verdict("survived")
    return replace(found, made=made_now())


def write_table(results: dict[str, Verdict], reasons: dict[str, str], total: int, given: argparse.Namespace) -> None:
    survived = [name for name, said in results.items() if said.found != "noticed"]
    lines = [
        "# A sample of mutants that a program makes\n",
        f"`python tools/sampled_mutants.py --seed {given.seed}{f' --rooms {given.rooms}' if given.rooms else ''}` (part of "
        f"`make mutants`): {len(results)} of {total:,} possible\nchanges of one comparison, operation, number or condition in "
        f"{given.rooms or 'all rooms (networks left out)'}, drawn at random.\n",
        f"Tried at {', '.join(sorted({said.made or 'earlier commits' for said in results.values()}))}. "
        f"{len(results) - len(survived)} were noticed; {len(survived)} survived:\n",
        "| room | tried | noticed |", "|:--|--:|--:|",
    ]  # fmt: skip
    rooms, missed = (
        Counter(name.partition("/")[0] if "/" in name else "(none)" for name in names) for names in (results, survived)
    )
    lines += [f"| `{room}` | {count} | {count - missed[room]} |" for room, count in sorted(rooms.items())]
    lines += ["", "| survivor | why it may |", "|:--|:--|"]
    lines += [f"| `{name.replace('|', chr(92) + '|')}` | {reasons.get(name, '**no reason is given**')} |" for name in survived]
    given.output.with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rooms", default="", help="only these, with commas between them")
    parser.add_argument("-o", "--output", type=Path, default=OUT)
    parser.add_argument("--only", type=int, default=None, metavar="N", help="try at most N now")
    parser.add_argument("--again", action="store_true", help="try survivors without a reason again")
    parser.add_argument("--seconds", default="60", help="of processor time for one mutant")
    parser.add_argument("--files", type=int, default=14, help="of tests that are asked about one mutant, the nearest ones")
    given = parser.parse_args()
    os.environ[SECONDS] = given.seconds
    rooms = tuple(f"{room}/" for room in given.rooms.split(",")) if given.rooms else ""
    mutants = [one for one in all_mutants() if one.file.startswith(rooms)]
    sample = drawn(mutants, given.seed)[: given.sample]
    stored = results_in(given.output) if given.output.exists() else {}
    results = {one.name: stored[one.name] for one in sample if one.name in stored}
    reasons = tomllib.loads(REASONS.read_text(encoding="utf-8"))["harmless"] if REASONS.exists() else {}
    if given.again:
        results = {name: said for name, said in results.items() if said.found == "noticed" or name in reasons}
    todo = [one for one in sample if one.name not in results][: given.only]
    place = Path(tempfile.gettempdir()) / f"relhash-mutants-{os.getuid()}"  # always the same: Numba knows its files again
    shutil.rmtree(place, ignore_errors=True)
    copy_of(ROOT, place)
    warm = Warm(sorted({f"tests/{name}" for one in todo for name in tests_of(one.file, given.files)}))
    for one in todo:
        start = time.perf_counter()
        said = results[one.name] = tried(one, place, warm, given.files)
        print(f"{said.found:9} {one.name} (line {one.line}, {time.perf_counter() - start:.0f} s) {said.by}", flush=True)
        write_results(given.output, results)
    shutil.rmtree(place, ignore_errors=True)
    write_table(results, reasons, len(mutants), given)
    unexplained = [name for name, said in results.items() if said.found != "noticed" and name not in reasons]
    noticed = sum(said.found == "noticed" for said in results.values())
    print(f"{noticed} of {len(results)} were noticed, {len(unexplained)} of the others have no reason")
    sys.exit(bool(unexplained))


if __name__ == "__main__":
    main()
