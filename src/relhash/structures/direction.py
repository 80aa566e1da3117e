"""Which way a relation runs: what the roles of an annotation mean, never the order in which a file lists them.

=========================================  ======================================================================
roles                                      direction
=========================================  ======================================================================
a cause and a theme, by any of their       from the cause to the theme: ``Theme:T1 Cause:T2`` runs from T2 to T1
names (agent, catalyst, regulator, source;
patient, affected, target, object)
one name with numbers (``Arg1``, ``Arg2``)  from the lower number to the higher
two themes, ``e1`` and ``e2``, others      both ways: no direction is stated
=========================================  ======================================================================
"""

from __future__ import annotations

import re
from functools import lru_cache

CAUSE, THEME, THEME2, SITE = "cause", "theme", "theme2", "site"
_NAMES = {
    CAUSE: ("cause", "causer", "catalyst", "agent", "actor", "regulator", "controller", "effector", "source", "subject",
            "from"),
    THEME: (
        "theme", "affected", "entity", "patient", "regulated", "controlled", "target", "object", "substrate", "product", "to",
    ),
    SITE: ("site", "csite"),
}  # fmt: skip
_MEANINGS = {name: meaning for meaning, names in _NAMES.items() for name in names}
_NUMBERED = re.compile(r"(.*?)(\d+)\Z")
_WITHOUT_ORDER = frozenset({"e", "entity", "theme", "participant", "member"})
"""Names whose numbers only tell participants apart."""


@lru_cache(maxsize=4096)
def role_of(name: str) -> str | None:
    """What the role of some annotation means here, without its number; ``None`` for roles that do not count.

    >>> role_of("Theme2"), role_of("catalyst"), role_of("AtLoc")
    ('theme', 'cause', None)
    """
    return _MEANINGS.get(name.lower().rstrip("0123456789"))


@lru_cache(maxsize=4096)
def runs(role: str, other: str) -> tuple[bool, bool]:
    """Whether a relation runs from the participant in ``role`` to the one in the ``other`` role, and whether back.

    >>> runs("Cause", "Theme"), runs("Theme", "Agent"), runs("Arg1", "Arg2"), runs("Theme", "Theme2"), runs("e1", "e2")
    ((True, False), (False, True), (True, False), (True, True), (True, True))
    """
    if {role_of(role), role_of(other)} == {CAUSE, THEME}:
        return role_of(role) == CAUSE, role_of(role) == THEME
    one, two = _NUMBERED.match(role.lower()), _NUMBERED.match(other.lower())
    if one and two and one[1] == two[1] and one[1] not in _WITHOUT_ORDER and one[2] != two[2]:
        return int(one[2]) < int(two[2]), int(one[2]) > int(two[2])
    return True, True
