"""Names that say of themselves that they are something else."""

from __future__ import annotations

import pytest

from relhash.biomed.names.heads import names_something_else


@pytest.mark.parametrize(
    "name",
    [
        "IL-2 promoter", "NF-kappa B sites", "SH2 domain", "anti-RAD51 antibody", "P-selectin mAb", "Aurora-A specific siRNA",
        "Lef-1 reporter gene", "UAS-GFP", "EGFP", "luciferase", "TOPO walker kit", "Wnt4−/− XX gonads", "AZD6244", "AF490577",
        "human IL-2 receptor alpha chain promoter", "Sry promoter Sry-EGFP", "chloramphenicol acetyltransferase",
        "Complex 2", "complex B", "SH2", "bHLH",
    ],
)  # fmt: skip
def test_no_gene(name):
    assert names_something_else(name)


@pytest.mark.parametrize(
    "name",
    [
        "RAF1", "NF-kappaB", "p53", "IL-1 receptor antagonist", "plasminogen activator inhibitor", "KIAA1199", "NFAT5 gene",
        "X-box binding protein 1", "Pin1 prolyl-isomerase", "T cell receptor", "HLA class I", "STAT proteins", "B-Raf", "",
        "Complex I", "SH2B", "complex 2 kinase",
    ],
)  # fmt: skip
def test_perhaps_a_gene(name):
    assert not names_something_else(name)
