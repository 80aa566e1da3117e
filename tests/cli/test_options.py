"""Options that several commands have are one object, so that they say the same everywhere."""

from __future__ import annotations

import inspect
import typing
from collections import defaultdict

import pytest
import typer

from relhash.cli import options
from relhash.cli.main import COMMANDS

OF_ONE_COMMAND = {
    "output", "input", "threshold", "amr", "parses", "model", "adapt", "bits", "preset", "text",
    "action", "answers", "codes", "top", "gold",
}  # fmt: skip
"""Parameters that mean something else in one of the commands that have them."""


@pytest.mark.parametrize("name", [name for name, value in vars(options).items() if typing.get_origin(value) is typing.Annotated])
def test_every_option_is_described(name: str) -> None:
    _, info = typing.get_args(getattr(options, name))
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


def test_rules_that_nobody_needs_are_not_in_the_help() -> None:
    from relhash.cli.fit import fit

    hint = typing.get_type_hints(fit, include_extras=True)["threshold"]
    (info,) = [part for part in typing.get_args(hint) if isinstance(part, typer.models.OptionInfo)]
    assert "precision:0.8" in (info.help or "")
    for rule in ("top-k", "score", "prior"):
        assert rule not in (info.help or "")
