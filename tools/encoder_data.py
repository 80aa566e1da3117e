"""The pairs that the encoder learns from: every source whose licence allows to give away what is learned from it.

A *reading* is one sentence with its entities and the pairs of them that somebody judged. Sources say different things
(BioInfer: any relation, BioNLP: events, NERO: statements, ExTRI: regulation of transcription), so every reading names its
source. Papers and sentences of everything that RelHash is measured on are left out.
"""

from __future__ import annotations

import csv
import itertools
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bel_scripts import NO_CHANGE, SIGNS, Row, bel_rows
from relhash.bench.datasets.bionlp import training_documents
from relhash.bench.datasets.dataset import read_benchmark_corpus
from relhash.bench.systems.prior_votes import judged_pairs, without_leakage
from relhash.biomed.names.table import shipped_names
from relhash.candidates.gold import role_of
from relhash.candidates.shared_sentences import plain_text
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.candidates.symbols import entity_class
from relhash.corpus import Document, read
from relhash.corpus.document import Mention, Span, paper_ids
from relhash.language.sentences import split_sentences
from relhash.language.word_pieces import TRIGGER
from train_ppi_model import papers_of_other_tests, tested_text

SOURCES = ("bioinfer", "bionlp", "modifications", "nero", "nero-other", "extri", "bel", "conib")
"""What a head of the encoder can be asked as."""
THEME, CAUSE = "theme", "cause"
"""Heads of links: what an event that the trigger names is about, and what causes it."""
FORWARD, INCREASES = "forward", "increases"
"""Heads of pairs that are related: whether the one that stands first acts on the other, and whether it makes more of it."""
OTHER_HEADS = (THEME, CAUSE, FORWARD, INCREASES)
MOST_ENTITIES = 14
"""Of one sentence, the first."""


@dataclass(frozen=True)
class Reading:
    """A sentence, its entities in the order of the text, and what is known of pairs of them."""

    text: str
    entities: tuple[tuple[Span, str], ...]
    pairs: tuple[tuple[int, int, str, bool], ...]
    """First entity, second entity, source or one of the other heads, what is so."""
    paper: str

    @property
    def is_held_out(self) -> bool:
        return is_held_out(self.paper)


def is_held_out(paper: str) -> bool:
    """Every twelfth paper is kept aside, to choose and to calibrate with."""
    return zlib.crc32(paper.encode()) % 12 == 0


def all_readings(root: Path) -> Iterator[Reading]:
    """The readings of all sources, without anything that is tested."""
    papers, sentences = tested_text(root)
    papers |= papers_of_other_tests(root)
    for source, given in _documents(root):
        given = list(given)
        documents = list(pairs_of_events(given, types=WITH_EVENTS[source])) if source in WITH_EVENTS else given
        kept, of_papers, of_sentences = without_leakage(documents, papers, sentences)
        links = {one.id: links_of(one) for one in given} if source in WITH_EVENTS else {}
        words = named_by(given) if source == "bionlp" else {}
        found = [one for document in kept for one in readings_of(document, source, links.get(document.id), words)]
        pairs = [pair for reading in found for pair in reading.pairs]
        print(
            f"{source}: {len(found)} sentences, {len(pairs)} pairs, {sum(pair[3] for pair in pairs)} related; left out: "
            f"{of_papers} documents by paper, {of_sentences} by sentence",
            flush=True,
        )
        yield from found
        if source == "bioinfer":  # the encoder of the protocols has not seen it, and must not know its papers either
            papers |= {paper for document in documents for paper in paper_ids(document)}
            sentences |= {plain_text(one.text[s.start : s.end]) for one in documents for s in one.sentences}
    for source, rows in (("extri", _extri(root)), ("bel", _bel(root)), ("conib", _conib(root))):
        found = [row for row in rows if f"PMID{row.paper}" not in papers]
        print(f"{source}: {len(found)} sentences, {sum(row.pairs[0][3] for row in found)} related", flush=True)
        yield from found


class Links(NamedTuple):
    """What the events of a document say: roles of participants by trigger, and pairs with a direction or a sign."""

    roles: dict[Span, dict[str, set[str]]]
    facts: dict[tuple[str, str], dict[str, bool]]
    """(cause, theme) → whether the cause makes more of the theme, if that is clear."""


