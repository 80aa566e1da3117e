"""How often does a name get the right id, and what do the rules on two names of one thing leave out?

    RELHASH_DATA=../shared/data python benchmarks/grounding.py [--output benchmarks/results]

The names are those of tests/language/data/grounded_names.tsv, judged by hand. Each is looked up in its whole document (names
from NERO in the words around them). The rules are counted on gold entities of AIMed and the training folders of BioNLP. Prints
both tables and, with --output, writes grounding.json.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from relhash.bench.datasets.dataset import data_root
from relhash.biomed.grounding import shipped_grounder
from relhash.candidates import PairPolicy, candidates
from relhash.candidates.same_thing import SameThing
from relhash.candidates.statements import pairs_of_events
from relhash.corpus import Document, read
from relhash.corpus.document import Mention
from relhash.files import replacing
from relhash.language import split_sentences
from relhash.show.provenance import provenance, shipped_parses

NAMES = Path(__file__).resolve().parents[1] / "tests" / "language" / "data" / "grounded_names.tsv"
VERDICTS = ("right", "rightly unknown", "missed", "wrong")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, help="folder for grounding.json")
    given = parser.parse_args()
    root = data_root(None)
    found = {"names": names(root), "same thing": rules(root)}
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
