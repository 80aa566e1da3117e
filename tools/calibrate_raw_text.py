"""Give a fitted model the end-to-end calibration of raw text: what a probability means when a tagger found the names.

    python tools/calibrate_raw_text.py draw MODEL SHEET.tsv        rows to read, of all probabilities
    python tools/calibrate_raw_text.py fit MODEL -o MODEL2         lines, threshold, and how well they hold
    python tools/calibrate_raw_text.py card MODEL raw-text.json    figures of `relhash benchmark raw-text` into its card

Text that the shipped pair model has not learned from and that nothing is reported on: abstracts of BioNLP 2009 devel
(annotated; the tagger has learned from their proteins), articles of CRAFT and sentences of the Bio AMR corpus (both without
such annotation, and new to the tagger).

1. The line of pairs comes from pairs of 2009 devel whose names overlap annotated proteins: related or not.
2. A sheet of rows that a person has read by benchmarks/results/raw-text/GUIDELINE.md moves it (the guideline calls more an
   interaction than BioNLP has events for), and its rows of CRAFT and AMR give the line of names. The sheet says which name is
   wrong (`wrong names`: 1, 2, or 12) apart from the verdict on the row. Rows are found again by document and offsets, so that
   the sheet also serves another model; those that a model no longer makes are left out.
3. The threshold is the lowest with an expected precision of --precision on all rows of that text.
"""

from __future__ import annotations

import argparse
import csv
import html
import json
import os
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from relhash.bench.benchmarks.raw_text import Verdict, judge
from relhash.bench.datasets.raw_text_gold import gold_texts
from relhash.biomed.assertion import Assertion
from relhash.corpus.document import Document
from relhash.learn.end_to_end import EndToEnd
from relhash.model import FittedModel, Prediction
from relhash.model.reading.found_names import names_of
from relhash.model.shipped import find_model

ROOT = Path(__file__).resolve().parents[1]
SHEET = ROOT / "benchmarks" / "results" / "raw-text" / "by-eye-development.tsv"
ABSTRACTS = "BioNLP 2009 devel"
EVERY_ARTICLE = 8
"""Of CRAFT's 97 articles every eighth is read."""
BANDS = (0.1, 0.3, 0.5, 0.7, 0.85, 1.0)
"""Rows are drawn from these bands of probability, as many from each."""
KEY = ["document", "start1", "end1", "start2", "end2"]
COLUMNS = [*KEY, "entity1", "entity2", "assertion", "sentence", "verdict", "reason", "wrong names"]
VERDICTS = ("right", "debatable", "wrong")
PRECISION = 0.64
"""Expected share of right rows among those accepted. A higher one would lose too much: at .64 the threshold finds 57 % of the
relations of AIMed in its raw text, at .8 less than 30 %; whoever needs it says ``--threshold`` to ``relhash predict``."""
STATED = (Assertion.ASSERTED, Assertion.SPECULATIVE)


