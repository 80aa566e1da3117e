"""Progress, JSON and tables of the shared console."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from relhash.cli import console


@dataclass
class Row:
    name: str
    score: float


def test_json_of_everything_a_command_may_hold(capsys):
    console.print_json(
        {"row": Row("α", float("nan")), 3: np.arange(2), "f": np.float32(0.5), "path": Path("a"), "t": (1, None)}
    )
    out = capsys.readouterr().out
    assert json.loads(out) == {"row": {"name": "α", "score": None}, "3": [0, 1], "f": 0.5, "path": "a", "t": [1, None]}


def test_json_on_a_terminal_commands_nothing(capsys, monkeypatch):
    console.print_json("\x9b2J")
    monkeypatch.setattr(console.sys.stdout, "isatty", lambda: True)
    console.print_json("\x9b2J")
    assert capsys.readouterr().out == '"\x9b2J"\n"⟨U+009B⟩2J"\n'


def test_table_does_not_read_markup_in_data(capsys):
    console.print_table(("what", "n", "f1"), [("[red]α[/red]", 12345, 0.12345), ("none", None, 1.0)], title="Counts")
    out = capsys.readouterr().out
    assert "[red]α[/red]" in out
    assert "12,345" in out
    assert "0.123" in out
    assert "–" in out


@pytest.fixture
def clock(monkeypatch):
    """A clock that moves by 0.3 s at each look; the console's own, because other threads of the process look at theirs."""
    now = iter(range(1000))
    monkeypatch.setattr(console, "time", SimpleNamespace(monotonic=lambda: next(now) * 0.3))


def test_progress_without_terminal_says_at_most_one_line_a_second(capsys, clock):
    with console.progress("learning bits", total=10) as step:
        for number in range(10):
            step(1, f"bit {number}")
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["learning bits: 4/10, 1 s, bit 3", "learning bits: 8/10, 2 s, bit 7"]


def test_quiet_progress_says_nothing(capsys, clock):
    with console.progress("learning bits", quiet=True) as step:
        for _ in range(10):
            step()
    captured = capsys.readouterr()
    assert captured.out + captured.err == ""


def test_progress_on_a_terminal_is_a_bar(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    with console.progress("learning bits", total=2) as step:
        step(2, "done")
    assert "learning bits" in capsys.readouterr().err


def test_the_id_of_a_document_is_neither_markup_nor_a_command(capsys, monkeypatch, clock):
    """``[/x]`` ended a fit at a terminal with rich's MarkupError."""
    with console.progress("read") as step:
        for _ in range(4):
            step(1, "a\x1b[2Jb")
    assert capsys.readouterr().err == "read: 4, 1 s, a␛[2Jb\n"
    monkeypatch.undo()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    with console.progress("read") as step:
        step(1, "[/x]\x1b]0;title\x07")
    said = capsys.readouterr().err
    assert "[/x]␛]0;title␇" in said
    assert "\x1b]0" not in said


def test_whatever_rich_draws_at_a_terminal_commands_nothing(capsys, monkeypatch):
    """The card of a model, which somebody else wrote, could set the title of the terminal (``relhash info MODEL``)."""
    from rich.markdown import Markdown
    from rich.text import Text

    evil = "a\x1b]0;title\x07b\u202ec"
    for one in (evil, Text(evil, "red"), Markdown(f"- {evil}")):
        console.console().print(one, markup=False)
    assert capsys.readouterr().out.count(evil.replace("\x07", "")) == 3, "rich drops the bell; a pipe is for programs"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    for one in (evil, Text(evil, "red"), Markdown(f"- {evil}")):
        console.console().print(one, markup=False)
    shown = capsys.readouterr().out
    assert shown.count("a␛]0;titleb⟨U+202E⟩c") == 3
    assert "\x1b]" not in shown
    assert "\x1b[31m" in shown, "our own colours stay"


def test_escapes_in_errors_and_notes_are_made_visible(capsys):
    """A file name or a text could clear the screen, or set the title of the terminal."""
    console.error("a\x1b[2Jb\u202ec.txt: no such file")
    console.note("skipped \x1b]0;title\x07")
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert "a␛[2Jb⟨U+202E⟩c.txt" in said
    assert "skipped ␛]0;title␇" in said


@pytest.mark.parametrize("width", [80, 120])
def test_a_wide_table_keeps_its_row_names_and_headings(capsys, monkeypatch, width):
    """The table of what was taken for what lost the names of its rows at 120 columns, and half of each heading."""
    monkeypatch.setenv("COLUMNS", str(width))
    types = ["Binding", "Gene_expression", "Localization", "Negative_regulation", "Phosphorylation", "Positive_regulation"]
    types += ["Regulation", "Transcription", "no relation"]
    console.print_table(("gold", *types), [(name, *range(100, 100 + len(types))) for name in types])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    rule = next(number for number, line in enumerate(lines) if "──" in line)
    said = "".join("".join(line[column : column + 1] for line in lines[:rule]) for column in range(width))
    assert sum(map(str.isalpha, said)) == len("gold") + sum(letter.isalpha() for name in types for letter in name)
    assert lines[rule + 1].lstrip().startswith("Bindi")
    assert all(str(figure) in lines[rule + 1] for figure in range(100, 100 + len(types)))
