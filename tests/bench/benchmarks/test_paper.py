"""The paper's tables and figures, answered from the results that are kept."""

from __future__ import annotations

from relhash.bench.benchmarks import Asked, run_own


def test_the_paper_is_answered(tmp_path):
    """Every table and figure has a file with all its rows, but PubMed45, whose labelled file is not here."""
    report = run_own("paper", Asked(None, tmp_path))
    missing = {line[0]: line[-1] for line in report.tables[0].rows if line[-1] != "nothing"}
    assert missing == {"Table 2: PubMed45": "the labelled file"}
    for rows in report.beside["figures"].values():
        assert {row["direction"] for row in rows} == {"A→B", "B→A", "BioNLP", "judged"}
    report.write(tmp_path)
    assert {path.name for path in tmp_path.glob("*.png")} == {"settings.png", "hashing.png"}
