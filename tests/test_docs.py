"""The tutorials are programs: every fenced block in ``docs/tutorials`` runs, in order, in an empty folder.

````console`` blocks hold commands after ``$`` and, below each, what it prints (``...`` stands for anything); ``python`` blocks
are executed in one namespace per page (doctest style when they contain ``>>>``).
"""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MATCHING = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_console(block: str, folder: Path) -> None:
    commands = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "COLUMNS": "140", "NO_COLOR": "1"}
    for entry in commands:
        lines = entry.splitlines()
        command = lines.pop(0)
        while command.endswith("\\"):
            command = command[:-1] + " " + lines.pop(0).strip()
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"$ {command}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}"
        expected = "\n".join(lines).strip()
        if expected:
            printed = done.stdout + done.stderr
            assert doctest.OutputChecker().check_output(expected + "\n", printed.strip() + "\n", MATCHING), (
                f"$ {command}\n--- the page says\n{expected}\n--- it printed\n{printed}"
            )


def run_python(block: str, namespace: dict[str, object], page: Path) -> None:
    if ">>>" not in block:
        exec(compile(block, str(page), "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block, namespace, page.name, str(page), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=MATCHING)
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.failures == 0, "".join(report)
    namespace.update(test.globs)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_tutorial_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "tutorial"}
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks, f"{page.name} has nothing to run"
    for kind, block in blocks:
        run_console(block, tmp_path) if kind == "console" else run_python(block, namespace, page)
