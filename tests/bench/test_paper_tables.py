"""The rows of the paper's tables, and which of them can run here."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace

import pytest

from relhash.bench import runner as paper_tables
from relhash.bench.protocols import protocol
from relhash.bench.rivals import BASELINES
from relhash.bench.runner import all_systems, choose_systems
from relhash.bench.systems.listed import SYSTEMS
from relhash.errors import DataMissingError, ParameterError
from relhash.model.recipe import for_interactions


def test_all_is_the_table_of_the_paper_and_more():
    pairs = all_systems(protocol("ppi-cross"))
    assert pairs.index("SVM-Tikk2010") < pairs.index("KLSH-kNN") < pairs.index("KLSH-RF") < pairs.index("KLSH-NU-RF")
    assert {"best", *(name for name in BASELINES if not BASELINES[name].paper_f1)} <= set(pairs)
    assert "SVM-Garg2016" not in pairs
    interactions = all_systems(protocol("bionlp"))
    assert interactions[0] == "SVM-Garg2016"
    assert {"KLSH-NU-RF", "best", "ngram-lr"} <= set(interactions)
    assert "SVM-Tikk2010" not in interactions
    chosen, _ = choose_systems(["all", "kernel-svm", "best"], protocol("ppi-cross"))
    names = [system.name for system in chosen]
    assert names[-1] == "kernel-svm"
    assert len(names) == len(set(names))


def test_what_is_not_installed_is_skipped_or_refused(monkeypatch):
    monkeypatch.setattr(paper_tables, "is_installed", lambda extra: extra != "neural")
    chosen, notes = choose_systems(["all"], protocol("ppi-cross"))
    assert "SSL-VAE" not in {system.name for system in chosen}
    assert "SVM-Tikk2010" in {system.name for system in chosen}
    assert any("SSL-VAE" in note and "relhash[neural]" in note for note in notes)
    with pytest.raises(DataMissingError, match="neural"):
        choose_systems(["all", "SSL-VAE"], protocol("ppi-cross"))
    with pytest.raises(ParameterError, match="KLSH-NU-RF"):
        choose_systems(["KLSH"], protocol("ppi-cross"))


@pytest.mark.parametrize(
    "program",
    [
        "import relhash.bench.rivals, relhash.bench.runner, relhash.bench.report",
        "from relhash.cli.main import main\ntry: main(['benchmark', '--help'])\nexcept SystemExit: pass",
        "from relhash.bench.runner import choose_systems\nfrom relhash.bench.protocols import protocol\n"
        "choose_systems(['all'], protocol('ppi-cross'))",
    ],
)
def test_the_core_never_imports_torch(program):
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", program], capture_output=True, text=True, check=True)
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert "relhash" in imported
    assert not imported & {"torch", "transformers", "safetensors"}


@pytest.mark.parametrize("name", ["bionlp", "pubmed45"])
def test_every_row_of_the_papers_second_table_runs_by_default(name):
    chosen, left_out = choose_systems(None, protocol(name))
    names = {system.name for system in chosen} | {note.split(" ")[0] for note in left_out}
    rows = "SVM-Garg2016 LSTM-Garg2019 BiLSTM-Garg2019 LSTM-CNN-Garg2019 CNN-Garg2019 KLSH-kNN KLSH-RF SSL-VAE KLSH-NU-RF"
    assert names.issuperset([*rows.split(), "random", "best", "ngram-lr"])


@pytest.mark.parametrize("protocol_name", ["bionlp", "pubmed45"])
@pytest.mark.parametrize("name", ["best", "KLSH-NU-RF", "random", "ngram-lr", "KLSH-NU-RF/literal"])
def test_a_name_means_what_the_default_table_runs(protocol_name, name):
    """``relhash benchmark bionlp --systems best`` ran the preset for pairs, not that of the table (F1 .505 and .573)."""
    table, _ = choose_systems(None, protocol(protocol_name))
    ((named,), _) = choose_systems([name], protocol(protocol_name))
    (of_table,) = (system for system in table if system.name == name)
    assert named.identity == of_table.identity
    assert named.preset == of_table.preset == for_interactions(SYSTEMS[name].preset)
    assert named.preset != SYSTEMS[name].preset
    ((on_pairs,), _) = choose_systems([name], protocol("ppi-cross"))
    assert on_pairs is SYSTEMS[name]


def test_rivals_of_the_kernel_see_interactions_by_role_and_stay_what_they_are():
    for name in ("nystroem-lr", "kernel-svm"):
        ((named,), _) = choose_systems([name], protocol("bionlp"))
        assert named.preset.views == for_interactions(SYSTEMS["best"].preset).views
        assert replace(named.preset, views=()) == replace(SYSTEMS[name].preset, views=())


@pytest.mark.parametrize("name", ["best/no-ngrams", "views=between", "KLSH-NU-RF+views", "NU+linear"])
def test_what_is_about_pairs_alone_is_refused_on_interactions(name):
    """Their views and parts would be replaced by those of interactions: another system under their name."""
    with pytest.raises(ParameterError, match=f"{re.escape(name)} is about pairs"):
        choose_systems([name], protocol("bionlp"))
