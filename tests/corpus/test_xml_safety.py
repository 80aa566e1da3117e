"""XML that wants to harm us, and XML that came to harm."""

from __future__ import annotations

import gzip
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

import relhash
from relhash.corpus.bioc import read_bioc_xml
from relhash.corpus.pubmed import read_pubmed_xml
from relhash.corpus.unified_xml import read_unified_xml
from relhash.corpus.xml_safety import stream_elements
from relhash.errors import CorpusError

LAUGHS = '<!ENTITY a0 "lol">' + "".join(f'<!ENTITY a{i + 1} "{f"&a{i};" * 10}">\n' for i in range(9))
BOMBS = {
    "billion laughs": f"<!DOCTYPE x [{LAUGHS}]><ROOT>&a9;</ROOT>",
    "billion laughs in an attribute": f'<!DOCTYPE x [{LAUGHS}]><ROOT a="&a9;"></ROOT>',
    "quadratic blow-up": f'<!DOCTYPE x [<!ENTITY a "{"x" * 100_000}">]><ROOT>{"&a;" * 100_000}</ROOT>',
    "file of the computer": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><ROOT>&a;</ROOT>',
    "parameter entity": '<!DOCTYPE x [<!ENTITY % a SYSTEM "http://localhost:1/a.dtd"> %a;]><ROOT></ROOT>',
    "unparsed entity": '<!DOCTYPE x [<!NOTATION n SYSTEM "n"><!ENTITY a SYSTEM "a" NDATA n>]><ROOT></ROOT>',
    "after comments": f"<!-- {'x' * 200_000} --><?pi?><!DOCTYPE x [{LAUGHS}]><ROOT>&a9;</ROOT>",
    "in UTF-16": f'<?xml version="1.0" encoding="UTF-16"?><!DOCTYPE x [{LAUGHS}]><ROOT>&a9;</ROOT>',
}
READERS = {"corpus": read_unified_xml, "PubmedArticleSet": read_pubmed_xml, "collection": read_bioc_xml}


@pytest.mark.parametrize("root", READERS)
@pytest.mark.parametrize("bomb", BOMBS)
def test_entities_are_refused_at_once_by_every_reader(tmp_path: Path, root: str, bomb: str) -> None:
    path = tmp_path / "bomb.xml"
    path.write_text(BOMBS[bomb].replace("ROOT", root), encoding="utf-16" if "UTF-16" in bomb else "utf-8")
    start = time.thread_time()  # not the clock: other processes and threads may hold this one up
    with pytest.raises(CorpusError, match=r"bomb\.xml:\d+: the file declares the entity 'a.?', which is refused"):
        list(READERS[root](path))
    with pytest.raises(CorpusError, match="which is refused"):  # also while the format is still being guessed
        relhash.read(path)
    assert time.thread_time() - start < 60  # a bomb that goes off takes gigabytes and hours


def test_no_encoding_hides_a_bomb_from_the_look_at_the_prolog(tmp_path: Path) -> None:
    # libxml2 knows encodings that expat does not; what expat cannot look at is not handed on
    for encoding, codec in (("UTF-7", "utf-7"), ("Big5", "big5"), ("EBCDIC-CP-US", "cp037"), ("UTF-32", "utf-32")):
        path = tmp_path / "bomb.xml"
        path.write_text(
            f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE x [{LAUGHS}]><corpus>&a9;</corpus>', encoding=codec
        )
        with pytest.raises(CorpusError, match=r"bomb\.xml"):
            list(read_unified_xml(path))


def test_depth_is_limited(tmp_path: Path) -> None:
    path = tmp_path / "deep.xml"
    path.write_text("<corpus><document>" + "<a>" * 100_000)
    with pytest.raises(CorpusError, match=r"deep\.xml:1: not well-formed XML \(Excessive depth"):
        list(stream_elements(path, "document", root="corpus"))


def test_a_gigabyte_of_blanks_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "blank.xml.gz"
    blanks = b" " * (1 << 20)
    for start in (b"", b"<corpus>", b"<corpus><document id='1' text='"):
        with gzip.open(path, "wb", compresslevel=1) as handle:
            handle.write(start)
            for _ in range(100):
                handle.write(blanks)
        seconds = time.thread_time()
        with pytest.raises(CorpusError, match=r"blank\.xml\.gz"):
            list(read_unified_xml(path))
        assert time.thread_time() - seconds < 60


def test_document_type_without_entities_is_accepted_and_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "x.dtd").write_text("<!ATTLIST document added CDATA 'by the DTD'><!ENTITY beta 'β'>")
    path = tmp_path / "a.xml"
    start = f'<?xml version="1.0"?>\n<!DOCTYPE corpus PUBLIC "-//X" "{(tmp_path / "x.dtd").as_uri()}">\n<corpus>'
    path.write_text(start + '<document id="1">&lt;&#945;</document></corpus>')
    (found,) = [(element.text, dict(element.attrib)) for element in stream_elements(path, "document", root="corpus")]
    assert found == ("<α", {"id": "1"})
    for content in ('<document id="1">&beta;</document>', '<document id="&beta;"></document>'):
        path.write_text(f"{start}{content}</corpus>")
        with pytest.raises(CorpusError, match=r"a\.xml:3: the text uses an entity that the file does not declare"):
            list(stream_elements(path, "document", root="corpus"))


