"""How often does a name get the right id, and what do the rules on two names of one thing leave out?

    RELHASH_DATA=../shared/data python benchmarks/grounding.py [--output benchmarks/results]
    python tools/make_lexicon.py --held-out --output held-out.npz …          what --names takes

The names are those of tests/biomed/data/grounded_names.tsv, judged by hand. Each is looked up in its whole document (names
from NERO in the words around them). Given the right spans, the ids of annotators are compared: genes of the papers of NLM-Gene
and GNormPlus that no choice was made on (a fifth; the list that ships knows names of all papers, so ``--names`` takes one that
does not), chemicals and diseases of BC5CDR devel. The rules are counted on gold entities of AIMed and the training folders of
BioNLP. Prints the tables and, with --output, writes grounding.json.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from relhash.bench.datasets.dataset import data_root
from relhash.biomed.grounding import Grounder, shipped_grounder
from relhash.biomed.names.spelling import is_part
from relhash.biomed.names.table import NameTable, shipped_names
from relhash.candidates import PairPolicy, candidates
from relhash.candidates.same_thing import SameThing
from relhash.candidates.statements import pairs_of_events
from relhash.corpus import Document, read
from relhash.corpus.document import Mention
from relhash.files import replacing
from relhash.language import split_sentences
from relhash.show.provenance import provenance, shipped_parses

NAMES = Path(__file__).resolve().parents[1] / "tests" / "biomed" / "data" / "grounded_names.tsv"
VERDICTS = ("right", "rightly unknown", "missed", "wrong")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, help="folder for grounding.json")
    parser.add_argument("--names", type=Path, help="a list of names without the papers that genes are measured on")
    given = parser.parse_args()
    root = data_root(None)
    table = shipped_names() if given.names is None else NameTable.read(given.names)
    spans = [*genes(root, table), *chemicals_and_diseases(root, table)]
    found = {"names": names(root), "given spans": spans, "same thing": rules(root)}
    if given.output is not None:
        with replacing(given.output / "grounding.json", "w") as handle:
            json.dump({**found, "made": provenance(shipped_parses())}, handle, indent=1)


def names(root: Path) -> list[dict[str, object]]:
    texts = {f"aimed:{document.id}": document.text for document in read(root / "ppi" / "AIMed.xml")}
    texts |= {f"bionlp:{path.stem}": path.read_text(encoding="utf-8") for path in (root / "bionlp").glob("20??/*/*.txt")}
    counts: dict[tuple[str, str], Counter[str]] = {}
    with NAMES.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            answer = ids_in(texts.get(row["document"]), row)
            verdict = judged(answer, row["expected"].split("|"))
            counts.setdefault((row["drawn"], row["type"]), Counter())[verdict] += 1
    for drawn in ("first", "second"):
        counts[drawn, "all"] = sum((own for (which, _), own in counts.items() if which == drawn), Counter())
    return [summary(drawn, kind, own) for (drawn, kind), own in counts.items()]


def summary(drawn: str, kind: str, own: Counter[str]) -> dict[str, object]:
    row = {
        "drawn": drawn,
        "type": kind,
        "names": own.total(),
        **{verdict: own[verdict] for verdict in VERDICTS},
        "accuracy": (own["right"] + own["rightly unknown"]) / own.total(),
        "precision of ids": own["right"] / max(1, own["right"] + own["wrong"]),
    }
    print(row)
    return row


def ids_in(text: str | None, row: dict[str, str]) -> tuple[str, ...]:
    """The ids of the name where its context stands in the text, or in the context alone."""
    left, _, right = row["context"].partition(f"[{row['name']}]")
    context = left + row["name"] + right
    place = -1 if text is None else text.find(context)
    text, place = (text, place) if text is not None and place >= 0 else (context, 0)
    start = place + len(left)
    mention = Mention("T", row["type"], ((start, start + len(row["name"])),), row["name"])
    return shipped_grounder()(Document("d", text, mentions=(mention,))).mentions[0].ids


def judged(answer: tuple[str, ...], accepted: list[str]) -> str:
    if (answer[0] if answer else "unknown") in accepted:
        return "right" if answer else "rightly unknown"
    return "wrong" if answer else "missed"


def genes(root: Path, table: NameTable) -> Iterator[dict[str, object]]:
    """Human genes; of those of other species no list says which ids of ours are theirs."""
    with gzip.open(root / "lexicons" / "hgnc_entries.tsv.gz", "rt", encoding="utf-8", newline="") as handle:
        rows = csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
        human = {row["NCBI Gene ID(supplied by NCBI)"]: f"HGNC:{row['HGNC ID'].removeprefix('HGNC:')}" for row in rows}
    for corpus in ("NLMgene", "GNormPlus"):
        documents = [one for one in read(root / "genenorm" / f"{corpus}_Train.PubTator") if int(one.id) % 5 == 0]
        yield given_spans(corpus, "Gene", documents, table, lambda stated: {human[one] for one in stated if one in human})


def chemicals_and_diseases(root: Path, table: NameTable) -> Iterator[dict[str, object]]:
    documents = list(read(root / "bc5cdr" / "devel.PubTator"))
    for kind in ("Chemical", "Disease"):
        yield given_spans("BC5CDR devel", kind, documents, table, headings)


def headings(stated: list[str]) -> set[str]:
    return {f"MESH:{one}" for one in stated if one != "-1"}


def given_spans(
    corpus: str, kind: str, documents: list[Document], table: NameTable, wanted: Callable[[list[str]], set[str]]
) -> dict[str, object]:
    """Verdicts on the ids of the mentions that have one of the wanted kind."""
    grounder, counts = Grounder(table), Counter[str]()
    for document in documents:
        stated = {one.id: wanted([i for part in one.ids for i in re.split("[|,;]", part)]) for one in document.mentions}
        kept = [replace(one, type=kind, ids=()) for one in document.mentions if one.type == kind and stated[one.id]]
        found = grounder(replace(document, mentions=tuple(kept), relations=()))
        counts.update(verdict(set(one.ids), stated[one.id], table) for one in found.mentions)
    given = counts.total() - counts["none"] - counts["none, id not listed"]
    listed = counts.total() - counts["none, id not listed"] - counts["wrong, id not listed"]
    row = {"corpus": corpus, "type": kind, "names": counts.total(), **counts, "accuracy": counts["right"] / counts.total()}
    row |= {"precision of ids": counts["right"] / given, "of listed ids": counts["right"] / listed}
    row["right gene or its family"] = (counts["right"] + counts["other species"] + counts["its family"]) / counts.total()
    print(row)
    return row


def verdict(found: set[str], stated: set[str], table: NameTable) -> str:
    """Right, or in which way not; ids of MeSH that no list of ours has (its supplement) can only be missed."""
    if found & stated:
        return "right"
    if {table.human_gene(one) for one in found} & stated:
        return "other species"
    if is_part(stated, found):
        return "its family"
    listed = "" if any(table.number_of(one) is not None for one in stated) else ", id not listed"
    return ("wrong" if found else "none") + listed


def rules(root: Path) -> list[dict[str, object]]:
    table = []
    for name, documents in corpora(root):
        counts: Counter[tuple[str, bool]] = Counter()
        for document in map(shipped_grounder(), documents):
            same = SameThing(document)
            for candidate in candidates([document], PairPolicy(synonym_pairs=True)):
                reason = same(candidate.mentions[0], candidate.mentions[1])
                counts["other pairs" if reason is None else str(reason), candidate.is_positive] += 1
        for reason in sorted({reason for reason, _ in counts}):
            table.append({"corpus": name, "rule": reason, "positive": counts[reason, True], "negative": counts[reason, False]})
            print(table[-1])
    return table


def corpora(root: Path) -> Iterable[tuple[str, list[Document]]]:
    yield "AIMed", [replace(document, candidates=None) for document in read(root / "ppi" / "AIMed.xml")]
    for year in ("2009", "2013"):
        documents = pairs_of_events(read(root / "bionlp" / year / "train"))
        yield f"BioNLP {year} train", [split_sentences(document) for document in documents]


if __name__ == "__main__":
    main()
