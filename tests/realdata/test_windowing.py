"""The limit on stretches between two names cuts nothing of the corpora on which figures are published."""

from __future__ import annotations

import warnings

import pytest

from relhash.candidates import PairPolicy, build_structures, candidates
from relhash.corpus import stream
from relhash.errors import RelHashWarning

pytestmark = pytest.mark.realdata


@pytest.mark.parametrize("name", ["AIMed.xml", "BioInfer.xml", "HPRD50.xml"])
def test_no_sequence_of_the_corpora_is_cut(data_root, name):
    with warnings.catch_warnings():
        warnings.simplefilter("error", RelHashWarning)
        build_structures(candidates(stream(data_root / "ppi" / name), PairPolicy(unsplit="document")), ["between"])
