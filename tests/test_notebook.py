"""The notebook of the tutorials runs from its first cell to its last, and shows tables."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[1] / "docs" / "tutorials" / "notebook.ipynb"


def test_the_notebook_runs() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    namespace: dict[str, object] = {}
    for number, cell in enumerate(cells):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), namespace)
    shown = [name for cell in cells for output in cell.get("outputs", ()) for name in output.get("data", ())]
    assert shown.count("text/html") == 4  # the frame, the predictions, their frame, what is similar
