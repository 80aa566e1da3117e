"""Who is asked, and what a stranger has to know."""

from __future__ import annotations

import getpass
import os
import secrets

from pydantic import TypeAdapter, ValidationError

from relhash.curate.messages import CuratorName
from relhash.curate.server.security import is_loopback
from relhash.errors import ParameterError

TOKEN_VARIABLE = "RELHASH_TOKEN"
"""A token that is given rather than made; in the environment, because what stands on a command line others can read."""
SHORTEST = 16


def curator_name(given: str | None) -> str:
    """A name for answers: the one that was given, or the login name."""
    try:
        name = given or getpass.getuser()
    except (KeyError, OSError):  # a container may know no user
        name = "curator"
    try:
        return str(TypeAdapter(CuratorName).validate_python(name))
    except ValidationError:
        raise ParameterError(f"--curator: {name!r} is no name; give 1 to 80 characters that can be seen") from None


def token_for(host: str, *, wanted: bool) -> str | None:
    """The token of the server: needed if it can be reached from elsewhere, new each time unless the environment has one."""
    given = os.environ.get(TOKEN_VARIABLE, "")
    if given and (len(given) < SHORTEST or not given.isascii() or not given.replace("-", "").replace("_", "").isalnum()):
        raise ParameterError(f"{TOKEN_VARIABLE}: at least {SHORTEST} letters, digits, - or _ are needed")
    if given:
        return given
    return secrets.token_urlsafe(24) if wanted or not is_loopback(host) else None
