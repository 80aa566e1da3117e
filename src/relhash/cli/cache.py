"""``relhash cache show|check|clear``: what is kept between runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from relhash.cli import options
from relhash.cli.console import check_failed, note, print_json, print_table
from relhash.cli.options import argument


def cache(
    said: options.Verbosity,
    action: Annotated[str, argument("show|check|clear", "show: what there is; check: is it whole; clear: remove it.")] = "show",
) -> None:
    """Show, check or clear what is kept between runs: compiled code, parses, unpacked tables.

    Nothing here is needed: what is missing or damaged is made again. check ends with exit code 1 if something is damaged.
    """
    from relhash.errors import ParameterError

    if action not in ("show", "check", "clear"):
        raise ParameterError(f"cache: {action!r} is none of show, check, clear")
    folders = kept_folders()
    if action == "clear":
        removed = sum(folder.clear() for folder in folders)
        if said.as_json:
            print_json({"removed": removed})
        note(f"{removed:,} files removed", quiet=said.silent)
        return
    sizes = [folder.size() for folder in folders]
    damaged = [[str(path) for path in folder.damaged()] if action == "check" else [] for folder in folders]
    rows: list[dict[str, Any]] = [
        {"what": one.name, "folder": one.folder, "files": size[0], "bytes": size[1]}
        | ({"damaged": broken} if action == "check" else {})
        for one, size, broken in zip(folders, sizes, damaged)
    ]
    if said.as_json:
        print_json(rows)
    else:
        shown = [
            [
                row["what"],
                row["files"],
                f"{row['bytes'] / 1e6:.1f}",
                len(row["damaged"]) if action == "check" else None,
                row["folder"],
            ]
            for row in rows
        ]
        print_table(("kept", "files", "MB", "damaged", "folder"), shown, left=(0, 4))
    if number := sum(map(len, damaged)):
        check_failed(f"{number:,} damaged file{'s' * (number != 1)}; the next run makes anew what it needs of them")


@dataclass(frozen=True)
class KeptFolder:
    """A folder of files that can all be made again."""

    name: str
    folder: Path
    patterns: tuple[str, ...]
    """Which files below it are ours: the folder may be the user's own choice, with other things in it."""
    damaged: Callable[[], Iterable[Path]]

    def files(self) -> Iterator[Path]:
        for pattern in self.patterns:
            yield from (path for path in sorted(self.folder.glob(pattern)) if path.is_file())

    def size(self) -> tuple[int, int]:
        """How many files, and their bytes."""
        count = total = 0
        for path in self.files():
            with contextlib.suppress(OSError):
                total += path.stat().st_size
                count += 1
        return count, total

    def clear(self) -> int:
        """Remove all; how many that were."""
        removed = 0
        for path in self.files():
            with contextlib.suppress(OSError):
                path.unlink()
                removed += 1
        return removed


def kept_folders() -> list[KeptFolder]:
    """Compiled code, parses and unpacked tables of this user."""
    from relhash.compilation import compiled_folder
    from relhash.compiled_files import damaged_files
    from relhash.kept_tables import SUFFIX, damaged_tables, tables_folder
    from relhash.language.parse_cache import ParseCache

    compiled, parses, tables = compiled_folder(), ParseCache(), tables_folder()
    return [
        KeptFolder("compiled code", compiled, ("*-*/**/*.nb[ic]", "*-*/**/*.nb?.tmp.*"), lambda: damaged_files(compiled)),
        KeptFolder("parses", parses.folder, ("??/*", "??/.*.tmp"), parses.damaged),
        KeptFolder("unpacked tables", tables, (f"*{SUFFIX}", ".*.tmp"), lambda: damaged_tables(tables)),
    ]
