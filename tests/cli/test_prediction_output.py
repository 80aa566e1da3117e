"""What a person at a terminal sees of predictions."""

from __future__ import annotations

import re
import sys

from tests.cli.running import run


def test_a_terminal_shows_what_a_sentence_denies(capsys, monkeypatch, tmp_path, raw_model):
    (tmp_path / "two.txt").write_text("RAF1 binds to MEK1. RAF1 does not bind to ERK2.")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    code, printed, _ = run(capsys, "predict", raw_model, tmp_path / "two.txt", "--all")
    assert code == 0
    plain = re.sub(r"\x1b\[[0-9;]*m", "", printed)
    said, denied = (line for line in plain.splitlines() if not line.startswith(" "))
    assert "  interaction  two  RAF1 binds to MEK1." in said
    assert "  interaction  negated  two  RAF1 does not bind to ERK2." in denied
