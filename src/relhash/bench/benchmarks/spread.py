"""``relhash benchmark spread``: answers that spread to sentences nearly the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from relhash.bench.benchmarks import Asked
from relhash.bench.benchmarks.similar import USUAL, pairs_of
from relhash.bench.tables import Report, Table
from relhash.candidates import build_structures
from relhash.corpus import read
from relhash.hashing import HashcodeLearner
from relhash.learn.codes import make_kernels
from relhash.model.answers.alike import SAME, Alike
from relhash.model.index import SAMPLE, VIEWS

CORPORA = {name: f"ppi/{name}.xml" for name in ("AIMed", "BioInfer", "HPRD50")}
CORPORA |= {"BioNLP 2013": "bionlp/2013/train", "DrugProt": "drugprot/train", "BC5CDR": "bc5cdr/devel.PubTator"}
"""The similarity from which sentences are grouped was chosen on the first three."""
DOCUMENTS = 900
ASKED = 1500
"""Candidates of a corpus that are gone through, in random order."""


def run(asked: Asked) -> Report:
    """The benchmark."""
    figures = list(spread_figures(asked.root, progress=asked.say))
    headings = ["corpus", "similarity", "keys", "verdicts", "per key", "wrong in groups", "wrong among yes"]
    rows = [
        [f.corpus, f"{f.cut:g}", f.keys, f.verdicts, f"{f.verdicts / f.keys:.2f}", f"{f.wrong} of {f.spread}",
         f"{f.wrong_yes} of {f.spread_yes}"]
        for f in figures
    ]  # fmt: skip
    return Report("spread", "Answers that spread to sentences nearly the same", figures, [Table(headings, rows)])


@dataclass(frozen=True)
class SpreadFigure:
    """What answers are worth that spread to sentences nearly the same, from a similarity ``cut`` on.

    A key answers one question, one more accepts its group. ``wrong`` are verdicts of groups that the gold label contradicts,
    ``wrong_yes`` those of them that were accepted as relations.
    """

    corpus: str
    cut: float
    keys: int
    verdicts: int
    spread: int
    wrong: int
    spread_yes: int
    wrong_yes: int


def spread_figures(
    root: Path, *, cuts: Sequence[float] = (0.8, SAME, 0.95), progress: Callable[[str], object] = lambda _: None
) -> Iterator[SpreadFigure]:
    """Questions in random order to an annotator who knows the gold label, until all candidates have a verdict."""
    for name, path in CORPORA.items():
        progress(name)
        found = pairs_of(list(read(root / path))[:DOCUMENTS])
        gold = np.array([pair.is_positive for pair in found])
        structures = build_structures(found, VIEWS)
        rng = np.random.default_rng(0)
        kernels = make_kernels(VIEWS)
        learner = HashcodeLearner(USUAL[0], kernel=kernels, views=list(VIEWS), random_state=0)
        learner.fit(structures[np.sort(rng.permutation(len(found))[:SAMPLE])])
        alike = Alike(learner.kernels_, structures, learner.codes(structures))
        order = rng.permutation(len(found))[:ASKED].tolist()
        near = {row: alike.near(row) for row in order}
        for cut in cuts:
            judged: set[int] = set()
            keys = spread = wrong = spread_yes = wrong_yes = 0
            for row in order:
                if row in judged:
                    continue
                group = [other for other, value in near[row] if value >= cut and other not in judged]
                keys += 2 if group else 1
                judged |= {row, *group}
                missed = int((gold[group] != gold[row]).sum())
                spread, wrong = spread + len(group), wrong + missed
                if gold[row]:
                    spread_yes, wrong_yes = spread_yes + len(group), wrong_yes + missed
            yield SpreadFigure(name, cut, keys, len(judged), spread, wrong, spread_yes, wrong_yes)
