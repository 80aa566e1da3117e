"""Doctests of modules that are built on torch (extra ``neural``) are collected only where it is installed."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

_ROOT = Path(__file__).parent

collect_ignore = (
    []
    if find_spec("torch")
    else [
        str(module.relative_to(_ROOT))
        for module in (_ROOT / "src").rglob("*.py")
        if re.search(r"^(?:import|from) torch\b", module.read_text(encoding="utf-8"), re.MULTILINE)
    ]
)
