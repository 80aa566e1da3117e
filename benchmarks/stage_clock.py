"""A clock for programs that we do not change: processor time by stage, of this code and of the code of a commit.

No question of its own; `whole_way.py` measures with it.
"""

from __future__ import annotations

import functools
import importlib
import io
import subprocess
import tarfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
REST = "everything else"

Stages = Mapping[str, Sequence[str]]
"""Stage → the functions that do it (``module:Class.method``); what one calls of another stage counts there."""


class Stopwatch:
    """Processor time of the innermost stage that is running."""

    def __init__(self, stages: Stages) -> None:
        self.stages = stages
        self.seconds = dict.fromkeys([*stages, REST], 0.0)
        self.running, self.since = [REST], time.process_time()

    def _charge(self) -> None:
        now = time.process_time()
        self.seconds[self.running[-1]] += now - self.since
        self.since = now

    def enter(self, stage: str) -> None:
        self._charge()
        self.running.append(stage)

    def leave(self) -> None:
        self._charge()
        self.running.pop()

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **options: Any) -> Any:
            self.enter(stage)
            try:
                result = function(*args, **options)
            finally:
                self.leave()
            return self._steps(stage, result) if hasattr(result, "__next__") else result

        return wrapper

    def _steps(self, stage: str, iterator: Any) -> Any:
        while True:
            self.enter(stage)
            try:
                item = next(iterator)
            except StopIteration:
                return
            finally:
                self.leave()
            yield item

    def watch(self) -> list[str]:
        """Let the functions of all stages report here; the names that were found (a version may lack some)."""
        found = []
        for stage, names in self.stages.items():
            for name in names:
                module, _, path = name.partition(":")
                *owners, attribute = path.split(".")
                try:
                    owner = functools.reduce(getattr, owners, importlib.import_module(module))
                    given = vars(owner)[attribute]
                except (ImportError, AttributeError, KeyError):
                    continue
                is_of_class = isinstance(given, classmethod | staticmethod)
                wrapped = self.timed(stage, given.__func__ if is_of_class else given)
                setattr(owner, attribute, type(given)(wrapped) if is_of_class else wrapped)
                found.append(name)
        return found

    def taken(self) -> dict[str, float]:
        """Seconds by stage so far, without those that did not run."""
        self._charge()
        return {stage: seconds for stage, seconds in self.seconds.items() if seconds}


def unpacked(commit: str, folder: Path) -> Path:
    """The package as it was at a commit."""
    packed = subprocess.run(["git", "-C", ROOT, "archive", commit, "src"], capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"
