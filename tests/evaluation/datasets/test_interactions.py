"""The protocols of interactions with types and roles, on toy data in the layout of the real one."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

import relhash
from relhash.corpus import Dependency, Document, Mention, Relation, Sentence, Token
from relhash.corpus.document import Argument
from relhash.errors import DataMissingError, ParameterError, StructureError
from relhash.evaluation.datasets import interactions as interaction_datasets
from relhash.evaluation.datasets.bionlp import bionlp_training_documents
from relhash.evaluation.datasets.interactions import bionlp_dataset, interaction_dataset, pubmed45_dataset
from relhash.evaluation.paper_tables import choose_systems
from relhash.evaluation.protocols import protocol, tasks
from relhash.evaluation.report import finish
from relhash.evaluation.runner import by_pair, run_protocol
from relhash.evaluation.systems import SYSTEMS
from relhash.learning.decision import ClassifierSpec, HeadSettings

NAMES = ["MEK", "ERK", "AKT", "SOS", "RAF"]
SYSTEM_NAMES = ["events/KLSH-NU-RF", "events/random", "events/ngram-lr"]


@pytest.fixture(autouse=True)
def small_systems(monkeypatch):
    head = HeadSettings((ClassifierSpec("linear", {"C": 0.1}),), n_folds=3)
    for name in SYSTEM_NAMES:
        system = SYSTEMS[name]
        learner = {**system.preset.learner, "n_bits": 8}
        monkeypatch.setitem(SYSTEMS, name, replace(system, preset=replace(system.preset, learner=learner, head=head)))


def toy_document(identifier: str, first: str, second: str, verb: str, filler: str) -> Document:
    text = f"{first} {verb} {second} {filler}"
    ends = len(first), len(first) + 1 + len(verb)
    mentions = (
        Mention("T1", "Protein", ((0, ends[0]),), first),
        Mention("T2", "Protein", ((ends[1] + 1, ends[1] + 1 + len(second)),), second),
        Mention("T3", "Positive_regulation", ((ends[0] + 1, ends[1]),), verb, is_trigger=True),
    )
    event = Relation("E1", "Positive_regulation", (Argument("Theme", "T2"), Argument("Cause", "T1")), "T3")
    stated = verb == "activates"
    return Document(identifier, text, (), mentions if stated else mentions[:2], relations=(event,) if stated else ())


def toy_parse(documents):
    """One sentence, words at blanks, each the dependent of the one before."""
    for document in documents:
        tokens, start = [], 0
        for word in document.text.split(" "):
            tokens.append(Token(start, start + len(word), word))
            start += len(word) + 1
        arcs = tuple(Dependency(n, n + 1, "dep") for n in range(len(tokens) - 1))
        yield replace(document, sentences=(Sentence("s", 0, len(document.text), tuple(tokens), arcs, "toy"),))


@pytest.fixture(scope="module")
def toy_bionlp(tmp_path_factory):
    root = tmp_path_factory.mktemp("events")
    for year, part, filler in (
        ("2009", "train", "here"),
        ("2011", "train", "here"),
        ("2013", "train", "there"),
        ("2013", "devel", "now"),
    ):
        documents = [
            toy_document(f"{one}-{other}-{verb}", one, other, verb, filler)
            for one, other in permutations(NAMES, 2)
            for verb in ("activates", "resembles")
        ]
        (root / "bionlp" / year).mkdir(parents=True, exist_ok=True)
        relhash.write(documents, root / "bionlp" / year / part, "bionlp")
    return root


def test_a_text_of_several_years_is_trained_on_once(toy_bionlp):
    documents = bionlp_training_documents(toy_bionlp)
    assert len(documents) == 80  # 40 of 2013, 40 of 2011; those of 2009 are the same text
    assert {document.id[:4] for document in documents} == {"2011", "2013"}


def test_bionlp_from_folders_to_a_table(toy_bionlp, tmp_path, monkeypatch):
    monkeypatch.setitem(interaction_datasets.PREPARED, "bionlp", lambda root: bionlp_dataset(root, toy_parse))
    run = run_protocol(protocol("bionlp"), data=toy_bionlp, systems=SYSTEM_NAMES, seeds=2, out=tmp_path)
    rows, notes = finish(run, tmp_path)
    assert {row["direction"] for row in rows} == {"train→devel13"}
    assert {row["variant"] for row in rows} == {"all", "no-shared", "pairs"}
    published = {row["variant"]: row["paper_f1"] for row in rows if row["system"] == "events/KLSH-NU-RF"}
    assert published == {"all": 0.67, "no-shared": 0.67, "pairs": None}
    assert any("20 interactions are stated, 20 of them are among the 40 candidates" in note for note in notes)
    assert any("F1 of events/KLSH-NU-RF minus events/random" in note for note in notes)
    best = max(row["f1"] for row in rows if row["variant"] == "all")
    assert best > 0.9


def test_a_pair_is_related_if_one_of_its_candidates_is():
    gold, scores, given = by_pair(
        np.array([5, 2, 5]), np.array([False, False, True]), np.array([0.3, 0.2, 0.1]), np.array([True, False, False])
    )
    assert (gold.tolist(), scores.tolist(), given.tolist()) == ([False, True], [0.2, 0.3], [False, True])


@pytest.fixture(scope="module")
def toy_pubmed45(tmp_path_factory):
    root = tmp_path_factory.mktemp("judged")
    (root / "pubmed45" / "amr").mkdir(parents=True)
    entries, graphs, papers = [], [], []
    for number, (one, other) in enumerate(permutations(NAMES, 2)):
        paper = f"a_pmid_1000_{number}"
        papers.append(f"eval-auto-amr_{paper}")
        sentence = f"{one} activates {other}"
        for cause, theme, label in ((one, other, 1), (other, one, 2)):
            entries.append(
                {"path": f"{paper}.1", "interaction_tuple": ["activation", cause, theme], "label": label, "sentence": sentence}
            )
        graphs.append(
            f'# ::id {paper}.1\n(a / activate-01 :ARG0 (p / enzyme :name (n / name :op1 "{one}"))'
            f' :ARG1 (q / enzyme :name (m / name :op1 "{other}")))\n'
        )
    (root / "pubmed45" / "pubmed45.json").write_text(json.dumps(entries))
    (root / "pubmed45" / "amr" / "graphs.txt").write_text("\n".join(graphs))
    subsets = [papers[start : start + 5] for start in range(0, 20, 5)]
    (root / "pubmed45" / "subsets.json").write_text(json.dumps({"amr_sets_list_auto": subsets}))
    return root


def test_pubmed45_tests_each_subset_once(toy_pubmed45, tmp_path):
    dataset = pubmed45_dataset(toy_pubmed45)
    assert len(dataset) == 40
    split = list(tasks(protocol("pubmed45"), dataset))
    assert [len(task.test) for task in split] == [10] * 4
    assert all(not set(dataset.documents[task.train]) & set(dataset.documents[task.test]) for task in split)
    run = run_protocol(protocol("pubmed45"), data=toy_pubmed45, systems=SYSTEM_NAMES, seeds=1, out=tmp_path)
    rows, notes = finish(run, tmp_path)
    row = next(row for row in rows if (row["system"], row["variant"]) == ("events/ngram-lr", "all"))
    assert row["n_runs"] == 4
    assert row["f1"] > 0.9
    assert any("40 judged interactions, 0 left out" in note for note in notes)
    for cell in run.cells:  # a difference in each subset
        cell.figures["all"]["f1"] = 0.9 if cell.system == "events/KLSH-NU-RF" else 0.8 - 0.01 * cell.fold
    _, notes = finish(run, None)
    assert "F1 of events/KLSH-NU-RF against events/random over 4 subsets, signed ranks: p = 0.125" in notes


def test_kernel_machines_read_meaning_graphs(toy_pubmed45):
    names = ["SVM-Garg2016", "SVM-Airola2008"]
    run = run_protocol(protocol("pubmed45"), data=toy_pubmed45, systems=names, seeds=1, n_jobs=1)
    rows = {row["system"]: row for row in finish(run, None)[0] if row["variant"] == "all"}
    assert rows["SVM-Garg2016"]["paper_f1"] == 0.45
    assert all(rows[name]["n_runs"] == 4 and rows[name]["f1"] > 0.9 for name in names)


@pytest.mark.parametrize("name", ["bionlp", "pubmed45"])
def test_every_row_of_the_papers_second_table_runs_by_default(name):
    chosen, left_out = choose_systems(None, protocol(name))
    names = {system.name.removeprefix("events/") for system in chosen} | {note.split(" ")[0] for note in left_out}
    rows = "SVM-Garg2016 LSTM-Garg2019 BiLSTM-Garg2019 LSTM-CNN-Garg2019 CNN-Garg2019 KLSH-kNN KLSH-RF SSL-VAE KLSH-NU-RF"
    assert names.issuperset([*rows.split(), "random", "best", "ngram-lr"])


def test_mean_and_deviation_over_the_subsets_beside_the_papers_figure(toy_pubmed45, tmp_path):
    run = run_protocol(protocol("pubmed45"), data=toy_pubmed45, systems=SYSTEM_NAMES[:1], seeds=1)
    for cell in run.cells:
        cell.figures["all"]["f1"] = 0.6 + 0.1 * cell.fold
    row = next(row for row in finish(run, None)[0] if row["variant"] == "all")
    assert (round(row["f1"], 6), row["paper_f1"]) == (0.75, 0.61)
    assert round(row["f1_sd"], 3) == round(float(np.std([0.6, 0.7, 0.8, 0.9], ddof=1)), 3)


def test_label_2_is_invalid_or_what_is_looked_for(toy_pubmed45, tmp_path):
    valid, swapped = (pubmed45_dataset(toy_pubmed45, judged=judged) for judged in ("valid", "swapped"))
    np.testing.assert_array_equal(valid.y, ~swapped.y)  # in the toy data every other interaction has its roles swapped
    assert valid.y.sum() == 20
    cells = [
        run_protocol(protocol("pubmed45"), dataset=dataset, systems=["events/ngram-lr"], out=tmp_path).cells
        for dataset in (valid, swapped)
    ]
    assert all(np.array_equal(one.given, ~other.given) for one, other in zip(*cells, strict=True))
    with pytest.raises(ParameterError, match="valid or swapped"):
        pubmed45_dataset(toy_pubmed45, judged="invalid")


def test_files_of_the_users_own(toy_pubmed45, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # no data folder here
    monkeypatch.delenv("RELHASH_DATA", raising=False)
    own = toy_pubmed45 / "pubmed45"
    dataset = interaction_dataset("pubmed45", path=own / "pubmed45.json")
    np.testing.assert_array_equal(dataset.y, pubmed45_dataset(toy_pubmed45).y)
    (tmp_path / "elsewhere.json").write_bytes((own / "pubmed45.json").read_bytes())
    with pytest.raises(DataMissingError, match=r"AMR graphs.*subsets"):
        interaction_dataset("pubmed45", path=tmp_path / "elsewhere.json")
    for name, options in (("ppi-cross", {"amr": own / "amr"}), ("bionlp", {"judged": "valid"})):
        with pytest.raises(ParameterError, match=f"{name}.*--{next(iter(options))}"):
            interaction_dataset(name, **options)


def test_bionlp_on_graphs_that_the_user_supplies(toy_bionlp, tmp_path):
    graphs = [
        f"# ::snt {one} {verb} {other} {filler}\n({verb[0]} / {verb[:-1]}-01"
        f' :ARG0 (p / protein :name (n / name :op1 "{one}")) :ARG1 (q / protein :name (m / name :op1 "{other}")))\n'
        for one, other in permutations(NAMES, 2)
        for verb in ("activates", "resembles")
        for filler in ("here", "there", "now")
    ]
    (tmp_path / "graphs.txt").write_text("\n".join(graphs))
    dataset = interaction_dataset("bionlp", toy_bionlp, amr=tmp_path)
    assert dataset.y.sum() == 60
    assert dataset.structures(["interaction"])["interaction"][0] == [
        "<CAUSE>", "<ARG0", "<POSITIVE_REGULATION>", "activate", "ARG1>", "<THEME>",
    ]  # fmt: skip
    assert "AMR as supplied" in " ".join(dataset.notes)
    (tmp_path / "graphs.txt").write_text(graphs[0])
    with pytest.raises(StructureError, match="no graph for the sentence"):
        interaction_dataset("bionlp", toy_bionlp, amr=tmp_path)


def test_what_is_missing_is_named_with_how_to_obtain_it(tmp_path):
    with pytest.raises(DataMissingError, match=r"obtain the labelled file.*Garg et al\. \(2016\).*pubmed45/amr/"):
        run_protocol(protocol("pubmed45"), data=tmp_path)
    with pytest.raises(DataMissingError, match="GENIA event corpora"):
        run_protocol(protocol("bionlp"), data=tmp_path)


def test_sentences_without_a_graph_are_counted(toy_pubmed45, tmp_path):
    (tmp_path / "pubmed45" / "amr").mkdir(parents=True)
    for name in ("pubmed45.json", "subsets.json"):
        (tmp_path / "pubmed45" / name).write_bytes((toy_pubmed45 / "pubmed45" / name).read_bytes())
    (tmp_path / "pubmed45" / "amr" / "graphs.txt").write_text("# ::id other\n(c / cell)\n")
    with pytest.raises(DataMissingError, match="20 sentences"):
        pubmed45_dataset(tmp_path)
