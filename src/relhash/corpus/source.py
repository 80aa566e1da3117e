"""Where bytes come from and go to: gzip, encodings, byte-order marks, line ends, standard input and output.

Every reader takes its input from here, so that a damaged archive or a file in another encoding gives the same clear error in
every format. ``Path("-")`` is standard input (and output).
"""

from __future__ import annotations

import atexit
import codecs
import contextlib
import gzip
import io
import os
import re
import select
import stat
import sys
import tempfile
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, TextIO, cast

from relhash.errors import CorpusError, ParameterError, RelHashNote
from relhash.files import STANDARD_STREAM, check_ends, replacing
from relhash.visible import visible_lines

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def is_workbook(data: bytes) -> bool:
    """Whether a file begins as a zip archive does, whatever it is called."""
    return data.startswith(_ZIP)


def is_old_workbook(data: bytes) -> bool:
    """Whether a file is of the kind that Excel wrote before 2007."""
    return data.startswith(_OLE)


LARGEST_RATIO = 200
"""Bytes that a packed byte may unpack to; text has 3 to 30."""
ALWAYS_ALLOWED = 64 << 20
"""Bytes that may be unpacked whatever the ratio."""
A_MOMENT = 0.5
"""Seconds for which a pipe is waited for at a time."""

_kept: dict[tuple[str, int, int], Path] = {}


def open_source(path: Path) -> BinaryIO:
    """The bytes of a file. A pipe (``<(zcat …)``) is kept in a temporary file, because formats look before they read."""
    status = path.stat()
    check_ends(path)
    if not stat.S_ISFIFO(status.st_mode):
        return path.open("rb")
    place = os.fspath(path), status.st_dev, status.st_ino
    if place not in _kept:
        descriptor, name = tempfile.mkstemp(prefix="relhash-", suffix=".pipe")
        atexit.register(_forget, Path(name))
        try:
            with open(descriptor, "wb") as copy, path.open("rb", buffering=0) as pipe:
                while piece := _next(pipe):
                    copy.write(piece)
        except BaseException:
            _forget(Path(name))
            raise
        _kept[place] = Path(name)
    return _kept[place].open("rb")


def _next(pipe: io.FileIO) -> bytes:
    """What a pipe holds as soon as it holds something; nothing at its end.

    Python notices a signal that comes just before it begins to read only when it has read, which may be never: so it looks up
    from time to time while it waits.
    """
    while not select.select([pipe], [], [], A_MOMENT)[0]:
        pass
    return pipe.read(1 << 16) or b""


def standard_input() -> BinaryIO:
    """Standard input as bytes; an error if there is none (``<&-``)."""
    if sys.stdin is None or sys.stdin.closed:
        raise CorpusError("standard input is closed", remedy="give a file, or pipe the text in: cat text | relhash …")
    return cast(BinaryIO, sys.stdin.buffer)


class CountedReader(io.RawIOBase):
    """A stream that knows how many bytes were taken from it."""

    def __init__(self, source: Any) -> None:
        self.source, self.count = source, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self.source.read1(len(buffer)) if hasattr(self.source, "read1") else self.source.read(len(buffer))
        buffer[: len(data)] = data
        self.count += len(data)
        return len(data)


class UnpackedReader(CountedReader):
    """A gzip archive unpacked, as long as it unpacks to what a text may."""

    def __init__(self, source: BinaryIO, path: Path) -> None:
        self.packed, self.path = CountedReader(source), path
        super().__init__(gzip.GzipFile(fileobj=io.BufferedReader(self.packed), mode="rb"))

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        size = super().readinto(buffer)
        if self.count > max(ALWAYS_ALLOWED, LARGEST_RATIO * self.packed.count):
            problem = f"the gzip archive unpacks to more than {LARGEST_RATIO} times its size, which no text does"
            raise CorpusError(problem, self.path, remedy="if it is right nevertheless, unpack it first: gunzip")
        return size


