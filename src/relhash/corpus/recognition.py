"""What the beginning of a file proves about its format.

Prose may begin with anything: PubMed puts translated titles into brackets (``[Effect of …]``), an abstract may open with
``(TNF / p53)`` or ``<i>``. So none of these functions goes by the first character: each asks for what only its format has.

All take the head of a file as text, without a byte-order mark, with ``\\n`` as line end and no blanks before it.
"""

from __future__ import annotations

import json
import re

_LONGEST_JSON_WORD = len("false")
_BIOC_KEY = re.compile(r'"(?:infons|documents|passages|bioctype|PubTator3)"\s*:')
_JSONL_KEY = re.compile(r'"(?:schema|id|text)"\s*:')
_PUBMED45_KEY = '"interaction_tuple"'
_OBJECT_IN_LIST = re.compile(r"\[\s*\{")
_PUBTATOR = re.compile(r"[^|\s]+\|[ta]\|")
_MEDLINE = re.compile(r"PMID- ?\d+[^\S\n]*\n[A-Z][A-Z0-9]{1,3} *- ")
_CONLLU = re.compile(r"(?:#[^\n]*\n)*1(?:-\d+)?\t(?:[^\t\n]*\t){5}(?:\d+|_)\t(?:[^\t\n]*\t){2}[^\t\n]*(?:\n|\Z)")
_XML_PROLOG = re.compile(r"\s*(<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(\[.*?\]\s*)?>)", re.DOTALL)
_XML_ROOT = re.compile(r"""\s*<([A-Za-z_][\w.:-]*)(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(?:/>\s*\Z|>\s*(?:<|\Z))""")


def is_bioc_json(head: str) -> bool:
    """An object, or a list of them, with one of the keys that BioC prescribes.

    >>> is_bioc_json('[{"source": "PubTator", "documents": ['), is_bioc_json('[Effect of "documents": a trial]. We …')
    (True, False)
    """
    has_shape = head.startswith("{") or (_OBJECT_IN_LIST.match(head) and _PUBMED45_KEY not in head)
    return bool(has_shape and _BIOC_KEY.search(head)) and _begins_json(head)


def is_pubmed45(head: str) -> bool:
    """A list of objects with ``interaction_tuple``."""
    return bool(_OBJECT_IN_LIST.match(head)) and _PUBMED45_KEY in head and _begins_json(head)


def is_jsonl(head: str) -> bool:
    """A first line that is an object with an id or a text, and is not BioC's.

    >>> is_jsonl('{"id": "d", "text": "TNF binds p53."}'), is_jsonl('{TNF} binds "text": no.')
    (True, False)
    """
    line = head.partition("\n")[0]
    return line.startswith("{") and bool(_JSONL_KEY.search(line)) and not _BIOC_KEY.search(line) and _begins_json(line)


def is_pubtator(head: str) -> bool:
    """A first line of the form ``id|t|title``."""
    return bool(_PUBTATOR.match(head))


def is_medline(head: str) -> bool:
    """A first line with the number of an article, and a second field.

    >>> is_medline("PMID- 11780382\\nOWN - NLM\\n"), is_medline("PMID- numbers are given to articles")
    (True, False)
    """
    return bool(_MEDLINE.match(head))


def is_nero(head: str) -> bool:
    """A first line that names the columns of the table.

    >>> is_nero("amId\\tentity1\\tactionType\\tentity2\\tsentenceText\\n"), is_nero("entity1 binds entity2 (sentenceText)")
    (True, False)
    """
    names = set(head.partition("\n")[0].rstrip("\r").split("\t"))
    return {"entity1", "actionType", "entity2", "sentenceText"} <= names


def is_conllu(head: str) -> bool:
    """A first token in ten columns, the seventh a number."""
    return bool(_CONLLU.match(head))


def xml_root(head: str) -> str | None:
    """The name of the outermost element, if its start tag is complete and holds elements rather than text.

    >>> xml_root('<?xml version="1.0"?><corpus source="x"><document'), xml_root("<corpus callosum> was seen")
    ('corpus', None)
    """
    position = 0
    while prolog := _XML_PROLOG.match(head, position):
        position = prolog.end()
    root = _XML_ROOT.match(head, position)
    return root[1] if root else None


def _begins_json(text: str) -> bool:
    """Whether ``text`` is JSON, or JSON up to where it is cut off."""
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.msg.startswith("Unterminated string") or error.pos >= len(text.rstrip()) - _LONGEST_JSON_WORD
    except (RecursionError, ValueError):  # its reader will say that it is nested too deeply, or has a number too long
        return True
    return True
