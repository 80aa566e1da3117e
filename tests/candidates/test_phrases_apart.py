"""Two names in phrases of their own."""

from __future__ import annotations

import pytest

from relhash.candidates.phrases_apart import stand_apart
from tests.candidates.test_bystanders import pair


def apart(marked: str) -> bool:
    candidate = pair(marked)
    return stand_apart(candidate.document.text, *candidate.mentions)


@pytest.mark.parametrize(
    "marked",
    [
        "activation of |Jak1| and Jak2 and phosphorylation of |Stat1|",
        "activation of Jak1 and |Jak2| and phosphorylation of |Stat1|",
        "inactivation of |Rb| function and induction of |E2F| activity",
        "decreased levels of |p27|, upregulation of |Cdk2|", "|CD69| expression and |IL-2| production",
        "|IL-6| mRNA expression and enhanced |IL-1beta| mRNA levels", "|Il10| transcription as well as |Ifng| expression",
        "|TNF| decreased, while |IL-10| increased binding", "Jak1 bound |Jak2|; whereas in other cells |Stat1| did not",
        "through |Stat1|-dependent, |Stat4|-dependent phases",
        "|Stat1|-dependent, Stat4-dependent and |Stat6|-independent phases",
        "the |IL-2|-, IL-3-, or |GM-CSF|-induced genes", "|MYD88|-dependent and |TRIF|-dependent pathways",
        "|Ras| in |IL-2|-stimulated or IL-3-deprived cells", "|IkappaBalpha| in |TNF|-treated human T lymphocytes",
        "of |CD40|-stimulated B cells, |HOIP| is needed", "|VCAM-1| on |Tax|-expressing cell lines",
    ],
)  # fmt: skip
def test_each_in_its_own_phrase(marked):
    assert apart(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "activation of |Jak1| and |Jak2|", "phosphorylation of |Stat1| by |Jak1|",
        "inhibition of |Jak1| expression of |Stat1|",
        "|TNF| production is needed for |IL-6| expression", "|IL-4|-induced, |STAT6|-dependent genes",
        "|IL-4| and |IL-13| genes",
        "while |TNF| was low it bound |IL-6|", "cells grew, whereas |TNF|, as seen before, bound |TNFR1|",
        "|TNF|-treated cells make |IL-6|", "|IL-6| in |T-bet|-deficient cells", "|Stat1|-dependent expression of |IRF1|",
        "|IL-2| binds and activates |IL-2R|-induced genes",
    ],
)  # fmt: skip
def test_perhaps_said_of_both(marked):
    assert not apart(marked)


@pytest.mark.parametrize("filler", [", x", " and and", " a b", "- and x"])
def test_long_lists_take_no_time(filler):
    """Words that fit two places of a pattern must not be tried in all ways."""
    assert not apart(f"|A|-induced{filler * 400} |B|")