def _forget(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


UTF8, UTF16, WINDOWS = "utf-8", "utf-16", "windows-1252"

_SAMPLE = 4096
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_FOREIGN_WORD = re.compile(r"\w{0,20}[^\x00-\x7f]\w{0,20}")


def check_encoding(name: str) -> str:
    """The name if Python knows such an encoding of text."""
    try:
        known = codecs.lookup(name)
        "".encode(name)  # not what only turns bytes into bytes, such as base64
    except (LookupError, ValueError):
        raise ParameterError(f"the encoding {name!r} is not known; common ones are utf-8, utf-16, windows-1252") from None
    return name if known else UTF8


def guessed_encoding(data: bytes, *, is_whole: bool = True) -> str | None:
    """The encoding that ``data`` bears out, or nothing; a file's head (not ``is_whole``) may end inside a character."""
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
            f"not {encoding} text", path, line, remedy="name another encoding (--encoding), or let it be guessed"
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
        remedy = "correct the bytes in this line, or name the encoding (--encoding)"
        return CorpusError("not UTF-8 text, and neither UTF-16 nor Windows-1252", path, line, remedy=remedy)
    return CorpusError("not text", path)


_GZIP_MAGIC = b"\x1f\x8b"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@contextlib.contextmanager
def open_bytes(path: Path) -> Iterator[BinaryIO]:
    """Open a file for reading as bytes; gzip is recognised by its first bytes, not by the name.

    Damage to the archive found while the block reads becomes a :class:`CorpusError`.
    """
    try:
        raw = standard_input() if path == STANDARD_STREAM else open_source(path)
    except OSError as error:
        raise _unreadable(path, error) from error
    with contextlib.ExitStack() as stack:
        if path != STANDARD_STREAM:
            stack.enter_context(raw)
        buffered = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, raw))
        try:
            start = buffered.peek(2)[:2]
        except OSError as error:  # a folder, a broken disk
            raise _unreadable(path, error) from error
        if start != _GZIP_MAGIC:
            yield buffered
            return
        try:
            with io.BufferedReader(UnpackedReader(cast(BinaryIO, buffered), path)) as unpacked:
                yield cast(BinaryIO, unpacked)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise CorpusError(
                f"the gzip archive is damaged or cut off ({error})", path, remedy="copy or download it again"
            ) from error


@contextlib.contextmanager
def open_text(path: Path, encoding: str = UTF8, *, newline: str | None = None) -> Iterator[TextIO]:
    """Open a file for reading as text, as :func:`open_bytes` does; lone surrogates pass."""
    with open_bytes(path) as handle:
        text = io.TextIOWrapper(handle, encoding=encoding, errors="surrogatepass", newline=newline)
        try:
            yield text
        finally:
            text.detach()  # whoever opened the bytes closes them; standard input stays open


def read_text(path: Path, *, keep_layout: bool = False, may_be_empty: bool = False, encoding: str | None = UTF8) -> str:
    """The whole file as text. A byte-order mark is removed and line ends become ``\\n``.

    ``keep_layout`` leaves both as they are, for formats whose offsets count the characters of the file as it stands.
    ``encoding=None`` guesses it, see :func:`decoded`.
    """
    with open_bytes(path) as handle:
        data = handle.read()
    if not data and not may_be_empty:
        raise _empty(path)
    if encoding == UTF8:
        try:
            text = data.decode(UTF8)
        except UnicodeDecodeError as error:
            raise _wrong_encoding(path, data.count(b"\n", 0, error.start) + 1, data[:2]) from error
    else:
        text = decoded(data, path, encoding)
    return text if keep_layout else text.removeprefix("\ufeff").replace("\r\n", "\n")


def first_bytes(path: Path) -> bytes:
    """Enough of a file to tell what is no text by its first bytes."""
    with open_bytes(path) as handle:
        return handle.read(64)


def head(path: Path, size: int) -> str:
    """The first bytes of a file as text, whatever its encoding; without a byte-order mark."""
    with open_bytes(path) as handle:
        data = handle.read(size)
    encoding = guessed_encoding(data, is_whole=False) or UTF8
    return data.decode(encoding, errors="ignore").removeprefix("\ufeff")


