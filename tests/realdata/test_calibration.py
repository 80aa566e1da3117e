"""A probability keeps its promise on rows that curators of INDRA have judged; a wrong type of relation is forgiven.

On 2026-11-18 .872 of 265 accepted rows with a probability of .9 or more were right: below .9, within the noise of so many rows,
which is what is tested. The curators looked at what other systems had extracted, so rows of low probability are more often
right here (.78 of those at .5 to .7) than in a text as a whole, and deciles below .7 say nothing of that.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import relhash
from relhash.bench.datasets.judged import RELATED, judged_statements
from relhash.corpus.document import Document

pytestmark = pytest.mark.realdata


def test_of_rows_with_nine_tenths_nine_of_ten_are_right(data_root: Path) -> None:
    statements = list(dict.fromkeys(judged_statements(data_root, "indra")))
    texts = list(dict.fromkeys(one.text for one in statements))
    read = relhash.load("ppi").annotate([Document(str(n), text) for n, text in enumerate(texts)], all_candidates=True)
    found = {text: own for text, (_, own) in zip(texts, read, strict=True)}
    said = [(one, max((row for row in found[one.text] if one.is_said_by(row)), key=lambda row: row.probability, default=None))
            for one in statements]  # fmt: skip
    rows = [(row.probability, row.is_relation, one.verdict in RELATED) for one, row in said if row is not None]
    probability, is_accepted, is_right = (np.array(column) for column in zip(*rows, strict=True))
    sure = is_accepted.astype(bool) & (probability >= 0.9)
    assert sure.sum() >= 100
    noise = 1.96 * np.sqrt(0.9 * 0.1 / sure.sum())
    assert is_right[sure].mean() >= 0.9 - noise
