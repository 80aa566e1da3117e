"""GENIA's event corpus as XML: articles of sentences with nested ``<term>``, each followed by its ``<event>`` elements.

::

    <sentence id="S1"><term id="T1" sem="Protein_molecule">RFLAT-1</term> activates <term id="T2" …>RANTES</term>.</sentence>
    <event id="E1" assertion="exist" uncertainty="certain"><type class="Positive_regulation"/>
      <theme idref="T2"/><cause idref="T1"/><clue>RFLAT-1 <clueType>activates</clueType> RANTES.</clue></event>

The clue repeats the sentence; what it marks as ``clueType`` is the trigger of the event. Themes and causes are terms or other
events. ``assertion="non-exist"`` is a Negation, an ``uncertainty`` other than ``certain`` a Speculation. A term without an id
of its own gets a number. References to what is not in the file are left out, with a remark. Tried on files made by hand after
the description of the format, not on the published corpus.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from relhash.corpus.document import Argument, Attribute, Document, Mention, Passage, Relation, Sentence
from relhash.corpus.remarks import OnError, Remarks, settled, without_broken
from relhash.corpus.xml_safety import place_of, stream_elements
from relhash.errors import CorpusError

ROOTS = ("set", "Annotation")
_ARTICLES = ("article", "PubmedArticle")


def read_genia_xml(path: Path, *, on_error: OnError = None, remarks: Remarks | None = None) -> Iterator[Document]:
    """Articles of a GENIA file, one at a time."""
    noted = remarks or Remarks()
    elements = stream_elements(path, _ARTICLES, root=ROOTS)
    return without_broken(elements, lambda element: _Article(element, path, noted).document(), on_error)


class _Article:
    """One article on its way to a document."""

    def __init__(self, element: etree._Element, path: Path, remarks: Remarks) -> None:
        self.element, self.path, self.remarks = element, path, remarks
        self.text = ""
        self.sentences: list[Sentence] = []
        self.mentions: list[Mention] = []
        self.passages: list[Passage] = []
        self.attributes: list[Attribute] = []

    def document(self) -> Document:
        given = self.element.findtext(".//bibliomisc") or self.element.findtext(".//PMID") or ""
        identifier = given.strip().removeprefix("MEDLINE:")
        if not identifier:
            raise CorpusError("article without a number", self.path, place_of(self.element))
        events: list[tuple[etree._Element, Sentence]] = []
        for part in self.element.iter("title", "abstract", "ArticleTitle", "Abstract"):
            begin = len(self.text) + bool(self.text)
            for element in part.iter("sentence", "event"):
                if element.tag == "sentence":
                    self._sentence(element, identifier)
                elif self.sentences:
                    events.append((element, self.sentences[-1]))
            if len(self.text) > begin:
                kind = "title" if "itle" in str(part.tag) else "abstract"
                self.passages.append(Passage(kind, begin, len(self.text)))
        known = {mention.id for mention in self.mentions} | {event.get("id", "") for event, _ in events}
        relations = [self._event(event, sentence, known) for event, sentence in events]
        document = Document(
            identifier, self.text, tuple(self.sentences), tuple(self.mentions), tuple(relations),
            attributes=tuple(self.attributes), passages=tuple(self.passages), metadata={"pmid": identifier},
        )  # fmt: skip
        return settled(document, self.remarks, lambda name: (self.path, f"{identifier}, {name}"))

    def _sentence(self, element: etree._Element, identifier: str) -> None:
        start = len(self.text) + bool(self.text)
        self.text += "\n" * bool(self.text)
        self._spell(element)
        name = element.get("id") or f"{identifier}.s{len(self.sentences)}"
        self.sentences.append(Sentence(name, start, len(self.text)))

    def _spell(self, element: etree._Element) -> None:
        """Add the text of an element, and the terms in it."""
        self.text += (element.text or "").replace("\n", " ")
        for child in element:
            start, place = len(self.text), len(self.mentions)
            self._spell(child)
            if child.tag in ("term", "cons") and len(self.text) > start:
                name = child.get("id") or f"T{len(self.mentions) + 1}"
                mention = Mention(name, child.get("sem", "term"), ((start, len(self.text)),), self.text[start:])
                self.mentions.insert(place, mention)  # the outer term before those in it
            self.text += (child.tail or "").replace("\n", " ")

    def _event(self, event: etree._Element, sentence: Sentence, known: set[str]) -> Relation:
        identifier = event.get("id") or f"E{place_of(event)}"
        kinds = [kind.get("class", "") for kind in event.iterfind("type")]
        arguments: list[Argument] = []
        for child in event:
            if child.tag not in ("theme", "cause", "product"):
                continue
            target = child.get("idref", "")
            role = str(child.tag).capitalize()
            number = sum(argument.role.rstrip("0123456789") == role for argument in arguments)
            if target in known:
                arguments.append(Argument(f"{role}{number + 1}" if number else role, target))
            else:
                what = "participants of events that are not in the file (left out)"
                self.remarks.add(what, self.path, identifier, target)
        if event.get("assertion") == "non-exist":
            self.attributes.append(Attribute(f"{identifier}.n", "Negation", identifier))
        if event.get("uncertainty", "certain") != "certain":
            self.attributes.append(Attribute(f"{identifier}.s", "Speculation", identifier))
        return Relation(
            identifier, (kinds or ["event"])[0] or "event", tuple(arguments), self._trigger(event, sentence, identifier)
        )

    def _trigger(self, event: etree._Element, sentence: Sentence, identifier: str) -> str | None:
        """The mention of the word that the clue marks, found by what stands before it."""
        clue = event.find("clue")
        marked = None if clue is None else clue.find(".//clueType")
        if clue is None or marked is None:
            return None
        before = _text_before(clue, marked)
        words = "".join(map(str, marked.itertext())).strip()
        text = self.text[sentence.start : sentence.end]
        place = text.find(words, max(0, len(before.lstrip()) - 3))
        if not words or place < 0:
            self.remarks.add("triggers that do not stand in their sentence (left out)", self.path, identifier, words)
            return None
        start = sentence.start + place
        name = f"{identifier}_trigger"
        self.mentions.append(Mention(name, "trigger", ((start, start + len(words)),), words, is_trigger=True))
        return name


def _text_before(element: etree._Element, marked: etree._Element) -> str:
    """The text of an element up to one in it."""
    pieces: list[str] = []
    for event, one in etree.iterwalk(element, events=("start", "end")):
        if one is marked:
            break
        pieces.append((one.text if event == "start" else one.tail if one is not element else "") or "")
    return "".join(pieces)
