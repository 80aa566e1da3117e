"""Where a parse comes from: parser, version and scheme of labels.

A model fitted on the parses of one source misreads those of another, so the source travels with every sentence
(``Sentence.parser``) and with every model file, as one short string.
"""

from __future__ import annotations

from dataclasses import dataclass

from relhash.errors import LanguageError


@dataclass(frozen=True, slots=True)
class ParseSource:
    """Identity of a source of parses; its text form is what ``Sentence.parser`` holds.

    >>> source = ParseSource("biomed_en", "1.0.0", "craft")
    >>> str(source)
    'biomed_en 1.0.0 (craft)'
    >>> ParseSource.from_text(str(source)) == source
    True
    """

    name: str
    version: str
    scheme: str
    blinded: bool = False
    """Whether entities were replaced by a placeholder before parsing (see :mod:`relhash.language.words`)."""

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.scheme}){' blinded' if self.blinded else ''}"

    @classmethod
    def from_text(cls, text: str) -> ParseSource:
        """The source that ``text`` names; parses of corpus files ("Charniak-Lease") have no such form and are refused."""
        plain = text.removesuffix(" blinded")
        source, _, scheme = plain.removesuffix(")").rpartition(" (")
        name, _, version = source.rpartition(" ")
        if not (name and version and scheme and plain.endswith(")")):
            raise LanguageError(f"{text!r} names no parser of RelHash; parses of a corpus file carry only the file's own name")
        return cls(name, version, scheme, blinded=plain != text)
