"""What is installed: versions, the machine, shipped files with their hash, optional parts. Nothing heavy is imported."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import re
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from relhash.resources import resource_path


@dataclass(frozen=True, slots=True)
class Resource:
    """A folder of shipped files; ``sha256`` is over names and contents, so any difference shows."""

    name: str
    files: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Installation:
    """The answer to "what exactly are you running?"."""

    relhash: str
    python: str
    platform: str
    cpu: str
    threads: int
    cache: Path
    packages: dict[str, str | None]
    """Version of each package of the core install; ``None`` when it is missing."""
    resources: tuple[Resource, ...]
    extras: dict[str, tuple[str, ...]]
    """What each optional part lacks; empty when it is installed."""


def describe_installation() -> Installation:
    """Look at this installation.

    >>> describe_installation().packages["numpy"]
    '...'
    """
    core, extras = _requirements()
    return Installation(
        relhash=importlib.metadata.version("relhash"),
        python=platform.python_version(),
        platform=platform.platform(),
        cpu=_processor(),
        threads=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        cache=Path(platformdirs.user_cache_dir("relhash", appauthor=False)),
        packages={name: _version(name) for name in core},
        resources=tuple(_describe(folder) for folder in sorted(resource_path().iterdir()) if _is_resource(folder)),
        extras={extra: tuple(name for name in names if _version(name) is None) for extra, names in extras.items()},
    )


def _requirements() -> tuple[list[str], dict[str, list[str]]]:
    """Packages of the core install and of each extra, from the metadata of the installed distribution."""
    core: list[str] = []
    extras: dict[str, list[str]] = {}
    for requirement in importlib.metadata.requires("relhash") or ():
        name = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
        extra = re.search(r"extra\s*==\s*['\"]([^'\"]+)", requirement)
        if extra is None:
            core.append(name)
        elif extra[1] not in ("dev", "tools"):  # for those who build RelHash, not for those who use it
            extras.setdefault(extra[1], []).append(name)
    return core, extras


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.is_file():
        model = re.search(r"^model name\s*:\s*+(.+)$", cpuinfo.read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
        if model:
            return model[1]
    return platform.processor() or platform.machine()


def _is_resource(folder: Path) -> bool:
    return folder.is_dir() and not folder.name.startswith("_")


def _describe(folder: Path) -> Resource:
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    digest = hashlib.sha256()
    for path in paths:
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest.update(f"{path.relative_to(folder).as_posix()} {content}\n".encode())
    return Resource(folder.name, len(paths), sum(path.stat().st_size for path in paths), digest.hexdigest())
