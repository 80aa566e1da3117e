"""The list of mutants can be tried, one that nobody notices survives, and the page says what was found."""

from __future__ import annotations

from pathlib import Path

from tests.test_docs import ROOT, text_of
from tests.tools.loading import load

mutants = load("mutants")


def test_every_mutant_of_the_list_can_be_tried() -> None:
    """A line that was changed since has to be changed in the list as well."""
    listed = mutants.read_mutants()
    assert len({one.name for one in listed}) == len(listed) >= 50
    for one in listed:
        source = (ROOT / "src" / "relhash" / one.file).read_text(encoding="utf-8")
        assert source.count(one.old) == 1, one.name
        compile(source.replace(one.old, one.new), one.file, "exec")
        for test in one.tests:
            assert (ROOT / "tests" / test).exists(), test


def test_a_mutant_that_nobody_notices_survives(tmp_path: Path) -> None:
    (tmp_path / "src" / "relhash").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "src" / "relhash" / "double.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "tests" / "test_double.py").write_text(
        "import sys\nsys.path.insert(0, 'src')\nfrom relhash.double import double\n\n\ndef test_double():\n"
        "    assert double(2) == 4\n"
    )
    (tmp_path / "src" / "relhash" / "__init__.py").write_text("")
    seen = mutants.Mutant("seen", "double.py", "2 * x", "3 * x", ["test_double.py"])
    unseen = mutants.Mutant("unseen", "double.py", "2 * x", "x * x", ["test_double.py"])
    gone = mutants.Mutant("gone", "double.py", "4 * x", "x", ["test_double.py"])
    said = [mutants.notices(one, tmp_path) for one in (seen, unseen, gone)]
    assert [one.found[:8] for one in said] == ["noticed", "survived", "not trie"]
    assert [one.by for one in said] == ["test_double.py::test_double", "", ""]
    assert (tmp_path / "src" / "relhash" / "double.py").read_text() == "def double(x):\n    return 2 * x\n"


def test_the_page_says_what_its_file_says() -> None:
    file = ROOT / "benchmarks" / "results" / "mutants.json"
    found, page = mutants.results_in(file), text_of(file.with_suffix(".md"))
    noticed = sum(said.found == "noticed" for said in found.values())
    assert f"Now: {noticed} of {len(found)} (tried at " in page
    assert all(f"| {one} |" in page and f"`{said.by}` |" in page for one, said in found.items() if said.by)
