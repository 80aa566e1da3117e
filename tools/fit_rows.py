"""Give a fitted model the rule "is a row of raw text right as it stands?", from rows that somebody has judged.

    python tools/fit_rows.py fit MODEL -o MODEL2                weights of hints, threshold, and how well they hold
    python tools/fit_rows.py card MODEL raw-text.json           figures of `relhash benchmark raw-text` into its card

Rows: the sheets of ``benchmarks/results/raw-text`` that nothing is reported on, read here; ExTRI (MIT) and BEL enrichment
(CC BY 4.0), judged by curators; pairs of BioNLP 2009 devel (CC BY 3.0) whose names are annotated proteins. The model has
learned from none of them. Every figure that is printed is of papers that the rule was not fitted on.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from relhash.bench.benchmarks.raw_text import Verdict, judge
from relhash.bench.datasets.curated import is_aside
from relhash.bench.datasets.judged import judged_statements
from relhash.bench.datasets.raw_text_gold import gold_texts
from relhash.biomed.assertion import Assertion
from relhash.corpus.document import Document, Mention, Span
from relhash.learn.end_to_end import EndToEnd, Names
from relhash.model import FittedModel, Prediction
from relhash.model.archive import find_model
from relhash.model.reading.found_names import names_of

ROOT = Path(__file__).resolve().parents[1]
SHEETS = ROOT / "benchmarks" / "results" / "raw-text"
READ = ("development", "differing", "fresh", "same", "twenty")
WEIGHT = {"read": 2.0, "extri": 0.5, "bel": 0.5, "bionlp": 0.5}
"""How much a row of each source counts: those that were read by our guideline most."""
SPREAD = 0.7
PRECISION = 0.72
"""Expected share of right rows among those accepted, of the rows of all sources."""
STATED = (Assertion.ASSERTED, Assertion.SPECULATIVE)


@dataclass(frozen=True, slots=True)
class Judged:
    """A row of raw text, and whether it is right."""

    source: str
    paper: str
    found: Prediction
    is_right: bool


def judged_rows(model: FittedModel, data: Path, every: int = 1) -> list[Judged]:
    """All rows that the model makes of judged text and that somebody has judged; of curators' sources of each n-th text."""
    everything = replace(model, end_to_end=EndToEnd()).keeping(*Assertion)
    rows = [*_read(everything), *_annotated(everything, data, every)]
    for source in ("extri", "bel"):
        rows += _statements(everything, data, source, every)
    return [row for row in rows if row.found.assertion in STATED]


