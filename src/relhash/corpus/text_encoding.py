"""In which encoding a text is written, when it is not given: UTF-8, what Excel calls "Unicode" (UTF-16), or Windows-1252.

Only formats that people make by hand ask here (tables, plain text). A guess is never silent: see :func:`decoded`.
"""

from __future__ import annotations

import codecs
import re
import warnings
from pathlib import Path

from relhash.errors import CorpusError, ParameterError, RelHashNote

UTF8, UTF16, WINDOWS = "utf-8", "utf-16", "windows-1252"

_SAMPLE = 4096
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_FOREIGN_WORD = re.compile(r"\w{0,20}[^\x00-\x7f]\w{0,20}")


def check_encoding(name: str) -> str:
    """The name if Python knows such an encoding of text.

    >>> check_encoding("windows-1252")
    'windows-1252'
    """
    try:
        known = codecs.lookup(name)
        "".encode(name)  # not what only turns bytes into bytes, such as base64
    except (LookupError, ValueError):
        raise ParameterError(f"the encoding {name!r} is not known; common ones are utf-8, utf-16, windows-1252") from None
    return name if known else UTF8


def guessed_encoding(data: bytes, *, is_whole: bool = True) -> str | None:
    """The encoding that ``data`` bears out, or nothing; a file's head (not ``is_whole``) may end inside a character.

    >>> guessed_encoding("Präparat".encode("windows-1252")), guessed_encoding("naïve".encode()), guessed_encoding(b"\\x81\\x8d")
    ('windows-1252', 'utf-8', None)
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return UTF16
    sample = data[:_SAMPLE]
    halves = sample[0::2].count(0), sample[1::2].count(0)
    if max(halves) > 0.2 * len(sample) and min(halves) < 0.1 * max(halves):  # every second byte of Latin letters is zero
        return "utf-16-le" if halves[1] > halves[0] else "utf-16-be"
    try:
        codecs.getincrementaldecoder(UTF8)().decode(data, is_whole)
        return UTF8
    except UnicodeDecodeError:
        pass
    return WINDOWS if _is_windows(data) else None


def decoded(data: bytes, path: Path, encoding: str | None) -> str:
    """``data`` as text in the given encoding; without one it is guessed, and a guess other than UTF-8 is reported."""
    if encoding is None:
        guess = guessed_encoding(data)
        if guess is None:
            raise _not_text(data, path)
        try:
            text = data.decode(guess)
        except UnicodeDecodeError as error:  # begins as UTF-16 does, and is none
            raise _not_text(data, path) from error
        if guess != UTF8:
            shown = _FOREIGN_WORD.search(text)
            example = f" ({shown[0][:20]!r})" if shown else ""
            warnings.warn(
                f"{path}: not UTF-8, read as {guess}{example}; if that is wrong, name the encoding (--encoding)",
                RelHashNote,
                stacklevel=2,
            )
        return text
    try:
        return data.decode(check_encoding(encoding))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CorpusError(
            f"not {encoding} text", path=path, where=line, remedy="name another encoding (--encoding), or let it be guessed"
        ) from error


def _is_windows(data: bytes) -> bool:
    """Whether it is text of that kind, and not UTF-8 with a damaged byte or two, nor something that is no text at all."""
    from charset_normalizer import from_bytes

    as_utf8 = data.decode(UTF8, errors="replace")
    wrong = as_utf8.count("\ufffd")
    is_damaged = sum(character > "\x7f" for character in as_utf8) - wrong >= wrong
    return not is_damaged and not _CONTROL.search(data) and from_bytes(data, cp_isolation=[WINDOWS]).best() is not None


def _not_text(data: bytes, path: Path) -> CorpusError:
    try:
        data.decode(UTF8)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return CorpusError(
            "not UTF-8 text, and neither UTF-16 nor Windows-1252",
            path=path,
            where=line,
            remedy="correct the bytes in this line, or name the encoding (--encoding)",
        )
    return CorpusError("not text", path=path)
