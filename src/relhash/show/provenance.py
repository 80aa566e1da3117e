"""Who made a result, when, on what and with what: written into every file of results."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from relhash.resources.inventory import describe_installation

PACKAGE = Path(__file__).resolve().parents[1]


@cache
def commit() -> str:
    """The commit of the sources in use, with ``+`` if they were changed since; without git, their version.

    >>> bool(commit())
    True
    """
    found = _git("rev-parse", "--short=10", "HEAD")
    if not found:
        return f"version {describe_installation().relhash}"
    return found + ("+" if _git("status", "--porcelain", "--untracked-files=no", "--", str(PACKAGE)) else "")


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(PACKAGE), *arguments], capture_output=True, text=True, timeout=20, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def day_of(file: Path) -> str:
    """The day of the commit that last changed a file of the repository; empty without git."""
    return _git("log", "-1", "--format=%as", "--", str(file))


def made_now() -> str:
    """Commit and day of a cell that is finished now."""
    return f"{commit()} {datetime.now(UTC):%Y-%m-%d}"


@cache
def shipped_parses() -> str:
    """What the pipeline that ships calls its parses where entities are blinded, as models read text.

    >>> shipped_parses()
    'biomed_en ... blinded'
    """
    from relhash.language import Pipeline

    return str(Pipeline(entities="none", blind=True).source)


def provenance(parse_source: str, cells_made: Iterable[str] = ()) -> dict[str, Any]:
    """What a file of results says of itself: ``parse_source`` is the pipeline whose parses were used (empty: the corpus's
    own), ``cells_made`` commit and day of each cell, so that a table of several commits says so."""
    installed = describe_installation()
    command = [Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python", *sys.argv[1:]]
    return {
        "command": shlex.join(command),
        "commit": commit(),
        "date": f"{datetime.now(UTC):%Y-%m-%dT%H:%MZ}",
        "machine": {"cpu": installed.cpu, "threads": installed.threads, "platform": installed.platform},
        "versions": {"relhash": installed.relhash, "python": installed.python, **installed.packages},
        "parse source": parse_source or "the corpus files",
        "cells": dict(Counter(cells_made)),
    }