def _read(model: FittedModel) -> Iterator[Judged]:
    for sheet in READ:
        with (SHEETS / f"by-eye-{sheet}.tsv").open(encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
        marked = [_without_marks(row["sentence"]) for row in rows]
        documents = [Document(f"{number}", text) for number, (text, _) in enumerate(marked)]
        for row, (_, spans), (_, found) in zip(rows, marked, model.annotate(documents, all_candidates=True), strict=True):
            said = [one for one in found if _covers(one.candidate.mentions, spans)]
            if said:
                yield Judged("read", row["document"], max(said, key=_likely), row["verdict"] == "right")


def _without_marks(sentence: str) -> tuple[str, list[Span]]:
    """The text of a marked sentence, and where its two names stand."""
    text, spans, starts = "", [], {}
    for piece in re.split(r"(\[/?E\d\])", sentence):
        if re.fullmatch(r"\[E\d\]", piece):
            starts[piece[2]] = len(text)
        elif re.fullmatch(r"\[/E\d\]", piece):
            spans.append((starts.pop(piece[3], len(text)), len(text)))
        else:
            text += piece
    return text, spans


def _covers(mentions: Sequence[Mention], spans: Sequence[Span]) -> bool:
    return len(spans) == len(mentions) == 2 and all(
        mention.start < end and start < mention.end for mention, (start, end) in zip(mentions, sorted(spans), strict=True)
    )


def _likely(found: Prediction) -> float:
    return found.probability


def _annotated(model: FittedModel, data: Path, every: int) -> Iterator[Judged]:
    texts = gold_texts(data, "BioNLP 2009 devel")[::every]
    read = model.annotate([gold.document for gold in texts], all_candidates=True)
    for gold, (document, found) in zip(texts, read, strict=True):
        for one, row in zip(found, judge(gold, document, found, model.kept).rows, strict=True):
            if row.is_judgeable:
                yield Judged("bionlp", document.id, one, row.verdict is Verdict.RIGHT)


def _statements(model: FittedModel, data: Path, source: str, every: int) -> Iterator[Judged]:
    judged = [one for one in judged_statements(data, source) if is_aside(one.paper)]
    texts = list(dict.fromkeys(one.text for one in judged))[::every]
    chosen = set(texts)
    statements = [one for one in judged if one.text in chosen]
    read = model.annotate([Document(f"{number}", text) for number, text in enumerate(texts)], all_candidates=True)
    found = {text: own for text, (_, own) in zip(texts, read, strict=True)}
    for statement in dict.fromkeys(statements):
        said = [one for one in found[statement.text] if statement.is_said_by(one)]
        if said:
            yield Judged(source, statement.paper, max(said, key=_likely), statement.is_right)


def fit(model: FittedModel, rows: Sequence[Judged], precision: float) -> FittedModel:
    """The model with its rule; prints how well it holds on papers that were left out."""
    names = names_of([row.found.candidate for row in rows])
    pairs = model.decision.calibration.probabilities([row.found.score for row in rows])
    right = np.array([row.is_right for row in rows])
    weights = np.array([WEIGHT[row.source] for row in rows])
    part = np.array([int.from_bytes(row.paper.encode()[-6:], "big") % 5 for row in rows])
    held_out = np.empty(len(rows))
    for number in range(5):
        inside, outside = np.flatnonzero(part != number), np.flatnonzero(part == number)
        rule = EndToEnd().fitted(pairs[inside], names.rows(inside), right[inside], weights[inside], spread=SPREAD)
        held_out[outside] = rule.probabilities(pairs[outside], names.rows(outside))
    plain = EndToEnd().probabilities(pairs, names)
    for source in WEIGHT:
        own = np.array([row.source == source for row in rows])
        for what, given in (("pair alone", pairs), ("× names", plain), ("the rule", held_out)):
            print(f"{source}, {own.sum()} rows, {what}: {reliability(given[own], right[own])}", flush=True)
    rule = EndToEnd().fitted(pairs, names, right, weights, spread=SPREAD).with_precision(held_out, precision)
    _print_hints(rule, names, right)
    accepted = held_out >= rule.threshold
    for source in WEIGHT:
        own = np.array([row.source == source for row in rows])
        share, found = right[own & accepted].mean(), accepted[own & right].mean()
        print(f"{source}: accepted from {rule.threshold:.3f} on {share:.3f} right, {found:.3f} of the right ones", flush=True)
    counts = Counter(row.source for row in rows)
    card = {**model.card, "raw_text": {"calibrated_on": {"rows_read": len(rows), **counts}, "precision": precision}}
    return replace(model, end_to_end=rule, card=card)


def reliability(probabilities: NDArray[np.float64], right: NDArray[np.bool_]) -> str:
    """AUC, mean logarithmic loss, and rows by probability: mean probability → share right."""
    clipped = np.clip(probabilities, 1e-3, 1 - 1e-3)
    loss = -np.mean(np.where(right, np.log(clipped), np.log(1 - clipped)))
    bands = [(probabilities >= low) & (probabilities < low + 0.2) for low in (0, 0.2, 0.4, 0.6, 0.8)]
    steps = "; ".join(f"{b.sum()}: {probabilities[b].mean():.2f} → {right[b].mean():.2f}" for b in bands if b.any())
    return f"AUC {roc_auc_score(right, probabilities):.3f}, loss {loss:.3f}; {steps}"


def _print_hints(rule: EndToEnd, names: Names, right: NDArray[np.bool_]) -> None:
    print(f"lines: {rule.pair_slope:.2f} {rule.pair_offset:.2f}; {rule.name_slope:.2f} {rule.name_offset:.2f}")
    for kind, has, weights in (
        (names.of_names, names.hints.any(axis=1), rule.name_hints),
        (names.of_pairs, names.pair_hints, rule.pair_hints),
    ):
        for number, hint in enumerate(kind):
            own = has[:, number]
            share = right[own].mean() if own.any() else float("nan")
            print(f"  {hint}: {weights.get(hint, 0.0):+.2f}; {own.sum()} rows, {share:.2f} right")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("fit", "card"))
    parser.add_argument("model")
    parser.add_argument("file", type=Path, nargs="?", help="card: raw-text.json")
    parser.add_argument("--output", "-o", type=Path, help="by default the model itself")
    parser.add_argument("--every", type=int, default=1, help="read each n-th text of curators' sources only")
    parser.add_argument("--precision", type=float, default=PRECISION)
    given = parser.parse_args()
    model = FittedModel.load(given.model, n_jobs=1, encoder=False)
    output = given.output or find_model(given.model)
    if given.command == "card":
        figures = json.loads(given.file.read_text(encoding="utf-8"))["rows"]
        replace(model, card={**model.card, "raw_text": {**model.card["raw_text"], "figures": figures}}).save(output)
        return
    data = Path(os.environ.get("RELHASH_DATA", ROOT.parent / "shared" / "data"))
    fit(model, judged_rows(model, data, given.every), given.precision).save(output)


if __name__ == "__main__":
    main()
