"""PubTator: title and abstract, tab-separated annotations, and relations between *database ids*.

::

    1000|t|Aspirin and bleeding.
    1000|a|Aspirin induces bleeding.
    1000    0   7   Aspirin     Chemical    D001241
    1000    12  20  bleeding    Disease     D006470
    1000    CID D001241 D006470

A relation here joins two database ids (:mod:`relhash.corpus.concepts`). A fifth column (the novelty in BioRED) becomes an
attribute of the relation.

The text of the document is the title, a line end, and the abstract: PubTator's offsets count one character between the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from relhash.corpus.concepts import not_of_concepts, split_ids, with_mentions_related
from relhash.corpus.document import Argument, Attribute, Document, Mention, Passage, Relation
from relhash.corpus.remarks import OnError, Remarks, refusal, settled, without_broken
from relhash.corpus.source import filled_lines, writing
from relhash.errors import CorpusError

_SECTION = re.compile(r"([^|\t]+)\|([ta])\|(.*)", re.DOTALL)
_NOVELTY = "Novelty"

Line = tuple[int, str]


def read_pubtator(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """Documents of a PubTator file, one at a time."""
    noted = remarks or Remarks()
    return without_broken(_blocks(path), lambda block: _read_block(block, path, noted), on_error)


def _blocks(path: Path) -> Iterator[list[Line]]:
    """The lines of each document: a title begins the next one, blank lines are only for people."""
    block: list[Line] = []
    for number, line in filled_lines(path):
        section = _SECTION.match(line)
        if section and section[2] == "t" and block:
            yield block
            block = []
        block.append((number, line))
    yield block


def _read_block(block: list[Line], path: Path, remarks: Remarks) -> Document:
    number, line = block[0]
    section = _SECTION.match(line)
    if section is None or section[2] != "t":
        raise CorpusError("expected the title of a document, 'id|t|title'", path, number)
    identifier, title = section[1].strip(), section[3]
    abstract: str | None = None
    annotations: list[Line] = []
    for number, line in block[1:]:
        section = _SECTION.match(line)
        found = section[1].strip() if section else line.partition("\t")[0].strip()
        if found != identifier:
            raise CorpusError(f"this line is about {found[:40]!r}, the document is {identifier!r}", path, number)
        if section is None:
            annotations.append((number, line))
        elif abstract is not None:
            raise CorpusError("a second abstract", path, number)
        else:
            abstract = section[3]
    text = f"{title}\n{abstract}" if abstract else title
    passages = [Passage("title", 0, len(title))]
    if abstract:
        passages.append(Passage("abstract", len(title) + 1, len(text)))
    mentions, lines, relation_lines = _read_mentions(annotations, path)
    relations, attributes = _read_relations(relation_lines)
    document = Document(
        identifier, text, mentions=tuple(mentions), attributes=attributes, passages=tuple(passages), concept_relations=relations
    )
    counted = "offsets count characters of title + one + abstract, from 0, the end is exclusive"
    document = settled(document, remarks, lambda name: (path, lines.get(name, block[0][0])), counted=counted)
    mentions = [replace(mention, text=text[mention.start : mention.end]) for mention in document.mentions]
    return with_mentions_related(replace(document, mentions=tuple(mentions)), remarks, path, identifier)


def _read_mentions(lines: list[Line], path: Path) -> tuple[list[Mention], dict[str, int], list[str]]:
    """The mentions as the file has them, the line of each, and the lines that are no mentions."""
    mentions: list[Mention] = []
    numbers: dict[str, int] = {}
    relation_lines: list[str] = []
    for number, line in lines:
        columns = line.split("\t")
        if len(columns) < 4:
            raise CorpusError(
                f"an annotation has at least four columns separated by tabs, this has {len(columns)}", path, number
            )
        if not (columns[1].strip().isdecimal() and columns[2].strip().isdecimal()):
            relation_lines.append(line)
            continue
        if len(columns) < 5:
            raise CorpusError("a mention needs five columns: id, start, end, text, type", path, number)
        start, end = int(columns[1][:12]), int(columns[2][:12])
        ids = split_ids(columns[5].strip()) if len(columns) > 5 else ()
        mentions.append(Mention(f"T{len(mentions) + 1}", columns[4].strip(), ((start, end),), columns[3], ids))
        numbers[mentions[-1].id] = number
    return mentions, numbers, relation_lines


def _read_relations(lines: list[str]) -> tuple[tuple[Relation, ...], tuple[Attribute, ...]]:
    relations: list[Relation] = []
    attributes: list[Attribute] = []
    for line in lines:
        _, kind, first, second, *more = (column.strip() for column in line.split("\t"))
        name = f"R{len(relations) + 1}"
        relations.append(Relation(name, kind, (Argument("e1", first), Argument("e2", second))))
        if more and more[0]:
            attributes.append(Attribute(f"A{len(attributes) + 1}", _NOVELTY, name, more[0]))
    return tuple(relations), tuple(attributes)


def write_pubtator(documents: Iterable[Document], path: Path) -> None:
    """Write what PubTator can hold; line ends inside the abstract become blanks (offsets stay the same).

    Refused, because PubTator has no place for them: discontinuous mentions, interactions, relations of mentions without a
    database id, equivalences of mentions with different ids, attributes other than the novelty of a relation.
    """
    with writing(path) as handle:
        for document in documents:
            handle.write("".join(f"{line}\n" for line in _document_lines(document, path)))
            handle.write("\n")


def _document_lines(document: Document, path: Path) -> Iterator[str]:
    def refuse(where: str, what: str) -> CorpusError:
        return refusal("PubTator", what, path, f"{document.id} {where}".strip())

    name = document.id
    if not name or name != name.strip() or re.search(r"[|\t\r\n]", name):
        raise refuse("", "a document id with bars, tabs or blanks around it")
    text = re.sub(r"[\r\n]", " ", document.text)
    cut = _end_of_title(document)
    yield f"{name}|t|{text[:cut]}"
    yield f"{name}|a|{text[cut + 1 :]}"
    mentions = document.mention_by_id
    for mention in document.mentions:
        if mention.is_discontinuous or mention.is_trigger:
            raise refuse(mention.id, "discontinuous mentions" if mention.is_discontinuous else "triggers of interactions")
        if not mention.type.strip() or re.search(r"[\t\r\n]", mention.type):
            raise refuse(mention.id, f"the type {mention.type!r}")
        ids = ";".join(mention.ids)
        if split_ids(ids) != mention.ids:
            raise refuse(mention.id, f"the database ids {mention.ids}")
        covered = re.sub(r"\t", " ", text[mention.start : mention.end])
        yield f"{name}\t{mention.start}\t{mention.end}\t{covered}\t{mention.type}\t{ids or '-'}"
    novelty = {attribute.target: attribute for attribute in document.attributes if attribute.type == _NOVELTY}
    known = {relation.id for relation in (*document.relations, *document.concept_relations)}
    if len(novelty) < len(document.attributes) or not novelty.keys() <= known:
        raise refuse("", "attributes other than one novelty per relation")
    for group in document.equivalences:
        if not set.intersection(*(set(mentions[member].ids) for member in group)):
            raise refuse("", "an equivalence of mentions without a common database id")
    stated = {relation.id: (relation, relation.targets) for relation in document.concept_relations}
    for relation in not_of_concepts(document):
        if len(relation.arguments) != 2 or not all(target in mentions for target in relation.targets):
            raise refuse(relation.id, "relations that do not join two mentions")
        ends = [mentions[target].ids for target in relation.targets]
        if not all(ends):
            raise refuse(relation.id, "a relation of mentions without database ids")
        named = tuple(found[0] for found in ends)
        stated.setdefault(f"{relation.type} {named}", (relation, named))  # several mentions of the same ids state the same
    for relation, concepts in stated.values():
        if not relation.type.strip() or re.search(r"[\t\r\n]", relation.type) or relation.type.isdecimal():
            raise refuse(relation.id, f"the type {relation.type!r}")
        if any(not concept.strip() or re.search(r"[\t\r\n]", concept) for concept in concepts):
            raise refuse(relation.id, f"the database ids {concepts}")
        columns = [name, relation.type, *concepts]
        yield "\t".join([*columns, novelty[relation.id].value] if relation.id in novelty else columns)


def _end_of_title(document: Document) -> int:
    """Where to cut the text: after the title that the document names, else at its first line end, else at its end."""
    titles = [passage.end for passage in document.passages if passage.type == "title" and passage.start == 0]
    if titles and (titles[0] == len(document.text) or document.text[titles[0]].isspace()):
        return titles[0]
    line_end = document.text.find("\n")
    return len(document.text) if line_end < 0 else line_end
