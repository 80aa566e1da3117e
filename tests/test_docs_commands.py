"""Commands on the pages exist, with the options that they are shown with, also where a page does not run them."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
import typer

from relhash.cli.main import COMMANDS, build_app
from tests.test_docs import PAGES, name_of, text_of

SHOWN = re.compile(r"^(?:\$ )?(?:\S+ \| )?relhash (?P<block>[a-z].*)$|`relhash (?P<inline>[a-z][^`]*)`", re.MULTILINE)
END = re.compile(r"\s#.*| [|<>&;].*")


@cache
def options_of(command: str) -> frozenset[str]:
    found = typer.main.get_command(build_app([command])).commands[command]  # type: ignore[attr-defined]
    return frozenset(option for one in found.params for option in (*one.opts, *one.secondary_opts)) | {"--help", "-h"}


def commands_on(page: Path) -> list[list[str]]:
    """The words of each command, without what stands behind a pipe or a comment."""
    text = text_of(page).replace("\\\n", " ")
    found = (END.sub("", match["block"] or match["inline"].replace("\n", " ")) for match in SHOWN.finditer(text))
    return [shlex.split(line.replace("'", " ").replace("(", " ").replace(")", " "), posix=False) for line in found]


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != "CHANGELOG.md"], ids=name_of)
def test_commands_and_options_exist(page: Path) -> None:
    known = {command.name for command in COMMANDS}
    for name, *words in commands_on(page):
        name = name.rstrip(",.;:")
        assert name in known, f"relhash {name}"
        given = {word.partition("=")[0].rstrip(",.;:") for word in words if re.match(r"--?[a-z]", word)}
        assert given <= options_of(name), f"relhash {name} {' '.join(words)}"


def test_an_option_that_does_not_exist_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    block = "```\nrelhash hash m x --bits | head -n 3  # -c\n```\n"
    page.write_text(f"Say `relhash fit a.csv --adapt\nb.txt --frobnicate`, or:\n\n{block}")
    (_, *inline), (_, *listed) = commands_on(page)
    assert inline == ["a.csv", "--adapt", "b.txt", "--frobnicate"]
    assert listed == ["m", "x", "--bits"]
    assert "--frobnicate" not in options_of("fit")
    assert {"--adapt", "--no-cache", "-o"} <= options_of("fit")
