"""Which format a file or folder has: by suffix where that is enough, by its first bytes where several formats share one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from relhash.corpus.formats import FORMATS, Format, format_by_name
from relhash.corpus.source import STANDARD_STREAM, content_name, open_bytes
from relhash.corpus.xml_safety import root_name
from relhash.errors import CorpusError

__all__ = ["detect", "files_of"]

_HEAD_BYTES = 16384
_PARAGRAPH = 250
"""Characters that a line of text has if it is an abstract rather than a sentence or a piece of one."""
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]*\Z")
_STANDOFF = {"bionlp", "brat"}
_COMPANIONS = ("LICENSE", "LICENCE", "README", "NOTICE", "CITATION", "CHANGELOG", "CHANGES", "COPYING", "AUTHORS")
_COMPANION_SUFFIXES = (".md", ".rst", ".dtd", ".xsd", ".conf", ".pdf", ".html", ".py", ".sh", ".log", "~")
_XML_PROLOG = re.compile(r"\s*(<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(\[.*?\]\s*)?>)", re.DOTALL)
_XML_ROOT = re.compile(r"\s*<([A-Za-z_][\w.:-]*)")
_XML_ROOTS = {
    "corpus": "unified-xml",
    "document": "unified-xml",  # the DDI corpus has a file a document
    "collection": "bioc-xml",
    "PubmedArticleSet": "pubmed-xml",
    "PubmedBookArticleSet": "pubmed-xml",
    "PubmedArticle": "pubmed-xml",
    "PubmedBookArticle": "pubmed-xml",
}
_PUBTATOR_LINE = re.compile(r"[^|\s]+\|[ta]\|")
_PENMAN = re.compile(r"(?:#[^\n]*\n|\s)*\(\s*[^\s()/]+\s*/\s*[^\s()]")
_CONLLU_LINE = re.compile(r"(?:#[^\n]*\n)*1(?:-\d+)?\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|$)")


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
        del found["text"]  # a document that nobody has annotated
    if len(found) > 1:
        listed = ", ".join(f"{count} {name}" for name, count in found.most_common())
        raise CorpusError(
            f"the folder holds files of different formats ({listed})",
            path=path,
            remedy=f"say which to read (--format {found.most_common(1)[0][0]}) or put them into folders of their own",
        )
    return format_by_name(next(iter(found)))


def files_of(path: Path, chosen: Format) -> Sequence[Path]:
    """The files to hand to the format's reader: the file itself, or those of a folder in the order of their names."""
    if path == STANDARD_STREAM or not path.is_dir():
        return [path]
    files = _corpus_files(path)
    fitting = [file for file in files if not chosen.suffixes or chosen.fits_name(file)] or files
    return [file for file in fitting if _is_of(file, chosen)] or fitting


def _is_of(file: Path, chosen: Format) -> bool:
    try:
        found = _detect_file(file).name
    except CorpusError:  # a broken file: its reader will say what is wrong with it
        return True
    return found == chosen.name or (found == "text" and chosen.name in _STANDOFF)


def _corpus_files(folder: Path) -> list[Path]:
    """Files that may be corpus files, a standoff document counting once (by its text)."""
    files = sorted(file for file in folder.iterdir() if file.is_file() and not _is_companion(file))
    names = {content_name(file) for file in files}
    files = [file for file in files if _text_name(file) == content_name(file) or _text_name(file) not in names]
    if not files:
        folders = sorted(child.name for child in folder.iterdir() if child.is_dir() and not child.name.startswith("."))
        remedy = f"give one of its folders: {', '.join(folders[:5])}" if folders else "check the path"
        raise CorpusError("no corpus files in this folder", path=folder, remedy=remedy)
    return files


def _is_companion(file: Path) -> bool:
    """Hidden files, licences, read-mes, configuration: what people keep beside a corpus."""
    name = file.name
    stem = name.split(".")[0].upper()
    return name.startswith(".") or stem in _COMPANIONS or name.lower().endswith(_COMPANION_SUFFIXES)


def _text_name(file: Path) -> str:
    """The name of the text to which a standoff annotation file belongs; of any other file, its own name."""
    name = content_name(file)
    for suffix in (".a1", ".a2", ".ann"):
        if name.endswith(suffix):
            return name.removesuffix(suffix) + ".txt"
    return name


def _detect_file(path: Path) -> Format:
    name = content_name(path).lower()
    if name.endswith((".a1", ".a2")):
        return format_by_name("bionlp")
    if name.endswith(".ann"):
        return format_by_name("brat")
    if name.endswith(".txt"):
        base = path.with_name(content_name(path).removesuffix(".txt"))
        for suffix, standoff in ((".a1", "bionlp"), (".a2", "bionlp"), (".ann", "brat")):
            if any(base.with_name(base.name + suffix + packed).exists() for packed in ("", ".gz")):
                return format_by_name(standoff)
    fitting = [known for known in FORMATS if known.fits_name(path)]
    if len(fitting) == 1:
        return fitting[0]
    by_content = _sniff(path)
    if by_content is not None:
        return format_by_name(by_content)
    if name.endswith((".txt", ".text")):
        return format_by_name("text")
    known_names = ", ".join(known.name for known in FORMATS)
    raise CorpusError(
        "neither its name nor its content tells the format",
        path=path,
        remedy=f"name it (--format); known formats: {known_names}",
    )


def _has_document_a_line(path: Path) -> bool:
    """Whether a text file looks like one abstract a line: several long lines, and all of them end as a sentence does."""
    with open_bytes(path) as handle:
        head = handle.read(4 * _HEAD_BYTES).decode("utf-8", errors="ignore")
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    if len(head) >= 3 * _HEAD_BYTES:
        lines = lines[:-1]  # the last one may be cut off
    if len(lines) < 2:
        return False
    return median(map(len, lines)) >= _PARAGRAPH and all(_SENTENCE_END.search(line) for line in lines)


def _sniff(path: Path) -> str | None:
    with open_bytes(path) as handle:
        head = handle.read(_HEAD_BYTES).decode("utf-8", errors="ignore").removeprefix("\ufeff").replace("\r\n", "\n")
    start = head.lstrip()
    if start.startswith("<"):
        # a prolog longer than the head or in UTF-16 is the parser's business; so is saying why a file is refused
        return _sniff_xml(start) or (_XML_ROOTS.get(root_name(path)) if content_name(path).lower().endswith(".xml") else None)
    if start.startswith("["):
        return "pubmed45" if '"interaction_tuple"' in start else "bioc-json"
    if start.startswith("{"):
        return "bioc-json" if re.search(r'"(infons|documents|bioctype|PubTator3)"\s*:', start) else "jsonl"
    if _PUBTATOR_LINE.match(start):
        return "pubtator"
    if _PENMAN.match(start):
        return "amr"
    return "conllu" if _CONLLU_LINE.match(start) else None


def _sniff_xml(start: str) -> str | None:
    position = 0
    while prolog := _XML_PROLOG.match(start, position):
        position = prolog.end()
    root = _XML_ROOT.match(start, position)
    return _XML_ROOTS.get(root[1]) if root else None