def links_of(document: Document) -> Links:
    """Links of triggers to the entities that their events are about; (cause, theme) → sign."""
    roles: dict[Span, dict[str, set[str]]] = defaultdict(lambda: {THEME: set(), CAUSE: set()})
    signs: dict[tuple[str, str], set[int]] = defaultdict(set)
    for event in document.relations:
        if event.trigger is None:
            continue
        by_role: dict[str, list[tuple[str, int]]] = {THEME: [], CAUSE: []}
        for argument in event.arguments:
            if (role := role_of(argument.role)) in by_role:
                by_role[role] += _about(argument.target, document, frozenset({event.id}))
        own = roles[document.mention_by_id[event.trigger].spans[0]]
        for role, found in by_role.items():
            own[role] |= {mention for mention, _ in found}
        for (cause, _), (theme, sign) in itertools.product(by_role[CAUSE], by_role[THEME]):
            signs[cause, theme].add(_SIGNS.get(event.type, 0) * sign)
    for group in document.equivalences:  # names of one thing stand for each other
        for own in roles.values():
            for found in own.values():
                if not found.isdisjoint(group):
                    found.update(group)
    facts = {
        pair: {FORWARD: True, **({INCREASES: found == {1}} if found in ({1}, {-1}) else {})}
        for pair, found in signs.items()
        if pair[::-1] not in signs
    }
    return Links(roles, facts)


_SIGNS = {"Positive_regulation": 1, "Negative_regulation": -1}


