"""Options that several commands have are one object, so that they say the same everywhere."""

from __future__ import annotations

import inspect
import re
import typing
from collections import defaultdict

import pytest
import typer

from relhash.cli import options
from relhash.cli.main import COMMANDS, Command
from relhash.model.model_file import shipped_models

OF_ONE_COMMAND = {
    "output", "input", "threshold", "amr", "parses", "model", "answers", "recipe", "top", "gold",
}  # fmt: skip
"""Parameters that mean something else in one of the commands that have them."""


SHARED = {name: value for name, value in vars(options).items() if typing.get_origin(value) is typing.Annotated}


@pytest.mark.parametrize("name", SHARED)
def test_every_option_is_described(name: str) -> None:
    _, info = typing.get_args(SHARED[name])
    assert isinstance(info, typer.models.ParameterInfo)
    assert info.help
    assert info.help.endswith((".", "ppi."))


def test_an_option_of_several_commands_is_declared_once() -> None:
    declared = defaultdict(set)
    for command in COMMANDS:
        function = command.load()
        hints = typing.get_type_hints(function, include_extras=True)
        for name in inspect.signature(function).parameters:
            declared[name].add(id(typing.get_args(hints[name])[1]) if typing.get_args(hints[name]) else name)
    repeated = {name for name, objects in declared.items() if len(objects) > 1}
    assert repeated == OF_ONE_COMMAND


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_what_a_command_has_of_its_own_comes_before_what_all_have(command: Command) -> None:
    hints = typing.get_type_hints(command.load(), include_extras=True).values()
    shared = {id(typing.get_args(value)[1]) for value in SHARED.values()}
    found = [info for hint in hints for info in typing.get_args(hint)[1:] if isinstance(info, typer.models.OptionInfo)]
    alone = [info for info in found if info.rich_help_panel is None]
    assert len(alone) <= 12
    known = {"SHARE", "FORMAT", "P", "negated|questioned"}  # --expect, --to, --threshold, --keep
    assert {info.metavar for info in alone if id(info) in shared} <= known


def test_the_help_names_every_model_that_ships() -> None:
    _, info = typing.get_args(options.Model)
    assert all(re.search(rf"\b{name}\b", info.help) for name in shipped_models())


def test_rules_that_nobody_needs_are_not_in_the_help() -> None:
    from relhash.cli.fit import fit

    hint = typing.get_type_hints(fit, include_extras=True)["threshold"]
    (info,) = [part for part in typing.get_args(hint) if isinstance(part, typer.models.OptionInfo)]
    assert "precision:0.8" in (info.help or "")
    for rule in ("top-k", "score", "prior"):
        assert rule not in (info.help or "")
