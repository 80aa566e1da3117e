"""The pages of --help, at the width of any terminal."""

from __future__ import annotations

import pytest

from relhash.cli.main import COMMANDS
from tests.cli.running import run


@pytest.mark.parametrize("name", ["", *(command.name for command in COMMANDS)])
@pytest.mark.parametrize("width", [80, 120])
def test_nothing_follows_a_flag(capsys, monkeypatch, name, width):
    monkeypatch.setenv("COLUMNS", str(width))
    code, printed, _ = run(capsys, *filter(None, [name]), "--help")
    assert code == 0
    assert "bool" not in printed
    assert max(map(len, printed.splitlines())) <= width
