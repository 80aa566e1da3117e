"""The page of ``--help``: an option that is only said or not said shows no type, since nothing follows it."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup


def _without_types_of_flags(params: list[Any]) -> list[Any]:
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
    return params


class PlainCommand(TyperCommand):
    """A command whose help writes ``--quiet``, not ``--quiet <bool>``."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types_of_flags(super().get_params(ctx))


class PlainGroup(TyperGroup):
    """The same for ``relhash`` itself."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _without_types_of_flags(super().get_params(ctx))
