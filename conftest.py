"""Doctests of modules that are built on torch (extra ``neural``) are collected only where it is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

_ROOT = Path(__file__).parent
_SOURCES = {
    ".".join(module.relative_to(_ROOT / "src").with_suffix("").parts): module for module in (_ROOT / "src").rglob("*.py")
}


def _needing(package: str) -> list[str]:
    """Our modules that import ``package`` when they are imported, themselves or through another of ours."""
    imported = {
        name: set(re.findall(r"^(?:import|from) ([\w.]+)", module.read_text(encoding="utf-8"), re.MULTILINE))
        for name, module in _SOURCES.items()
    }
    needing: set[str] = set()
    while more := {
        name
        for name, names in imported.items()
        if name not in needing and (names & needing or any(one.split(".")[0] == package for one in names))
    }:
        needing |= more
    return [str(_SOURCES[name].relative_to(_ROOT)) for name in sorted(needing)]


collect_ignore = [] if find_spec("torch") else _needing("torch")
