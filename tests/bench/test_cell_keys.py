"""Another program, other text, other settings: another cell. Another comment: the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.bench import cells
from relhash.bench.cells import cell_key, program_digest, task_fingerprint
from relhash.bench.datasets.dataset import Dataset, read_benchmark_corpus
from relhash.bench.protocols import protocol, tasks
from relhash.bench.systems.listed import SYSTEMS


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two rooms."""
    for room in ("hashing", cells.RIVALS):
        (tmp_path / room).mkdir(parents=True)
        (tmp_path / room / "one.py").write_text('"""A room."""\n\n\ndef f(x):\n    return x + 1\n')
    monkeypatch.setattr(cells, "PACKAGE", tmp_path)
    monkeypatch.setattr(cells, "FILES", ())
    monkeypatch.setattr(cells, "ROOMS", ("hashing",))
    program_digest.cache_clear()
    yield tmp_path
    program_digest.cache_clear()


def key(system="random"):
    program_digest.cache_clear()
    return cell_key(SYSTEMS[system], "a task", seed=0, draw=0, n_labels=None)


def test_a_changed_program_makes_other_cells_a_changed_comment_does_not(package):
    before = key()
    file = package / "hashing" / "one.py"
    file.write_text('"""Another docstring."""\ndef f(x):\n    # why\n    return x + 1\n')
    assert key() == before
    file.write_text("def f(x):\n    return x - 1\n")
    assert key() != before


def test_rooms_that_decide_are_there():
    """They were renamed once, and their changes counted for nothing."""
    program_digest.cache_clear()
    assert program_digest() != program_digest((*cells.ROOMS, cells.RIVALS))
    assert all((cells.PACKAGE / room / "__init__.py").exists() for room in (*cells.ROOMS, cells.RIVALS))


def test_only_rooms_that_a_system_passes_through_count(package):
    ours, theirs = key(), key("SVM-Tikk2010")
    (package / cells.RIVALS / "one.py").write_text("def f(x):\n    return x - 1\n")
    assert key() == ours
    assert key("SVM-Tikk2010") != theirs


def test_settings_seeds_and_labels_are_in_the_key():
    keys = {
        cell_key(SYSTEMS[name], "a task", seed=seed, draw=draw, n_labels=labels, also=also)
        for name, seed, draw, labels, also in (
            ("random", 0, 0, None, ()), ("random-balanced", 0, 0, None, ()), ("random", 1, 0, None, ()),
            ("random", 0, 1, None, ()), ("random", 0, 0, 25, ()), ("random", 0, 0, None, ("prior",)),
        )
    }  # fmt: skip
    assert len(keys) == 6


def test_other_text_and_other_parses_make_another_task(toy_data):
    corpora = [read_benchmark_corpus(toy_data, name) for _, name in protocol("ppi-cross").corpora]

    def fingerprint(change):
        documents = [list(corpus) for corpus in corpora]
        documents[0][0] = change(documents[0][0])
        dataset = Dataset(documents)
        return task_fingerprint(dataset, next(tasks(protocol("ppi-cross"), dataset)))

    def other_parse(document):
        first, *rest = document.sentences
        assert first.dependencies
        return replace(document, sentences=(replace(first, dependencies=first.dependencies[1:]), *rest))

    plain = fingerprint(lambda document: document)
    assert fingerprint(lambda document: document) == plain
    assert fingerprint(other_parse) != plain
    assert fingerprint(lambda document: replace(document, text=document.text + " ")) != plain
