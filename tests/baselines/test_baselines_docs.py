"""docs/baselines.md: its Python runs, and it names every baseline."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from relhash.baselines import BASELINES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "baselines.md"


def test_the_page_runs():
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, str(PAGE), 0)
    assert not doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test).failed


def test_the_page_names_every_baseline():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in BASELINES if f"`{name}`" not in text] == []
