"""Whether the packages of the extra ``web`` are there."""

from __future__ import annotations

from importlib.util import find_spec

from relhash.errors import DataMissingError

PACKAGES = ("fastapi", "uvicorn", "sqlalchemy", "jinja2")


def need_web(command: str) -> None:
    """An error with the remedy if a package is missing."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise DataMissingError(f"{command} needs {', '.join(missing)}, not installed; pip install 'relhash[web]'")
