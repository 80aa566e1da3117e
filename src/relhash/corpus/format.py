"""What a file format is: how it is called, recognised, read and written."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from relhash.corpus.document import Document
from relhash.corpus.source import content_name


@dataclass(frozen=True, slots=True)
class Format:
    """How a format is called, recognised, read and written.

    Parameters
    ----------
    name, description
        As the user sees them.
    suffixes
        Of its files, before a ``.gz``.
    reader
        A function ``reader(path, *, on_error=None, …)`` that gives documents; further keyword arguments are its options.
        ``on_error`` is for :func:`relhash.corpus.remarks.without_broken`. Or where such a function is, ``"module:function"``,
        to be imported when the format is first used.
    writer
        A function ``writer(documents, path)`` or its place, if the format can be written.
    aliases
        Other names.
    writes_folder
        Whether several files are written, into a folder.
    leaves_out
        What the writer drops without complaint (parts that can be made again or belong to other tools), in the words of
        :mod:`relhash.corpus.contents`; content that it should hold but cannot is refused by the writer itself.
    holds_attributes
        Whether it has a place for attributes, such as the probability of a predicted relation; else its writer refuses them.
    recognises
        Whether the first characters of a file prove that it is of this format (see :mod:`relhash.corpus.recognition`), for
        formats that share a suffix with others.
    xml_roots
        Names of the outermost element of an XML format.

    Examples
    --------
    >>> def read_shouting(path, *, on_error=None):
    ...     yield Document(path.stem, path.read_text().lower())
    >>> shouting = Format("shouting", "text in capitals", (".loud",), read_shouting)
    >>> shouting.fits_name(Path("abstracts.loud.gz"))
    True
    """

    name: str
    description: str
    suffixes: tuple[str, ...]
    reader: Callable[..., Iterable[Document]] | str
    writer: Callable[[Iterable[Document], Path], None] | str | None = None
    aliases: tuple[str, ...] = ()
    writes_folder: bool = False
    leaves_out: tuple[str, ...] = ()
    holds_attributes: bool = True
    recognises: Callable[[str], bool] | None = None
    xml_roots: tuple[str, ...] = ()

    @staticmethod
    def load(function: Callable[..., Any] | str) -> Callable[..., Any]:
        """The reader or writer, imported now."""
        if callable(function):
            return function
        module, _, name = function.partition(":")
        loaded: Callable[..., Any] = getattr(import_module(module), name)
        return loaded

    def fits_name(self, path: Path) -> bool:
        """Whether the file's suffix (before a ``.gz``) is one of this format."""
        return bool(self.fitting_suffix(path))

    def fitting_suffix(self, path: Path) -> str:
        """The longest of its suffixes that the file has (before a ``.gz``); empty if it has none."""
        name = content_name(path).lower()
        return max((suffix for suffix in self.suffixes if name.endswith(suffix)), key=len, default="")
