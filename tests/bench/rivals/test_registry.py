"""The table of baselines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from relhash.bench.rivals import BASELINES


def test_figures_of_the_paper():
    """Table 1 and 2 of Garg et al. 2019, as far as these systems stand there."""
    assert BASELINES["SVM-Airola2008"].paper_f1 == {"A→B": 0.47, "B→A": 0.47}
    assert BASELINES["SVM-Miwa2009"].paper_f1 == {"A→B": 0.53, "B→A": 0.50}
    assert BASELINES["SVM-Tikk2010"].paper_f1 == {"A→B": 0.41, "B→A": 0.42}
    assert BASELINES["SVM-Garg2016"].paper_f1 == {"train→devel13": 0.46, "subsets": 0.45}


def test_listing_the_networks_does_not_import_torch():
    code = "import sys, relhash.bench.rivals as b; assert 'SSL-VAE' in b.BASELINES; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_page_names_every_baseline():
    """That its Python runs: tests/test_docs.py."""
    text = (Path(__file__).resolve().parents[3] / "docs" / "baselines.md").read_text(encoding="utf-8")
    assert [name for name in BASELINES if f"`{name}`" not in text] == []
