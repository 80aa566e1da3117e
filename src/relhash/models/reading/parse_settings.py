"""Where the parses that a model reads come from: chosen once, when it is fitted, and kept in its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from relhash.errors import ModelFileError

AUTO, FILE, EMBEDDED = "auto", "file", "embedded"


@dataclass(frozen=True, slots=True)
class ParseSettings:
    """Where parses come from, as plain data of a model file.

    Parameters
    ----------
    source
        ``"file"``: what the corpora carry. ``"embedded"``: the pipeline that ships with RelHash. Anything else is the folder or
        the installed package of a spaCy model with a parser.
    blind
        Replace entities by a placeholder noun before parsing.
    collapse
        Bring the parses into the scheme ``stanford-collapsed``.
    parser
        What the pipeline calls itself; filled in when a model is fitted, checked when it is used.
    types
        Types of entities to look for in text that has none; filled in from the training text. ``None``: all.
    """

    source: str = FILE
    blind: bool = True
    collapse: bool = True
    parser: str = ""
    types: tuple[str, ...] | None = None

    @property
    def uses_pipeline(self) -> bool:
        return self.source != FILE

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any], *, trusted: str | None = None) -> ParseSettings:
        """The settings of a file. A spaCy model is code that would run, so a file may name only what ships.

        ``trusted`` is the one other source that the user, not the file, has named.
        """
        types, source = given["types"], str(given["source"])
        if source not in (FILE, EMBEDDED, trusted):
            raise ModelFileError(
                f"it reads text with the spaCy model {source!r}, which does not ship with RelHash, and loading that runs its "
                f"code; if you trust it, name it yourself: --parses {source} (in Python: parses={source!r})"
            )
        return cls(
            source,
            bool(given["blind"]),
            bool(given["collapse"]),
            str(given["parser"]),
            None if types is None else tuple(map(str, types)),
        )
