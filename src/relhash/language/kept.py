"""The folders of what is kept between runs, to be shown, checked and cleared."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from relhash.compilation import compiled_folder
from relhash.compiled_cache import damaged_files
from relhash.language.parse_cache import ParseCache


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
    """Compiled code and parses of this user."""
    compiled, parses = compiled_folder(), ParseCache()
    return [
        KeptFolder("compiled code", compiled, ("*-*/**/*.nb[ic]", "*-*/**/*.nb?.tmp.*"), lambda: damaged_files(compiled)),
        KeptFolder("parses", parses.folder, ("??/*", "??/.*.tmp"), parses.damaged),
    ]
