"""Which rows of `relhash predict` shall a person read? Draws a sheet of accepted rows, or sums up one that was judged.

    python benchmarks/raw_text_sample.py draw OUT.tsv --part before|after [--model ppi] [--rows 100] [--seed 0]
    python benchmarks/raw_text_sample.py summary SHEET.tsv …

Text: the abstracts and sections of the BioNLP test folders (2009, 2011, 2013) below RELHASH_DATA, each once, without papers
that stand in a train or devel folder too. The seed deals papers into two halves, `before` and `after`, so that nobody reads the
same text twice. Half of the rows are drawn from all accepted rows, half from those with probability >= .9 that are left.

The columns `verdict` (right, debatable, wrong) and `reason` are empty: fill them by benchmarks/results/raw-text/GUIDELINE.md.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
from collections import Counter
from pathlib import Path

import relhash
from relhash.bench.datasets.bionlp import distinct_documents
from relhash.candidates.shared_sentences import plain_text
from relhash.corpus import Document, read

ROOT = Path(__file__).resolve().parents[1]
YEARS = ("2009", "2011", "2013")
COLUMNS = ["drawn", "document", "entity1", "entity2", "probability", "assertion", "sentence", "verdict", "reason"]
VERDICTS = ("right", "debatable", "wrong")
CONFIDENT = 0.9
PARTS = ("before", "after")


def half(data: Path, part: str, seed: int) -> list[Document]:
    """The documents of one half, text only; sections of one paper stay together."""
    known = {
        key
        for year in YEARS
        for folder in ("train", "devel")
        if (data / "bionlp" / year / folder).is_dir()
        for document in read(data / "bionlp" / year / folder, "bionlp")
        for key in (plain_text(document.text), paper_of(document))
    }
    given = (document for year in reversed(YEARS) for document in read(data / "bionlp" / year / "test", "bionlp"))
    papers: dict[str, list[Document]] = {}
    for document in distinct_documents(given):
        if known.isdisjoint((plain_text(document.text), paper_of(document))):
            papers.setdefault(paper_of(document), []).append(Document(document.id, document.text))
    names = sorted(papers)
    random.Random(seed).shuffle(names)
    return [document for name in names[PARTS.index(part) :: 2] for document in papers[name]]


def paper_of(document: Document) -> str:
    """The paper that a section is of: PMC-1064873 of PMC-1064873-00-TIAB."""
    return "-".join(document.id.split("-")[:2])


def rows_of(model: str, documents: list[Document]) -> list[dict[str, str]]:
    """All accepted rows, each once: tasks cut some papers into other sections."""
    distinct: dict[tuple[str, ...], dict[str, str]] = {}
    for found in relhash.load(model).stream(documents):
        row = {name: " ".join(str(value).split()) for name, value in found.as_row().items()}
        row["sentence"] = row["marked"]
        distinct.setdefault(
            (row["entity1"], row["entity2"], row["sentence"]), {**row, "probability": f"{found.probability:.3f}"}
        )
    return list(distinct.values())


def draw(output: Path, part: str, model: str, rows: int, seed: int) -> None:
    data = Path(os.environ.get("RELHASH_DATA", ROOT.parent / "shared" / "data"))
    documents = half(data, part, seed)
    accepted = rows_of(model, documents)
    chance = random.Random(seed)
    order = list(range(len(accepted)))
    chance.shuffle(order)
    at_random = order[: rows // 2]
    confident = [n for n in order[rows // 2 :] if float(accepted[n]["probability"]) >= CONFIDENT][: rows - rows // 2]
    with output.open("w", encoding="utf-8", newline="") as handle:
        sheet = csv.DictWriter(
            handle, COLUMNS, delimiter="\t", extrasaction="ignore", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None
        )
        sheet.writeheader()
        for drawn, numbers in (("random", at_random), ("confident", confident)):
            sheet.writerows({"drawn": drawn, **accepted[n]} for n in sorted(numbers))
    high = sum(float(row["probability"]) >= CONFIDENT for row in accepted)
    print(f"{len(documents)} documents, {len(accepted)} accepted rows, {high} of them with probability >= {CONFIDENT}")


def summary(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as handle:
        rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    unknown = [n for n, row in enumerate(rows, 2) if row["verdict"] not in VERDICTS]
    if unknown:
        raise SystemExit(f"{path}, line {unknown[0]}: the verdict must be one of {', '.join(VERDICTS)}")
    high = [float(row["probability"]) >= CONFIDENT for row in rows]
    groups = {
        "drawn at random": [row for row in rows if row["drawn"] == "random"],
        "drawn with probability >= .9": [row for row in rows if row["drawn"] == "confident"],
        "all read with probability >= .9": [row for row, is_high in zip(rows, high, strict=True) if is_high],
        "all read with probability < .9": [row for row, is_high in zip(rows, high, strict=True) if not is_high],
    }
    print(f"{path.name}\n\n| rows | n | right | debatable | wrong | share right |\n|---|---|---|---|---|---|")
    for name, group in groups.items():
        counts = Counter(row["verdict"] for row in group)
        share = counts["right"] / max(len(group), 1)
        print(f"| {name} | {len(group)} | " + " | ".join(str(counts[v]) for v in VERDICTS) + f" | {share:.0%} |")
    columns = [(how, verdict) for how in ("random", "confident") for verdict in VERDICTS[1:]]
    print("\n| reason | " + " | ".join(f"{verdict}, {how}" for how, verdict in columns) + " |")
    print("|---|---|---|---|---|")
    reasons = Counter((row["reason"], row["drawn"], row["verdict"]) for row in rows if row["verdict"] != "right")
    for reason in sorted({key[0] for key in reasons}):
        print(f"| {reason} | " + " | ".join(str(reasons[reason, how, verdict]) for how, verdict in columns) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("output", type=Path)
    drawing.add_argument("--part", choices=PARTS, required=True)
    drawing.add_argument("--model", default="ppi")
    drawing.add_argument("--rows", type=int, default=100)
    drawing.add_argument("--seed", type=int, default=0)
    commands.add_parser("summary").add_argument("sheets", type=Path, nargs="+")
    given = parser.parse_args()
    if given.command == "draw":
        draw(given.output, given.part, given.model, given.rows, given.seed)
    else:
        for sheet in given.sheets:
            summary(sheet)


if __name__ == "__main__":
    main()
