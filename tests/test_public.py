"""What is public is said in one place: packages list what they export, a module inside one does not."""

from __future__ import annotations

import ast
import importlib
from functools import cache
from pathlib import Path

import pytest

PUBLIC = ("relhash", "relhash.corpus", "relhash.hashing", "relhash.kernels", "relhash.candidates")
SOURCES = Path(__file__).resolve().parents[1] / "src"


@cache
def modules() -> dict[str, ast.Module]:
    """The modules that are no packages, by their dotted name."""
    files = (file for file in sorted(SOURCES.rglob("*.py")) if file.name != "__init__.py")
    return {
        ".".join(file.relative_to(SOURCES).with_suffix("").parts): ast.parse(file.read_text(encoding="utf-8")) for file in files
    }


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_described(name: str) -> None:
    package = importlib.import_module(name)
    for one in package.__all__:
        found = getattr(package, one)
        assert not callable(found) or found.__doc__, f"{name}.{one}"


def test_a_module_lists_no_exports() -> None:
    for name, tree in modules().items():
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert "__all__" not in names, f"{name}: names are public where a package lists them (docs/api)"


def test_a_name_is_imported_from_its_home() -> None:
    """Not from a module that only imports it itself: one name with two homes is found at neither."""
    found = modules()
    defined = {name: _defined(tree) for name, tree in found.items()}
    for name, tree in found.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in defined:
                assert {alias.name for alias in node.names} <= defined[node.module], f"{name}: from {node.module}"


def _defined(tree: ast.Module) -> set[str]:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = {node.name for node in ast.walk(tree) if isinstance(node, kinds)}
    return names | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
