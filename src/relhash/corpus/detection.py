"""Which format a file or folder has: by suffix where that is enough, by its first bytes where several formats share one."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from relhash.corpus.formats import FORMATS, Format, all_formats, format_by_name, readable_suffixes, xml_root
from relhash.corpus.source import content_name, first_bytes, head, is_old_workbook, is_workbook
from relhash.corpus.text import SENTENCE_END
from relhash.errors import CorpusError, RelHashWarning
from relhash.files import STANDARD_STREAM

_HEAD_BYTES = 16384
_NAMED = 3
"""Files that a warning names before it says "…"."""
_PARAGRAPH = 250
"""Characters that a line of text has if it is an abstract rather than a sentence or a piece of one."""
_STANDOFF = {"bionlp", "brat"}
_COMPANIONS = ("LICENSE", "LICENCE", "README", "NOTICE", "CITATION", "CHANGELOG", "CHANGES", "COPYING", "AUTHORS")
_COMPANION_SUFFIXES = (".md", ".rst", ".dtd", ".xsd", ".conf", ".pdf", ".html", ".py", ".sh", ".log", "~")


def detect(path: Path) -> Format:
    """The format of a file or of all files in a folder; standard input (``-``) is text."""
    if path == STANDARD_STREAM:
        return format_by_name("text")
    if not path.is_dir():
        of_file = _detect_file(path)
        return format_by_name("lines") if of_file.name == "text" and _has_document_a_line(path) else of_file
    files = _corpus_files(path)
    found = Counter(_detect_file(file).name for file in files)
    if len(found) == 2 and "text" in found and found.keys() & _STANDOFF:
        del found["text"]  # a document without annotations
    if len(found) > 1:
        listed = ", ".join(f"{count} {name}" for name, count in found.most_common())
        remedy = f"say which to read (--format {found.most_common(1)[0][0]}) or put them into folders of their own"
        raise CorpusError(f"the folder holds files of different formats ({listed})", path, remedy=remedy)
    return format_by_name(next(iter(found)))


def files_of(path: Path, chosen: Format, *, is_named: bool) -> Sequence[Path]:
    """The files to hand to the format's reader: the file itself, or those of a folder in the order of their names.

    A format that the user has named is not second-guessed: of a folder all files with one of its suffixes are read (or all
    files, if none has one), whatever they begin with. A warning names the files and folders that are left out. Only of
    read-mes and other companions that are clearly no documents nothing is said.
    """
    if path == STANDARD_STREAM or not path.is_dir():
        return [path]
    files = fitting = _corpus_files(path)
    if is_named and chosen.suffixes:
        fitting = [file for file in files if chosen.fits_name(file)] or files
    read = set(fitting)
    left_out = [file.name for file in files if file not in read]
    left_out += [file.name for file in _visible(path) if _is_companion(file) and chosen.fits_name(file)]
    _warn(path, "file", left_out, f"left out, by name not of the format {chosen.name!r}")
    _warn(path, "folder", [one.name for one in _visible(path, folders=True)], "in it not read")
    return fitting


def _warn(path: Path, kind: str, names: Sequence[str], what: str) -> None:
    if names:
        named = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
        counted = f"{len(names)} {kind}{'s' * (len(names) != 1)}"
        warnings.warn(f"{path}: {counted} {what}: {named}", RelHashWarning, stacklevel=4)


def _visible(folder: Path, *, folders: bool = False) -> list[Path]:
    there = (child for child in folder.iterdir() if not child.name.startswith("."))
    return sorted(child for child in there if (child.is_dir() if folders else child.is_file()))


def _corpus_files(folder: Path) -> list[Path]:
    """Files that may be corpus files, a standoff document counting once (by its text)."""
    files = [file for file in _visible(folder) if not _is_companion(file)]
    names = {content_name(file) for file in files}
    files = [file for file in files if _text_name(file) == content_name(file) or _text_name(file) not in names]
    if not files:
        folders = [one.name for one in _visible(folder, folders=True)]
        remedy = f"give one of its folders: {', '.join(folders[:5])}" if folders else "check the path"
        raise CorpusError("no corpus files in this folder", folder, remedy=remedy)
    return files


def _is_companion(file: Path) -> bool:
    """Licences, read-mes, configuration: what people keep beside a corpus."""
    return file.name.split(".")[0].upper() in _COMPANIONS or file.name.lower().endswith(_COMPANION_SUFFIXES)


def _text_name(file: Path) -> str:
    """The name of the text to which a standoff annotation file belongs; of any other file, its own name."""
    name = content_name(file)
    for suffix in (".a1", ".a2", ".rel", ".ann"):
        if name.endswith(suffix):
            return name.removesuffix(suffix) + ".txt"
    return name


def _detect_file(path: Path) -> Format:
    name = content_name(path).lower()
    if name.endswith((".a1", ".a2", ".rel")):
        return format_by_name("bionlp")
    if name.endswith(".ann"):
        return format_by_name("brat")
    if name.endswith(".txt"):
        base = path.with_name(content_name(path).removesuffix(".txt"))
        for suffix, standoff in ((".a1", "bionlp"), (".a2", "bionlp"), (".rel", "bionlp"), (".ann", "brat")):
            if any(base.with_name(base.name + suffix + packed).exists() for packed in ("", ".gz")):
                return format_by_name(standoff)
    fitting = [known for known in all_formats() if known.fits_name(path)]
    if len(fitting) == 1:
        return fitting[0]
    first = first_bytes(path)
    if first.startswith(b"PK") and b"manifest.json" in first:  # a mistake in the order of arguments is easily made
        remedy = "give the model first, as in relhash predict MODEL TEXT; relhash fit starts from one by --prior MODEL"
        raise CorpusError("a model, and text or a corpus is asked for", path, remedy=remedy)
    if is_workbook(first) or is_old_workbook(first):  # from a pipe, or by another name
        return format_by_name("table")
    start = head(path, _HEAD_BYTES).replace("\r\n", "\n").lstrip()
    of_lines = name.endswith((".jsonl", ".ndjson"))
    asked = fitting if of_lines else all_formats()
    recognised = next((known for known in asked if known.recognises is not None and known.recognises(start)), None)
    recognised = recognised or _by_xml_root(start, path)
    if recognised is not None:
        return recognised
    if of_lines:  # its reader says what is wrong with the first line
        return format_by_name("jsonl")
    # a pipe has no name that could tell more, like standard input; what looks like a corpus is not taken for text
    if name.endswith((".txt", ".text")) or (path.is_fifo() and not start.startswith(("<", "{", "["))):
        return format_by_name("text")
    remedy = f"suffixes that tell it: {' '.join(readable_suffixes())}; or name it (--format): {', '.join(FORMATS)}"
    raise CorpusError("neither its name nor its content tells the format", path, remedy=remedy)


def _has_document_a_line(path: Path) -> bool:
    """Whether a text file looks like one abstract a line: several long lines, and the short ones end as a sentence does.

    A long one need not ("(ABSTRACT TRUNCATED AT 250 WORDS)"); a short one that does not is a heading.
    """
    beginning = head(path, 4 * _HEAD_BYTES)
    lines = [line.strip() for line in beginning.splitlines() if line.strip()]
    if len(beginning) >= 3 * _HEAD_BYTES or len(beginning.encode()) >= 3 * _HEAD_BYTES:
        lines = lines[:-1]  # the last one may be cut off
    if len(lines) < 2:
        return False
    is_text = (len(line) >= _PARAGRAPH or bool(SENTENCE_END.search(line)) for line in lines)
    return median(map(len, lines)) >= _PARAGRAPH and all(is_text)


def _by_xml_root(start: str, path: Path) -> Format | None:
    if not start.startswith("<"):
        return None
    roots = {root: known for known in reversed(all_formats()) for root in known.xml_roots}
    found = roots.get(xml_root(start) or "")
    if found is None and content_name(path).lower().endswith(".xml"):
        from relhash.corpus.xml_safety import root_name

        # a prolog longer than the head or in UTF-16 is the parser's business; so is saying why a file is refused
        found = roots.get(root_name(path))
    return found
