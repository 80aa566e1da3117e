"""The pages of --help, at the width of any terminal."""

from __future__ import annotations

import pytest
import typer

from relhash.cli.main import COMMANDS, build_app
from tests.cli.running import run


@pytest.mark.parametrize("name", ["", *(command.name for command in COMMANDS)])
@pytest.mark.parametrize("width", [80, 120])
def test_nothing_follows_a_flag(capsys, monkeypatch, name, width):
    monkeypatch.setenv("COLUMNS", str(width))
    code, printed, _ = run(capsys, *filter(None, [name]), "--help")
    assert code == 0
    assert "bool" not in printed
    assert max(map(len, printed.splitlines())) <= width


@pytest.mark.parametrize("name", ["", *(command.name for command in COMMANDS)])
def test_help_is_shown_in_full_whatever_stands_in_brackets(capsys, monkeypatch, name):
    """The help of --config lost [serve] to the markup of rich."""
    monkeypatch.setenv("COLUMNS", "400")
    app = typer.main.get_command(build_app([name], show_all=True))
    command = app.commands[name] if name else app
    printed = " ".join(run(capsys, *filter(None, [name]), "--help-all" if name else "--help")[1].split())
    texts = [param.help for param in command.params if getattr(param, "help", None)]
    assert texts or name == ""
    for text in [*texts, *(command.help or "").split("\n\n")]:
        assert " ".join(text.replace("\\[", "[").split()) in printed
    for noise in ("<path>", "<list", "<str>", "<int", "[env var"):
        assert noise not in printed


def test_the_help_of_config_says_how_a_section_is_written(capsys):
    assert "[serve], port = 8000" in run(capsys, "--help")[1]
