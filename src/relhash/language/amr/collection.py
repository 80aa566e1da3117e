"""Meaning graphs that a user supplies for a corpus: which graph belongs to which stretch of which document.

Graphs come in PENMAN files beside the corpus. A graph says its sentence (``# ::snt``, or ``# ::tok`` with blanks between
words); it is put where a document has this sentence, whatever blanks and line ends either of them has. Where the corpus has
sentences with ids of their own (PubMed45), :func:`relhash.language.amr.documents.with_amr` goes by these instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from relhash.corpus.document import Document, Mention, Sentence
from relhash.errors import CorpusError, StructureError
from relhash.language.amr.documents import AMR_PARSER, amr_sentence, named_mentions, on_text
from relhash.language.amr.graphs import AmrGraph, read_graphs
from relhash.language.sentences import split_sentences

_BLANK = re.compile(r"\s+")
_KEY = 16
"""Characters of a sentence by which it is looked up before it is compared."""


class GraphCollection:
    """The graphs of some sentences, to be put on the documents that hold these sentences.

    Examples
    --------
    >>> from relhash.corpus import Mention
    >>> from relhash.language.amr.graphs import parse_graph
    >>> graphs = GraphCollection([parse_graph('''# ::tok Ras binds Raf .
    ... (b / bind-01 :ARG0 (p / protein :name (n / name :op1 "Ras")) :ARG1 (e / enzyme :name (m / name :op1 "Raf")))''')])
    >>> names = (Mention("T1", "protein", ((9, 12),), "Ras"), Mention("T2", "protein", ((19, 22),), "Raf"))
    >>> document = graphs.on(Document("d", "Binding. Ras binds Raf. We saw it.", mentions=names))
    >>> [(sentence.start, sentence.end, sentence.is_parsed) for sentence in document.sentences]
    [(0, 8, False), (9, 23, True), (24, 34, False)]
    """

    def __init__(self, graphs: Iterable[AmrGraph], source: Path | None = None) -> None:
        self.source = source
        self._by_start: dict[str, list[tuple[str, AmrGraph]]] = {}
        for graph in graphs:
            packed = _BLANK.sub("", graph.text)
            if packed:
                self._by_start.setdefault(packed[:_KEY], []).append((packed, graph))
        for entries in self._by_start.values():
            entries.sort(key=lambda entry: -len(entry[0]))  # of two sentences that begin alike the longer one, if it is there
        self._lengths = sorted({len(start) for start in self._by_start}, reverse=True)

    @classmethod
    def read(cls, path: Path) -> GraphCollection:
        """The graphs of a PENMAN file, or of all files below a folder."""
        if not path.exists():
            raise CorpusError("there is no such file or folder of AMR graphs", path=path)
        files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
        if not files:
            raise CorpusError("the folder holds no AMR graphs", path=path, remedy="expected files in PENMAN notation")
        return cls((graph for file in files for graph in read_graphs(file)), path)

    def __len__(self) -> int:
        return sum(map(len, self._by_start.values()))

    def on(self, document: Document) -> Document:
        """The document with the sentences that graphs are given for, analysed by them, and what lies between as it is.

        A document without entities gets those that the graphs name. A sentence with two entities and no graph is an error: its
        candidates would silently be missing. A document that is made of graphs already stays as it is.
        """
        if document.sentences and all(sentence.parser == AMR_PARSER for sentence in document.sentences):
            return document
        sentences: list[Sentence] = []
        named: list[Mention] = []
        place = 0
        for start, end, found in self._stretches(document):
            sentences += self._without_graph(document, place, start, len(sentences))
            graph = on_text(found, document.text[start:end])
            sentences.append(amr_sentence(graph, f"{document.id}.s{len(sentences)}", start=start))
            named += [_moved(mention, start) for mention in named_mentions(graph)]
            place = end
        sentences += self._without_graph(document, place, len(document.text), len(sentences))
        if not document.entities and document.candidates is None:
            taken = {mention.id for mention in document.mentions} | {relation.id for relation in document.relations}
            own = (replace(mention, id=f"{document.id}.g{number}") for number, mention in enumerate(named))
            document = replace(document, mentions=(*document.mentions, *(one for one in own if one.id not in taken)))
        return replace(document, sentences=tuple(sentences)).check()

    def on_all(self, documents: Iterable[Document]) -> Iterator[Document]:
        """:meth:`on` for each document."""
        return map(self.on, documents)

    def _stretches(self, document: Document) -> Iterator[tuple[int, int, AmrGraph]]:
        """Start, end and graph where the document has sentences of graphs, from left to right, none overlapping."""
        places = [place for place, character in enumerate(document.text) if not character.isspace()]
        packed = "".join(document.text[place] for place in places)
        position = 0
        while position < len(packed):
            found = self._at(packed, position)
            if found is None:
                position += 1
                continue
            length, graph = found
            yield places[position], places[position + length - 1] + 1, graph
            position += length

    def _at(self, packed: str, position: int) -> tuple[int, AmrGraph] | None:
        for length in self._lengths:
            for sentence, graph in self._by_start.get(packed[position : position + length], ()):
                if packed.startswith(sentence, position):
                    return len(sentence), graph
        return None

    def _without_graph(self, document: Document, start: int, end: int, number: int) -> Iterator[Sentence]:
        """Sentences, by rules, of a part of the text that no graph is about."""
        part = split_sentences(Document(document.id, document.text[start:end]))
        for index, sentence in enumerate(part.sentences, number):
            first, last = start + sentence.start, start + sentence.end
            entities = [mention for mention in document.entities if first <= mention.start < last]
            if len(entities) > 1:
                raise StructureError(
                    f"{self.source or 'AMR'}: no graph for the sentence {document.text[first:last]!r} of document "
                    f"{document.id!r}; a graph belongs to the sentence that its line '# ::snt' gives, letter for letter"
                )
            yield Sentence(f"{document.id}.s{index}", first, last)


def _moved(mention: Mention, by: int) -> Mention:
    return replace(mention, spans=tuple((start + by, end + by) for start, end in mention.spans))