def _about(target: str, document: Document, seen: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The mentions that a mention or an event is about, and whether more (1) or less (-1) of it is told."""
    if target in document.mention_by_id:
        yield target, 1
    elif target not in seen and (event := document.relation_by_id.get(target)) is not None:
        for argument in event.arguments:
            if role_of(argument.role) == THEME:
                for mention, sign in _about(argument.target, document, seen | {target}):
                    yield mention, sign * (-1 if event.type == "Negative_regulation" else 1)


def named_by(documents: Sequence[Document]) -> set[str]:
    """Words that are often triggers: where they are none, the links to them are wrong."""
    triggers, words = Counter[str](), Counter[str]()
    for document in documents:
        words.update(match[0].lower() for match in _RUN.finditer(document.text))
        places = {mention.spans[0] for mention in document.mentions if mention.is_trigger}
        triggers.update(document.text[start:end].lower() for start, end in places)
    return {word for word, count in triggers.items() if count > 1 and count >= 0.05 * words[word]}


def readings_of(document: Document, source: str, links: Links | None = None, words: Container[str] = ()) -> Iterator[Reading]:
    """The sentences of a document that have at least one judged pair."""
    if not document.sentences:
        document = split_sentences(document)
    related = {frozenset(relation.targets) for relation in document.relations}
    listed = None if document.candidates is None else {frozenset((one.first, one.second)) for one in document.candidates}
    paper = min(paper_ids(document), default=document.id)
    for sentence in document.sentences:
        inside = [m for m in document.entities if sentence.start <= m.spans[0][0] and m.spans[0][1] <= sentence.end]
        inside = sorted(inside, key=lambda m: (m.spans[0], m.id))[:MOST_ENTITIES]
        pairs = [
            (i, j, _source(source, inside[i], inside[j]), pair in related)
            for i, j in itertools.combinations(range(len(inside)), 2)
            if (pair := frozenset((inside[i].id, inside[j].id))) and (listed is None or pair in listed)
        ]
        if (
            source == "modifications"
            and not any(pair[3] for pair in pairs)
            and zlib.crc32(f"{paper} {sentence.start}".encode()) % 4
        ):
            pairs = []
        text = document.text[sentence.start : sentence.end]
        entities = [(_moved(m, sentence.start), entity_class(m.type)) for m in inside]
        if links is not None:
            numbers = [(i, j) for i, j, _, is_related in pairs if is_related]
            pairs += _facts_of(links, inside, numbers)
            for span, roles in _triggers(links, words, text, sentence.start, inside):
                entities.append((span, TRIGGER))
                for number, mention in enumerate(inside):
                    pairs += [(number, len(entities) - 1, role, mention.id in roles.get(role, ())) for role in (THEME, CAUSE)]
        if pairs:
            yield Reading(text, tuple(entities), tuple(pairs), paper)


def _facts_of(
    links: Links, inside: Sequence[Mention], related: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int, str, bool]]:
    """Direction and sign of related pairs, where events have them."""
    for i, j in related:
        for pair, is_forward in (((i, j), True), ((j, i), False)):
            facts = links.facts.get((inside[pair[0]].id, inside[pair[1]].id), {})
            yield from ((i, j, head, is_so if head == INCREASES else is_forward) for head, is_so in facts.items())


def _triggers(
    links: Links, words: Container[str], text: str, start: int, inside: Sequence[Mention]
) -> list[tuple[Span, dict[str, set[str]]]]:
    """Triggers of a sentence with the roles of what they are linked to; words that are often triggers, with nothing."""
    found = {(a - start, b - start): roles for (a, b), roles in links.roles.items() if start <= a and b <= start + len(text)}
    taken = [*found, *(_moved(mention, start) for mention in inside)]
    others = (match.span() for match in _RUN.finditer(text) if match[0].lower() in words)
    found.update({one: {} for one in others if not any(one[0] < end and begin < one[1] for begin, end in taken)})
    return sorted(found.items())


def _moved(mention: Mention, start: int) -> Span:
    return mention.spans[0][0] - start, mention.spans[0][1] - start


def _source(source: str, first: Mention, second: Mention) -> str:
    is_other = source == "nero" and {entity_class(first.type), entity_class(second.type)} != {"protein"}
    return "nero-other" if is_other else source


def _documents(root: Path) -> Iterator[tuple[str, Iterable[Document]]]:
    yield "bioinfer", read_benchmark_corpus(root, "ppi/BioInfer.xml")
    yield "bionlp", training_documents(root, ("2013", "2009"))
    folders = [path for path in sorted((root / "bionlp-more").glob("**/")) if any(path.glob("*.a2"))]
    more = itertools.chain.from_iterable(read(path, "bionlp") for path in folders)
    yield "modifications", more
    yield "nero", judged_pairs(read_benchmark_corpus(root, "nero/annotation_results.txt.gz"))


WITH_EVENTS = {"bionlp": ("protein",), "modifications": ("protein", "chemical", "organism", "regulon-operon")}


_RUN = re.compile(r"[^\W_]+")
_WORD = re.compile(r"[A-Za-z0-9α-ωΑ-Ω']+|[^\sA-Za-z0-9α-ωΑ-Ω]")


def _found(text: str, symbol: str) -> Span | None:
    """The longest place in the text that is some name of a gene or family."""
    names, words = shipped_names(), [match.span() for match in _WORD.finditer(text)]
    for length in range(6, 0, -1):
        for first in range(len(words) - length + 1):
            start, end = words[first][0], words[first + length - 1][1]
            is_name = text[start].isalnum() and text[end - 1].isalnum() and end - start > 1
            found = names.find(text[start:end]) if is_name else ()
            if any(names.label(one.number).upper() == symbol.upper() for one in found):
                return start, end
    return None


def _row(
    text: str, first: str, second: str, source: str, is_related: bool, paper: str, increases: bool | None = None
) -> Reading | None:
    """A sentence with two names; if they are related the first acts on the second."""
    spans = (_found(text, first), _found(text, second))
    if spans[0] is None or spans[1] is None or (spans[0][0] < spans[1][1] and spans[1][0] < spans[0][1]):
        return None
    entities = tuple((span, "protein") for span in sorted((spans[0], spans[1])))
    pairs = [(0, 1, source, is_related)]
    if is_related:
        pairs.append((0, 1, FORWARD, spans[0] < spans[1]))
        if increases is not None:
            pairs.append((0, 1, INCREASES, increases))
    return Reading(text, entities, tuple(pairs), paper)


def _extri(root: Path) -> Iterator[Reading]:
    with (root / "judged" / "extri_dev.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            is_related = row["evaluation"] in ("a", "r", "v") and not row["negation"].strip()
            made = _row(row["sentence"], row["TF"], row["TG"], "extri", is_related, row["id"].split(":")[0])
            if made is not None and row["evaluation"].strip():
                yield made


def _bel(root: Path) -> Iterator[Reading]:
    """Statements about two proteins; a row that is neither correct nor corrected says nothing of the two names in it."""
    with (root / "judged" / "bel_enrichment.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            names = [re.findall(r'HGNC:"?([A-Za-z0-9@-]+)', row[column]) for column in ("subject", "object")]
            if row["correct"] != "x" and row["changed"] != "x":
                names = [] if "evidence" not in (row["error_type"] or "").lower() and row["error_type"] else names
            if len(names) == 2 and names[0] and names[1] and names[0][0] != names[1][0]:
                is_related = "x" in (row["correct"], row["changed"])
                sign = SIGNS.get(row["predicate"].strip(), 0) if row["correct"] == "x" and "deg(" not in row["object"] else 0
                increases = sign > 0 if sign else None
                made = _row(row["evidence"], names[0][0], names[1][0], "bel", is_related, row["pmid"], increases)
                if made is not None:
                    yield made


_CLASS_OF = {
    "protein": "protein", "gene": "protein", "rna": "protein", "chemical": "chemical", "abundance": "chemical",
    "pathology": "disease", "process": "process",
}  # fmt: skip


def _conib(root: Path) -> Iterator[Reading]:
    """Evidence of BEL scripts with what curators state of it: what a statement joins is related, other names of a sentence not.

    Names are those of all statements of a script, found by the table of names or as they are written.
    """
    for script, rows in itertools.groupby(bel_rows(root), lambda row: row.place.partition(":")[0]):
        by_text: dict[str, list[Row]] = defaultdict(list)
        names = {}
        for row in rows:
            by_text[row.text].append(row)
            names.update({one.name.upper(): _CLASS_OF[one.kind] for one in (row.subject, row.object) if one.kind in _CLASS_OF})
        for number, (evidence, own) in enumerate(by_text.items()):
            related: dict[tuple[str, str], dict[str, bool]] = {}
            for row in own:
                pair = row.subject.name.upper(), row.object.name.upper()
                facts = {}
                if row.relation in SIGNS:
                    facts = {FORWARD: True, **({INCREASES: row.sign > 0} if row.sign else {})}
                if row.relation not in NO_CHANGE and not related.get(pair):
                    related[pair] = facts
                    related[pair[::-1]] = facts and {**facts, FORWARD: False}
            document = split_sentences(Document(f"{script}.{number}", evidence))
            for sentence in document.sentences:
                text = evidence[sentence.start : sentence.end]
                found = _names_in(text, names)[:MOST_ENTITIES]
                pairs: list[tuple[int, int, str, bool]] = []
                for (i, one), (j, other) in itertools.combinations(enumerate(found), 2):
                    if one[1] != other[1]:
                        facts = related.get((one[1], other[1]))
                        pairs.append((i, j, "conib", facts is not None))
                        pairs += [(i, j, head, is_so) for head, is_so in (facts or {}).items()]
                if pairs:
                    yield Reading(text, tuple((span, names[name]) for span, name in found), tuple(pairs), own[0].pmid or script)


def _names_in(text: str, names: Mapping[str, str]) -> list[tuple[Span, str]]:
    """Places of the names, longest first, in the order of the text."""
    table, words = shipped_names(), [match.span() for match in _WORD.finditer(text)]
    found: list[tuple[Span, str]] = []
    for length in range(6, 0, -1):
        for first in range(len(words) - length + 1):
            start, end = words[first][0], words[first + length - 1][1]
            if any(start < other[1] and other[0] < end for other, _ in found) or end - start < 2:
                continue
            if not (text[start].isalnum() and text[end - 1].isalnum()):
                continue
            own = text[start:end]
            meant = own.upper() if own.upper() in names else None
            if meant is None:
                is_name = len(own) > 3 or not own.islower()  # in small letters "the" is a name too
                labels = (table.label(one.number).upper() for one in (table.find(own) if is_name else ()))
                meant = next((label for label in labels if label in names), None)
            if meant is not None:
                found.append(((start, end), meant))
    return sorted(found)
