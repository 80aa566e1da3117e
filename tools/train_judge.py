"""Train what ships as the judge of ``relhash check``: what words say of amount and activity, and the line of the sum.

    RELHASH_DATA=../shared/data python tools/train_judge.py

Words (``aspect.json``) are learned from statements of BEL scripts (CC BY 4.0, ``tools/bel_scripts.py``) and events of BioNLP
2009, 2013, EPI, ID and PTM (CC BY 3.0), without papers and sentences that RelHash is measured on. The weights of the sum
(``judge.json``) were set by hand; its line to a probability is fitted to BEL enrichment (CC BY 4.0) and ExTRI (MIT), papers
that ``ppi`` has not learned from, as if half of the rows were right.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from bel_scripts import SIGNS, bel_rows, read_side, stated_by
from relhash.bench.datasets.bionlp import training_documents
from relhash.bench.datasets.curated import is_aside
from relhash.bench.datasets.dataset import data_root
from relhash.bench.datasets.judged import judged_statements
from relhash.candidates.gold import CAUSE, THEME, role_of
from relhash.candidates.shared_sentences import plain_text
from relhash.candidates.statements.aspect import shipped_model, words_at
from relhash.candidates.statements.pairs_of_events import negated_relations
from relhash.candidates.statements.types import shipped_types
from relhash.corpus import Document, read
from relhash.corpus.document import paper_ids
from relhash.language.sentences import split_sentences
from relhash.model.checking import Checker, Claim
from relhash.model.checking.judge import Judge, shares_of_right
from train_ppi_model import tested_text

FOLDER = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "statements"
FEWEST, INVERSE_PENALTY, FOLDS, BATCH = 20, 5.0, 5, 64
"""Pairs that have to have a word, scikit-learn's ``C``, folds of papers, claims that are looked at together."""
EXPRESSION = ("Gene_expression", "Transcription", "Translation")
REGULATION = ("Positive_regulation", "Negative_regulation", "Regulation")
WEIGHTS = {
    "related": 1.0, "typed": 0.3, "direction": 1.0, "sign margin": 0.3, "path sign": 0.5, "words aspect": 1.5,
    "not found": -3.0, "part in complex": -6.0, "pair negated": -6.0, "pair questioned": -6.0, "pair speculative": -1.5,
    "subject agrees": 0.5, "object agrees": 0.5, "subject conflicts": -1.0, "object conflicts": -1.0,
}  # fmt: skip
"""Set by hand; those of doubt and of words by looking at five of the eleven groups of INDRA's judged papers."""
BOUNDS = {"related": (-5.0, 10.0), "typed": (-5.0, 10.0), "direction": (-4.0, 0.0), "sign margin": (-3.0, 0.0)}


@dataclass(frozen=True)
class Stated:
    """A claim that somebody stated, and whether the amount of the object is meant or its activity."""

    claim: Claim
    is_amount: bool
    paper: str


def stated_in_bel(root: Path) -> Iterator[Stated]:
    types = shipped_types()
    seen = set()
    for row in bel_rows(root):
        claim = Claim(row.text, row.subject.name, row.object.name, row.type)
        kind = types[row.type].kind if row.type in types else ""
        if kind in ("amount", "activity") and claim.subject.upper() != claim.object.upper() and claim not in seen:
            seen.add(claim)
            yield Stated(claim, kind == "amount", row.pmid)


def stated_in_bionlp(root: Path) -> Iterator[Stated]:
    """Causes of expression and degradation. (Of what is regulated directly, BioNLP does not say which of the two is meant.)"""
    papers, sentences = tested_text(root)
    folders = [path for path in sorted((root / "bionlp-more").glob("**/")) if any(path.glob("*.a2"))]
    more = itertools.chain.from_iterable(read(path, "bionlp") for path in folders)
    for document in itertools.chain(training_documents(root, ("2013", "2009")), more):
        document = document if document.sentences else split_sentences(document)
        if paper_ids(document) & papers:
            continue
        for pair in sorted(_changes_of_amount(document)):
            one, two = (document.mention_by_id[name] for name in pair)
            for own in document.sentences:
                text = document.text[own.start : own.end]
                inside = all(own.start <= mention.start and mention.end <= own.end for mention in (one, two))
                apart = one.end <= two.start or two.end <= one.start
                if inside and apart and plain_text(text) not in sentences:
                    spans = [(mention.start - own.start, mention.end - own.start) for mention in (one, two)]
                    claim = Claim(text, one.text, two.text, "Regulation", subject_span=spans[0], object_span=spans[1])
                    yield Stated(claim, True, min(paper_ids(document), default=document.id))


def _changes_of_amount(document: Document) -> set[tuple[str, str]]:
    denied = negated_relations(document)
    return {
        (subject, object)
        for event in document.relations
        for cause in event.arguments
        if role_of(cause.role) == CAUSE and event.id not in denied
        for (subject, _), (object, is_amount) in itertools.product(_about(cause.target, document), _about(event.id, document))
        if subject != object and is_amount
    }


