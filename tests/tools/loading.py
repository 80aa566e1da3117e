"""Programs of ``tools/`` and ``benchmarks/`` as modules: they are no package, and find each other by their folder."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

from tests.test_docs import ROOT


def load(name: str, place: str = "tools") -> ModuleType:
    folder = str(ROOT / place)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return import_module(name)