@dataclass(frozen=True, eq=False)
class Rows:
    """Candidates of raw text that are not denied, with what the model says of them before any end-to-end calibration."""

    found: Sequence[Prediction]
    pairs: NDArray[np.float64]
    certainties: NDArray[np.float64]
    standings: NDArray[np.int64]
    bystanders: NDArray[np.bool_]
    by_annotation: Sequence[Verdict | None]
    """What the annotation says of each; ``None`` where there is no annotation."""

    def __getitem__(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> Rows:
        numbers = np.arange(len(self.found))[chosen]
        return Rows(
            [self.found[n] for n in numbers],
            self.pairs[numbers],
            self.certainties[numbers],
            self.standings[numbers],
            self.bystanders[numbers],
            [self.by_annotation[n] for n in numbers],
        )

    def probabilities(self, rule: EndToEnd) -> NDArray[np.float64]:
        return rule.probabilities(self.pairs, self.certainties, self.standings, self.bystanders)


def development_rows(model: FittedModel, data: Path) -> Rows:
    """What a model makes of the development text."""
    annotated = gold_texts(data, ABSTRACTS)
    everything = replace(model, end_to_end=EndToEnd()).keeping(*Assertion)
    found: list[Prediction] = []
    verdicts: list[Verdict | None] = []
    read = everything.annotate([gold.document for gold in annotated], all_candidates=True)
    for gold, (document, own) in zip(annotated, read, strict=True):
        found += own
        verdicts += [row.verdict for row in judge(gold, document, own, model.kept).rows]
    new_text = [*articles(data / "treebank" / "craft"), *sentences(data / "amr")]
    for own in everything.stream(new_text, all_candidates=True):
        found.append(own)
        verdicts.append(None)
    names = names_of([one.candidate for one in found])
    pairs = model.decision.calibration.probabilities([one.score for one in found])
    rows = Rows(found, pairs, *names, verdicts)
    return rows[np.array([one.assertion in STATED for one in found])]


def articles(folder: Path) -> Iterator[Document]:
    """Articles of CRAFT as running text, one paragraph per line."""
    for path in sorted(folder.glob("*.conllu"))[::EVERY_ARTICLE]:
        paragraphs: list[list[str]] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("# newpar"):
                paragraphs.append([])
            elif line.startswith("# text = "):
                paragraphs[-1].append(line.removeprefix("# text = "))
        yield Document(f"CRAFT-{path.stem}", "\n".join(" ".join(paragraph) for paragraph in paragraphs))


def sentences(folder: Path) -> Iterator[Document]:
    """Sentences of the Bio AMR corpus, those of a paper or collection as one document, without marks of italics."""
    texts: dict[str, list[str]] = {}
    for path in sorted(folder.glob("amr-release-*-bio.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("# ::id "):
                collection = line.split()[2].rpartition(".")[0]
            elif line.startswith("# ::snt "):
                texts.setdefault(collection, []).append(html.unescape(re.sub(r"</?\w+/?>", "", line.removeprefix("# ::snt "))))
    for collection, own in texts.items():
        yield Document(f"AMR-{collection}", "\n".join(own))


def source_of(document: Document) -> str:
    """``"CRAFT"``, ``"AMR"``, or nothing for an abstract."""
    name = document.id.partition("-")[0]
    return name if name in ("CRAFT", "AMR") else ""


def sheet_row(prediction: Prediction) -> dict[str, str]:
    row = {name: " ".join(str(value).split()) for name, value in prediction.as_row().items()}
    return {**{name: row.get(name, "") for name in COLUMNS}, "sentence": row["marked"]}


def draw(rows: Rows, rule: EndToEnd, output: Path, n: int, seed: int) -> None:
    """Write a sheet of ``n`` rows without verdicts, as many from each band and source."""
    chance = random.Random(seed)
    probabilities = rows.probabilities(rule)
    chosen: list[int] = []
    seen: set[tuple[str, str, str]] = set()
    sources = [source_of(one.candidate.document) for one in rows.found]
    strata = list(product(pairwise(BANDS), ("", "CRAFT", "AMR")))
    for (low, high), source in strata:
        order = [number for number, p in enumerate(probabilities) if low <= p < high and sources[number] == source]
        chance.shuffle(order)
        wanted = len(chosen) + n // len(strata)
        for number in order:
            row = sheet_row(rows.found[number])
            key = (row["entity1"], row["entity2"], row["sentence"])
            if len(chosen) < wanted and key not in seen:
                seen.add(key)
                chosen.append(number)
    chance.shuffle(chosen)  # whoever reads shall not know the probability
    with output.open("w", encoding="utf-8", newline="") as handle:
        sheet = csv.DictWriter(handle, COLUMNS, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        sheet.writeheader()
        sheet.writerows(sheet_row(rows.found[number]) for number in chosen)
    print(f"{output}: {len(chosen)} rows of {len(rows.found)}")


@dataclass(frozen=True, eq=False)
class Read:
    """Rows that a person has read: whether each is right, and each of its names."""

    rows: Rows
    right: NDArray[np.bool_]
    names: NDArray[np.bool_]

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Read:
        return Read(self.rows[chosen], self.right[chosen], self.names[chosen])


def read_sheet(rows: Rows, path: Path) -> Read:
    """The rows of a sheet that this model makes too, with their verdicts."""
    place = {tuple(sheet_row(one)[name] for name in KEY): number for number, one in enumerate(rows.found)}
    numbers, right, names = [], [], []
    with path.open(encoding="utf-8", newline="") as handle:
        lines = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    for line, row in enumerate(lines, 2):
        if row["verdict"] not in VERDICTS:
            raise SystemExit(f"{path}, line {line}: the verdict must be one of {', '.join(VERDICTS)}")
        number = place.get(tuple(row[name] for name in KEY))
        if number is None:
            continue
        numbers.append(number)
        right.append(row["verdict"] == "right")
        by_name = {rows.found[number].as_row()["start1"]: "1", rows.found[number].as_row()["start2"]: "2"}
        mentions = rows.found[number].candidate.mentions
        names.append([by_name[mention.start] not in row["wrong names"] for mention in mentions])
    print(f"{path.name}: {len(numbers)} of {len(lines)} rows are rows of this model, {sum(right)} right")
    return Read(rows[np.array(numbers)], np.array(right), np.array(names))


def distinct_names(read: Read) -> Iterator[tuple[float, int, bool]]:
    """Certainty, standing and verdict of each name that is new to the tagger, once per document: papers repeat themselves."""
    seen: set[tuple[str, str]] = set()
    for row, one in enumerate(read.rows.found):
        document = one.candidate.document
        for column, mention in enumerate(one.candidate.mentions):
            key = (document.id, mention.text.lower())
            if source_of(document) and key not in seen:
                seen.add(key)
                yield read.rows.certainties[row, column], read.rows.standings[row, column], read.names[row, column]


def fitted(rows: Rows, read: Read) -> EndToEnd:
    """The lines of both factors."""
    judgeable = np.array([verdict not in (None, Verdict.ENTITY_SPURIOUS) for verdict in rows.by_annotation]) & ~rows.bystanders
    related = np.array([verdict is Verdict.RIGHT for verdict in rows.by_annotation])
    rule = EndToEnd().with_pairs(rows.pairs[judgeable], related[judgeable])
    good = read.names.all(axis=1) & ~read.rows.bystanders
    rule = rule.with_pairs(read.rows.pairs[good], read.right[good], spread=(0.25, 2.0))
    names = list(distinct_names(read))
    return rule.with_names(*(np.array(column) for column in zip(*names, strict=True)))


def reliability(probabilities: NDArray[np.float64], right: NDArray[np.bool_]) -> str:
    """Rows by probability, n: mean probability → share right; and the mean logarithmic loss."""
    steps = []
    for low, high in zip((0, *BANDS[:-1], 0.9), (*BANDS[:-1], 0.9, 1.01), strict=True):
        own = (probabilities >= low) & (probabilities < high)
        if own.any():
            steps.append(f"{own.sum()}: {probabilities[own].mean():.2f} → {right[own].mean():.2f}")
    clipped = np.clip(probabilities, 1e-3, 1 - 1e-3)
    loss = -np.mean(np.where(right, np.log(clipped), np.log(1 - clipped)))
    return f"{'; '.join(steps)}; log loss {loss:.3f}"


def fit(model: FittedModel, rows: Rows, sheet: Path, precision: float) -> FittedModel:
    """The model with lines and threshold; prints how well they hold."""
    read = read_sheet(rows, sheet)
    halves = np.array([hash_of(one.candidate.document.id) % 2 for one in read.rows.found])
    held_out = np.empty(len(halves))
    for half in (0, 1):
        rule = fitted(rows, read[halves != half])
        held_out[halves == half] = read.rows[halves == half].probabilities(rule)
    print("rows read by eye, n: mean probability → share right")
    print("  the pair's own probability:", reliability(read.rows.pairs, read.right))
    print("  × the tagger's certainty:  ", reliability(read.rows.probabilities(EndToEnd()), read.right))
    print("  fitted, other half of docs:", reliability(held_out, read.right))
    rule = fitted(rows, read)
    probabilities = rows.probabilities(rule)
    rule = rule.with_precision(probabilities, precision)
    print("  fitted on all:             ", reliability(read.rows.probabilities(rule), read.right))
    accepted = probabilities >= rule.threshold
    print(f"{rule}\naccepts {accepted.sum()} of {accepted.size} rows, {(probabilities >= 0.9).sum()} with probability >= .9")
    card = dict(model.card)
    card["raw_text"] = {"calibrated_on": {"rows_read": len(read.right), "candidates": len(rows.found)}, "precision": precision}
    return replace(model, end_to_end=rule, card=card)


def hash_of(text: str) -> int:
    """The same in every process, unlike ``hash``."""
    return int.from_bytes(text.encode()[-6:], "big") // 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("draw", "fit", "card"))
    parser.add_argument("model")
    parser.add_argument("file", type=Path, nargs="?", help="draw: the sheet to write; card: raw-text.json")
    parser.add_argument("--sheet", type=Path, default=SHEET)
    parser.add_argument("--output", "-o", type=Path, help="by default the model itself")
    parser.add_argument("--precision", type=float, default=PRECISION)
    parser.add_argument("--rows", type=int, default=225)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    model = FittedModel.load(given.model, n_jobs=1)
    output = given.output or find_model(given.model)
    if given.command == "card":
        figures = json.loads(given.file.read_text(encoding="utf-8"))["rows"]
        card = {**model.card, "raw_text": {**model.card["raw_text"], "figures": figures}}
        replace(model, card=card).save(output)
        return
    data = Path(os.environ.get("RELHASH_DATA", ROOT.parent / "shared" / "data"))
    rows = development_rows(model, data)
    if given.command == "draw":
        draw(rows, model.end_to_end, given.file, given.rows, given.seed)
    else:
        fit(model, rows, given.sheet, given.precision).save(output)


if __name__ == "__main__":
    main()