def _about(target: str, document: Document, above: tuple[str, ...] = ()) -> Iterator[tuple[str, bool]]:
    """The mentions that an event is about, and whether it is, at its bottom, about how much there is of them."""
    if target in document.mention_by_id:
        yield target, False
    elif (event := document.relation_by_id.get(target)) is not None and target not in above:
        is_amount = event.type in (*EXPRESSION, "Protein_catabolism")
        for argument in event.arguments:
            if role_of(argument.role) == THEME:
                for mention, is_inner in _about(argument.target, document, (*above, target)):
                    yield mention, is_amount or (is_inner and event.type in REGULATION)


def learned(checker: Checker, stated: Sequence[Stated]) -> dict[str, object]:
    """The model of words, and how good it is on papers that it has not seen."""
    rows: list[frozenset[str]] = []
    used: list[Stated] = []
    for start in range(0, len(stated), BATCH):
        own = stated[start : start + BATCH]
        for one, seen in zip(own, checker.examiner.located([one.claim for one in own]), strict=True):
            if seen.pair is not None and seen.scene is not None:
                rows.append(words_at(seen.scene.stage, *seen.pair))
                used.append(one)
    counts = Counter(word for row in rows for word in row)
    column = {word: number for number, word in enumerate(sorted(word for word, count in counts.items() if count >= FEWEST))}
    found = [sorted(column[word] for word in row if word in column) for row in rows]
    values = np.concatenate([np.full(len(own), max(len(own), 1) ** -0.5) for own in found])
    starts = np.cumsum([0, *map(len, found)])
    X = sparse.csr_matrix((values, [place for own in found for place in own], starts), (len(found), len(column)))
    y, papers = np.array([one.is_amount for one in used]), [one.paper for one in used]
    right = np.zeros(y.size, bool)
    for train, test in GroupKFold(FOLDS).split(X, y, papers):
        right[test] = LogisticRegression(C=INVERSE_PENALTY, max_iter=500).fit(X[train], y[train]).predict(X[test]) == y[test]
    model = LogisticRegression(C=INVERSE_PENALTY, max_iter=500).fit(X, y)
    weights = {word: round(float(model.coef_[0][number]), 2) for word, number in column.items()}
    print(
        f"{y.size} statements, {y.mean():.3f} about amounts; right on papers not seen {right.mean():.3f}; {len(column)} words"
    )
    return {
        "made_from": f"tools/train_judge.py: {y.size} statements of BEL scripts (CC BY 4.0) and BioNLP (CC BY 3.0)",
        "bias": round(float(model.intercept_[0]), 3),
        "least": round(float(np.log(y.mean() / (1 - y.mean()))), 3),
        "weights": weights,
    }


def judged(root: Path) -> Iterator[tuple[Claim, bool]]:
    """Statements of ExTRI, and those of BEL enrichment about two genes, in the types that their terms mean."""
    yield from ((one.claim, one.is_right) for one in judged_statements(root, "extri") if is_aside(one.paper))
    with (root / "judged" / "bel_enrichment.tsv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            sides = [read_side(row[name].strip('"').replace('""', '"')) for name in ("subject", "object")]
            predicate = row["predicate"].strip()
            if (
                is_aside(row["pmid"])
                and predicate in SIGNS
                and all(one is not None and len(one.entities) == 1 for one in sides)
            ):
                (subject,), (object,) = (one.entities for one in sides if one is not None)
                said = stated_by(predicate, sides[1])
                if said is not None and subject.is_gene and object.is_gene and subject.name != object.name:
                    claim = Claim(" ".join(row["evidence"].split()), subject.name, object.name, said[0])
                    yield claim, "x" in (row["correct"], row["changed"])


def calibrated(checker: Checker, rows: Sequence[tuple[Claim, bool]]) -> Judge:
    """The sum with its line, and the share of right rows from each probability on."""
    numbers = [checker.numbers_of(one) for one in checker.sightings([claim for claim, _ in rows])]
    right = np.array([is_right for _, is_right in rows])
    plain = Judge(0.0, WEIGHTS, BOUNDS)
    score = plain.log_odds(numbers)
    line = LogisticRegression(C=1e6, class_weight="balanced").fit(score[:, None], right)
    slope, bias = float(line.coef_[0][0]), float(line.intercept_[0])
    print(f"{right.size} judged rows, {right.mean():.3f} right; slope {slope:.4f}, bias {bias:.4f}")
    made = replace(
        plain,
        bias=round(bias, 4),
        weights={name: round(weight * slope, 4) for name, weight in WEIGHTS.items()},
        made_from="a sum of named numbers (tools/train_judge.py); its line is fitted to BEL enrichment (CC BY 4.0) and ExTRI "
        "(MIT) as if half of the rows were right",
    )
    return replace(made, precision=shares_of_right(expit(made.log_odds(numbers)), right))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("--output", type=Path, default=FOLDER)
    parser.add_argument("--keep-words", action="store_true", help="only the line: after a change of what ppi says of rows")
    given = parser.parse_args()
    root, checker = data_root(given.data), Checker.shipped()
    if not given.keep_words:
        words = learned(checker, [*stated_in_bel(root), *stated_in_bionlp(root)])
        (given.output / "aspect.json").write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        shipped_model.cache_clear()
    calibrated(checker, list(judged(root))).save(given.output / "judge.json")


if __name__ == "__main__":
    main()