def head_encoding(path: Path) -> str | None:
    """The encoding that the beginning of a file bears out."""
    with open_bytes(path) as handle:
        return guessed_encoding(handle.read(1 << 16), is_whole=False)


def iterate_lines(path: Path, *, may_be_empty: bool = False) -> Iterator[tuple[int, str]]:
    """Line numbers (from 1) and lines without their ends, read as they are needed.

    Only ``\\n`` and ``\\r\\n`` end a line: other separators of Unicode occur inside text.
    """
    number, mark = 0, b""
    with open_bytes(path) as handle:
        for number, raw in enumerate(handle, 1):
            try:
                line = raw.decode("utf-8")
            except UnicodeDecodeError as error:
                raise _wrong_encoding(path, number, mark or raw[:2]) from error
            if number == 1:
                mark, line = raw[:2], line.removeprefix("\ufeff")
            yield number, line.removesuffix("\n").removesuffix("\r")
    if number == 0 and not may_be_empty:
        raise _empty(path)


def filled_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Line numbers and lines as :func:`iterate_lines` gives them, without blank ones; a file of blank lines is an error."""
    is_blank = True
    for number, line in iterate_lines(path):
        if line.strip():
            is_blank = False
            yield number, line
    if is_blank:
        raise CorpusError("no documents, only blank lines", path)


class _Terminal(io.TextIOWrapper):
    """Standard output that a person looks at: what stands in a text must not command the terminal."""

    def write(self, text: str) -> int:
        return super().write(visible_lines(text))


@contextlib.contextmanager
def writing(path: Path) -> Iterator[TextIO]:
    """Open a text file that appears complete or not at all; a name that ends in ``.gz`` is compressed."""
    if path == STANDARD_STREAM:
        # our formats are UTF-8 whatever the terminal speaks
        kind = _Terminal if sys.stdout.isatty() else io.TextIOWrapper
        printed = kind(sys.stdout.buffer, encoding="utf-8", newline="\n")
        try:
            yield printed
            printed.flush()
        finally:
            printed.detach()
        return
    try:
        with replacing(path, "wb") as handle, contextlib.ExitStack() as stack:
            target: IO[bytes] = handle
            if path.suffix.lower() == ".gz":
                # no name and no time in the header: the same corpus gives the same bytes
                packed = stack.enter_context(gzip.GzipFile(filename="", mode="wb", fileobj=handle, mtime=0, compresslevel=6))
                target = cast(IO[bytes], packed)
            text = io.TextIOWrapper(target, encoding="utf-8", newline="\n")
            yield text
            text.flush()
            text.detach()
    except FileNotFoundError as error:
        remedy = f"make it first: mkdir -p {path.parent}"
        raise CorpusError("the folder of the output does not exist", path, remedy=remedy) from error
    except PermissionError as error:
        raise CorpusError("no permission to write here", path, remedy="choose another place") from error


def content_name(path: Path) -> str:
    """The file's name without the ``.gz`` that hides its real suffix."""
    return path.name[:-3] if path.name.lower().endswith(".gz") else path.name


def _empty(path: Path) -> CorpusError:
    return CorpusError("the file is empty", path, remedy="check that it was written or downloaded completely")


def _unreadable(path: Path, error: OSError) -> CorpusError:
    reasons: dict[type[OSError], tuple[str, str | None]] = {
        FileNotFoundError: ("there is no such file or folder", "check the path"),
        IsADirectoryError: ("this is a folder, not a file", None),
        PermissionError: ("no permission to read it", "check its access rights"),
    }
    message, remedy = reasons.get(type(error), (f"it cannot be read ({error.strerror or error})", None))
    return CorpusError(message, path, remedy=remedy)


def _wrong_encoding(path: Path, line: int, start: bytes) -> CorpusError:
    found = "it looks like UTF-16" if start in _UTF16_MARKS else "it may be Latin-1 or Windows-1252"
    source = "UTF-16" if start in _UTF16_MARKS else "WINDOWS-1252"
    return CorpusError(
        f"not UTF-8 text ({found})", path, line, remedy=f"convert it: iconv -f {source} -t UTF-8 {path.name} > new"
    )
