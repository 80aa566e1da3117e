"""Texts with labels that a shipped model has not learned from: what ``relhash benchmark teach`` teaches it.

``ppi`` is taught on pairs of proteins (AIMed, HPRD50, verdicts of curators on statements and on sentences about transcription
factors, events of the BioNLP tasks), ``related`` on chemicals, genes, diseases and variants. Sentences that the model was
trained on are left out. On the first four the learner was chosen, on the others it is reported.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import read_benchmark_corpus
from relhash.biomed.names.table import shipped_names
from relhash.candidates.statements.pairs_of_events import pairs_of_events
from relhash.corpus import Argument, CandidatePair, Document, Mention, Relation

ABOUT_NAMES = {"grounding", "entity_boundaries"}
"""Verdicts that say nothing of the relation."""


@dataclass(frozen=True)
class TeachSet:
    """A text with labels.

    Attributes
    ----------
    model
        The shipped model that is taught.
    read
        Its documents, below the data root.
    chosen_on
        Whether the learner was chosen on it.
    types
        The pairs of entity types that are asked about, if not all that the model knows.
    """

    model: str
    read: Callable[[Path], Iterable[Document]]
    chosen_on: bool = False
    types: Sequence[tuple[str, str]] = ()


def _corpus(name: str) -> Callable[[Path], Iterable[Document]]:
    return lambda root: read_benchmark_corpus(root, name)


def _events(name: str) -> Callable[[Path], Iterable[Document]]:
    return lambda root: pairs_of_events(read_benchmark_corpus(root, name))


def _verdicts(root: Path) -> Iterator[Document]:
    """Statements that two proteins form a complex, which curators have judged; names are found in the sentence."""
    for line in (root / "judged" / "indra_dev.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["type"] == "Complex" and row["verdict"] not in ABOUT_NAMES:
            is_right = row["verdict"] == "correct"
            yield from _judged(row["pmid"], row["id"], row["text"], row["subject"], row["object"], is_right)


def _regulation(root: Path) -> Iterator[Document]:
    """Sentences with a transcription factor and a gene that it may regulate, judged."""
    with (root / "judged" / "extri_dev.tsv").open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            is_right = row["evaluation"] in ("a", "r", "v")
            yield from _judged(row["id"].partition(":")[0], row["id"], row["sentence"], row["TF"], row["TG"], is_right)


def _judged(paper: str, row: str, text: str, first: str, second: str, is_right: bool) -> Iterator[Document]:
    """One sentence with its two names; nothing if one of them is not there as a whole word."""
    places = [_place(text, name) for name in (first, second)]
    if places[0] is None or places[1] is None or places[0] == places[1]:
        return
    mentions = tuple(
        Mention(f"T{number}", "protein", (place,), text[slice(*place)])
        for number, place in enumerate(places, 1)
        if place is not None
    )
    joined = (Relation("R1", "interaction", (Argument("e1", "T1"), Argument("e2", "T2"))),)
    pairs = (CandidatePair("P1", "T1", "T2"),)
    yield Document(f"{paper}/{row}", text, mentions=mentions, relations=joined if is_right else (), candidates=pairs)


def _place(text: str, name: str) -> tuple[int, int] | None:
    """Where a name stands: as it is written, or as another name of the same thing."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
    if found is not None:
        return found.span()
    names = shipped_names()
    for word in re.finditer(r"(?<![\w'/-])[\w'/-]*\w", text):
        concepts = names.find(word[0]) if len(word[0]) > 2 else ()
        if any(names.label(one.number).upper() == name.upper() for one in concepts):
            return word.span()
    return None


TEACH_SETS: dict[str, TeachSet] = {
    "INDRA complexes": TeachSet("ppi", _verdicts, chosen_on=True),
    "AIMed": TeachSet("ppi", _corpus("ppi/AIMed.xml"), chosen_on=True),
    "HPRD50": TeachSet("ppi", _corpus("ppi/HPRD50.xml"), chosen_on=True),
    "DrugProt": TeachSet("related", _corpus("drugprot/train"), True, (("chemical", "gene"),)),
    "ExTRI": TeachSet("ppi", _regulation),
    "BioNLP 2013": TeachSet("ppi", lambda root: pairs_of_events(development_documents(root))),
    "BioNLP ID": TeachSet("ppi", _events("bionlp-more/2011-id/train")),
    "BC5CDR": TeachSet("related", _corpus("bc5cdr/devel.PubTator"), types=(("chemical", "disease"),)),
    "BioRED": TeachSet("related", _corpus("biored/Train.PubTator")),
}
"""By their names in the tables."""