WHOLE = b'<?xml version="1.0"?>\n<corpus>\n<document id="1"><a b="c">text</a></document>\n<document id="2"/>\n</corpus>\n'
DAMAGED: dict[str, tuple[bytes | Callable[[bytes], bytes], str]] = {
    "empty": (b"", r"a\.xml: the file is empty"),
    "blank": (b" \n\n ", r"a\.xml: the file is empty"),
    "no XML": (b"TNF binds p53.", r"a\.xml:1: not well-formed XML"),
    "only a declaration": (WHOLE[:22], r"a\.xml:2: the XML ends too early"),
    "cut in the root tag": (WHOLE[:28], r"a\.xml:2: the XML ends too early"),
    "cut in a tag": (WHOLE[:56], r"a\.xml:3: the XML ends too early"),
    "cut in an attribute": (WHOLE[:54], r"a\.xml:3: the XML ends too early"),
    "cut in the text": (WHOLE[:62], r"a\.xml:3: the XML ends too early"),
    "cut after Greek": ("<corpus>\n<document>αβγ<a".encode(), r"a\.xml:2: the XML ends too early"),
    "cut between elements": (WHOLE[:-12], r"a\.xml:4: the XML ends too early"),
    "wrong end tag": (WHOLE.replace(b"</a>", b"</b>"), r"a\.xml:3: not well-formed XML \(Opening and ending tag mismatch"),
    "ampersand without newlines": (b"<corpus><document>a & b</document></corpus>", r"a\.xml:1: not well-formed XML"),
    "two roots": (WHOLE + b"<corpus/>", r"a\.xml:6: not well-formed XML \(Extra content"),
    "ampersand": (WHOLE.replace(b"text", b"a & b"), r"a\.xml:3: not well-formed XML"),
    "undeclared entity": (WHOLE.replace(b"text", b"&beta;"), r"a\.xml:3: .*\(Entity 'beta' not defined\)"),
    "control character": (WHOLE.replace(b"text", b"\x01"), r"a\.xml:3: not well-formed XML"),
    "Latin-1 in text": (WHOLE.replace(b"text", "é".encode("latin-1")), r"a\.xml:3: bytes that are not text in the encoding"),
    "Latin-1 in the root": (WHOLE.replace(b"us>", 'us a="é">'.encode("latin-1"), 1), r"a\.xml:2: "),
    "unknown encoding": (WHOLE.replace(b'"?>', b'" encoding="klingon"?>', 1), r"a\.xml:1: the encoding that the file declares"),
    "cut off gzip": (gzip.compress(WHOLE, mtime=0)[:-20], r"a\.xml: the gzip archive is damaged or cut off"),
    "no gzip": (b"\x1f\x8b\x08\x00 not really", r"a\.xml: the gzip archive is damaged"),
    "another format": (WHOLE.replace(b"corpus", b"html"), r"a\.xml:2: the outermost element is <html>, expected <corpus>"),
}


@pytest.mark.parametrize(("content", "message"), DAMAGED.values(), ids=DAMAGED.keys())
def test_damaged_files_name_file_and_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        list(stream_elements(path, "document", root="corpus"))


@pytest.mark.parametrize(
    "content",
    [
        WHOLE,
        b"\xef\xbb\xbf" + WHOLE,
        WHOLE.replace(b"\n", b"\r\n"),
        gzip.compress(WHOLE, mtime=0),
        WHOLE.decode().replace('"1.0"', '"1.0" encoding="UTF-16"').encode("utf-16"),
        WHOLE.replace(b'"1.0"', b'"1.0" encoding="ISO-8859-1"').replace(b"text", b"t\xe9xt"),
    ],
)
def test_ways_to_write_the_same_are_all_read(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(content)
    assert [element.get("id") for element in stream_elements(path, "document", root="corpus")] == ["1", "2"]


def test_memory_stays_bounded_by_one_element(tmp_path: Path) -> None:
    path = tmp_path / "large.xml.gz"
    with gzip.open(path, "wb", compresslevel=1) as handle:
        handle.write(b"<corpus>\n")
        for number in range(2_000):
            handle.write(b'<document id="%d">%s</document>\n' % (number, b"<t>word</t>" * 300))
        handle.write(b"</corpus>\n")
    # libxml2's own memory is not Python's: count the elements that are still attached instead
    tracemalloc.start()
    attached = [
        sum(1 for _ in element.getroottree().getroot().iter("t"))
        for number, element in enumerate(stream_elements(path, "document", root="corpus"))
        if number % 500 == 499
    ]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert max(attached) < 300 * 60  # what fits into one block of input, not the 600,000 of the file
    assert peak < 5e6


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.xml", tmp_path):
        with pytest.raises(CorpusError, match=str(path)):
            list(stream_elements(path, "document", root="corpus"))
