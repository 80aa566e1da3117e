"""An output must not take the place of a file that the same command reads: labels typed by hand would be gone.

Looked at once for all commands, by the names of their parameters, before anything is done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from relhash.errors import OutputError
from relhash.files import exists, is_file

_OUTPUTS = ("output", "plot", "picture")
"""What commands call the files that they write; every other path is read."""
_REPLACED = {("adapt", "model")}
"""A model that is moved to other text may take the place of the one it was made from."""


def refuse_own_input(command: str, arguments: Mapping[str, Any]) -> None:
    """Refuse a command whose output is one of the files that it reads.

    Raises
    ------
    OutputError
        If it is, by whatever name.
    """
    for name in _OUTPUTS:
        output = arguments.get(name)
        if not isinstance(output, Path) or not is_file(output) or not exists(output) or output.is_dir():
            continue
        for read in _paths_read(command, arguments):
            if exists(read) and read.samefile(output):
                raise OutputError(f"{output}: this file is read by the same command and would be lost; choose another name")


def _paths_read(command: str, arguments: Mapping[str, Any]) -> Iterator[Path]:
    for name, value in arguments.items():
        if name not in _OUTPUTS and (command, name) not in _REPLACED:
            yield from (path for path in (value if isinstance(value, list) else [value]) if isinstance(path, Path))
