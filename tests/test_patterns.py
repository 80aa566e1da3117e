"""No text stalls a pattern: each of the package is pumped with its worst cases."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

import relhash
from relhash.biomed.names import hints
from tests.linear_patterns import PatternError, compiled, shared_by_runs
from tests.worst_cases import worst_cases

AT_A_PLACE = {"match", "fullmatch"}
METHODS = {"search", "finditer", "findall", "sub", "subn", *AT_A_PLACE}
MADE_OF_NAMES = {
    "bench.benchmarks.teach", "biomed.names.finding", "biomed.names.hints", "biomed.names.phrases", "corpus.nero",
    "corpus.pubmed45", "corpus.remarks", "corpus.standoff", "corpus.tables.reader", "language.amr.documents",
    "language.tokenizer",
}  # fmt: skip
"""Modules with patterns that are made while they run."""
SECONDS = 0.4
"""For 64 KB. What is linear takes some milliseconds, what is quadratic some seconds."""


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(relhash.__path__, "relhash."):
        try:
            yield importlib.import_module(found.name)
        except ImportError:
            continue  # needs an extra


def patterns_in(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif isinstance(value, dict):
        yield from patterns_in(list(value.values()))
    elif isinstance(value, list | tuple):
        for one in value[:1000]:
            yield from patterns_in(one)


def package_patterns() -> dict[str, tuple[re.Pattern[str], set[str]]]:
    """Every pattern of a module with the methods that the module calls on it; those written in a call of ``re`` too."""
    found: dict[str, tuple[re.Pattern[str], set[str]]] = {}
    for module in modules():
        tree = ast.parse(inspect.getsource(module))
        calls: dict[str, set[str]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id != "re":
                calls.setdefault(node.value.id, set()).add(node.attr)
            match node:
                case ast.Call(ast.Attribute(ast.Name("re"), method), [ast.Constant(str() as written), *_]):
                    if method != "compile":
                        found[f"{module.__name__}:{node.lineno}"] = re.compile(written), {method}
        for name, value in vars(module).items():
            for number, pattern in enumerate(patterns_in(value)):
                used = calls.get(name, set()) & METHODS or set().union(*calls.values()) & METHODS
                found.setdefault(f"{module.__name__}.{name}[{number}]", (pattern, used or METHODS))
    return found


PATTERNS = package_patterns()


def test_the_patterns_of_the_package_are_found() -> None:
    assert len(PATTERNS) > 100


def test_no_pattern_is_overlooked() -> None:
    """What a function makes of a name (escaped, with bounded gaps) is found by nobody above: the places are known, and few."""
    found = set()
    for module in modules():
        for function in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    match node:
                        case ast.Call(ast.Attribute(ast.Name("re"), method), [ast.Constant(), *_]) if method != "compile":
                            pass
                        case ast.Call(ast.Attribute(ast.Name("re"), method)) if method != "escape":
                            found.add(module.__name__.removeprefix("relhash."))
    assert found <= MADE_OF_NAMES, "write the pattern out, or name the module in MADE_OF_NAMES and say in it why it is linear"


@pytest.mark.parametrize("name", PATTERNS)
def test_no_two_neighbouring_runs_share_a_character(name: str) -> None:
    pattern, _ = PATTERNS[name]
    assert shared_by_runs(pattern.pattern, pattern.flags) is None, pattern.pattern


def test_nor_do_the_patterns_of_hints() -> None:
    shipped = [pattern for place in hints.places().values() for pattern in (place.pattern, place.inside)]
    shipped += [pattern for place in ("pair", "around", "names") for _, pattern in hints._of_pairs(place)]
    assert len(shipped) > 20
    assert [pattern.pattern for pattern in shipped if shared_by_runs(pattern.pattern, pattern.flags)] == []


@pytest.mark.parametrize("name", PATTERNS)
def test_time_is_linear_from_1_to_64_kilobytes(name: str) -> None:
    pattern, used = PATTERNS[name]
    methods = [pattern.match, pattern.fullmatch] if used <= AT_A_PLACE else [pattern.search]
    worst = range(1000)
    for size, n_worst in ((1 << 10, 12), (1 << 13, 3), (1 << 16, 0)):  # what is exponential shows early
        spent = {}
        for number, text in enumerate(worst_cases(pattern, size)):
            if number in worst:
                start = time.process_time()
                for method in methods:
                    method(text)
                spent[number] = time.process_time() - start
                assert spent[number] < max(0.05, SECONDS * size / (1 << 16)), f"{pattern.pattern}: {text[:60]!r}… ({size:,})"
        worst = sorted(spent, key=spent.__getitem__)[-n_worst:]


@pytest.mark.parametrize(
    "pattern",
    [r"\s*(?:\(\w+\))?[-\s]*sites?", r"(?:\w+\s*)*;", r"\w+foo\w+;", r"(.*?)(\d+)\Z", r"(?:a|b+)*c", r"(?:[\w-]+-)*x"],
)
def test_patterns_that_can_be_cut_in_many_ways_are_refused(pattern: str) -> None:
    with pytest.raises(PatternError, match="possessive"):
        compiled(pattern)


@pytest.mark.parametrize(
    "pattern",
    [r"\s*+(?:\(\w+\))?[-\s]*+sites?", r"(?:\w+\s+)*;", r"\w+@\w+", r"((?:.*\D)?+)(\d+)\Z", r"[^()]*\([^()]*\)", r"\w{9}\w{9}"],
)
def test_patterns_that_can_be_cut_in_one_way_pass(pattern: str) -> None:
    assert compiled(pattern).pattern == pattern
