"""Every number of the results page and of the README is that of a file, rounded once, or says that it is a trial's."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np
import pytest

from relhash.evaluation.finished_cells import CellFile, ranks_of
from relhash.evaluation.report import finish
from relhash.evaluation.test_sets import write_tests
from relhash.learning.metrics import auc
from tests.evaluation.toy_runs import cell, labels_with, run_of, set_of
from tests.test_docs import RESULTS, ROOT, numbers_in, text_of


def load(name: str, folder: Path = ROOT / "tools") -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, folder / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


make_results, mutants, sampled_mutants, keep_cells = map(load, ("make_results", "mutants", "sampled_mutants", "keep_cells"))
warm_mutants = sys.modules["warm_mutants"]


def test_make_results_would_change_nothing() -> None:
    page, by_hand = make_results.filled_page(text_of(RESULTS))
    assert page == text_of(RESULTS), "run make results"
    known = len(make_results.TABLE.findall(page)) - len(by_hand)
    assert known >= 9


def tables_of_systems() -> list[tuple[list[Path], str]]:
    """Tables with one system or one difference of two systems in a row, and those of sheets."""
    found = []
    for files, table in make_results.TABLE.findall(text_of(RESULTS)):
        first = make_results.cells_of(table.splitlines()[0])[0]
        paths = [RESULTS.parent / name for name in files.split()]
        if first == "system" or first.startswith(("difference in", "AUC, A→B")) or paths[0].name == "sheet.json":
            found.append((paths, table))
    return found


def test_tables_of_systems_are_filled_from_kept_cells() -> None:
    """Not one by hand, and not one from a file that cannot be computed again."""
    found = tables_of_systems()
    assert len(found) >= 9
    for files, table in found:
        assert make_results.filled_table(table, files) is not None, files
        for file in files:
            kept = [*file.parent.glob(f"{file.stem}.cells.jsonl*"), *file.parent.glob(f"{file.stem}.draws.jsonl.gz")]
            assert kept, file


def test_rows_of_rules_variants_and_answers_come_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "made.json"
    sheet = {"rule": "a rule", "direction": "A→B", "rows": 60, "drawn": "balanced", "f1": 0.5126, "precision": 0.4}
    rule = {"rule": "a rule", "f1": 0.1234, "precision": 0.2, "f1_oracle": 0.3, "loss": 0.1766, "worst_loss": 0.4}
    file.write_text(json.dumps({"protocol": "sheet", "summary": [rule | {"too_imprecise": 0.0}], "rows": [sheet]}))
    lines = "| rule | F1 | largest mean loss |\n|:--|--:|--:|\n| **a rule** | | |\n"
    assert make_results.filled_table(lines, [file]).endswith("| **a rule** | 0.123 | 0.400 |\n")
    lines = "| 60 rows, balanced | A→B |\n|:--|--:|\n| a rule | |\n"
    assert make_results.filled_table(lines, [file]).endswith("| a rule | 0.513 (0.400) |\n")
    with pytest.raises(make_results.UnknownRowError, match="no rule other"):
        make_results.filled_table(lines.replace("a rule", "other"), [file])
    row = {"system": "best", "direction": "x", "n_runs": 1, "precision": 0.1, "recall": 0.2, "f1": 0.3, "auc": 0.9, "f1_sd": 0}
    variants = [row | {"variant": name, "f1": f1} for name, f1 in (("all", 0.3), ("stated", 0.25), ("pairs", 0.4))]
    file.write_text(json.dumps({"rows": variants}))
    lines = "| system | R | F1 | F1 of stated | F1 of pairs |\n|:--|--:|--:|--:|--:|\n| `best` | | | | |\n"
    assert make_results.filled_table(lines, [file]).endswith("| `best` | 0.200 | 0.300 | 0.250 | 0.400 |\n")
    file.write_text(json.dumps({"rows": [{"direction": "A→B", "system": "random", "answers": 25, "auc": 0.5, "f1": 0.6}]}))
    lines = "| questions, A→B | 25 | 50 |\n|:--|--:|--:|\n| random | | |\n"
    assert make_results.filled_table(lines, [file]).endswith("| random | 0.500 · 0.600 | – |\n")


def test_a_wrong_number_in_a_table_is_put_right() -> None:
    page = text_of(RESULTS)
    files, table = next(found for found in make_results.TABLE.findall(page) if "ppi-cross/ppi-cross.json" in found[0])
    wrong = re.sub(r"\d\.\d{3} ±", "0.999 ±", table, count=1)
    assert wrong != table
    assert make_results.filled_table(wrong, [RESULTS.parent / name for name in files.split()]) == table
    with pytest.raises(make_results.UnknownRowError, match="nobody"):
        make_results.filled_table(table.replace("`best`", "`nobody`"), [RESULTS.parent / name for name in files.split()])


def test_differences_come_from_the_file(tmp_path: Path) -> None:
    one = {
        "first": "KLSH-NU-RF", "second": "random", "direction": "mean", "labels": None, "value": -0.0123, "low": -0.0251,
        "high": 0.0004, "p": 0.0607, "seeds": 20, "decided": False,
    }  # fmt: skip
    file = tmp_path / "ppi-cross.json"
    few = one | {"labels": 100, "value": 0.0251, "low": 0.01, "high": 0.04, "p": 0.0003, "seeds": 4, "decided": True}
    file.write_text(json.dumps({"rows": [], "differences": [one, few]}))
    table = "| difference in F1 | seeds | mean | p | decided |\n|:--|--:|--:|--:|:--|\n| `KLSH-NU-RF` − `random` | | | | |\n"
    line = make_results.filled_table(table, [file]).splitlines()[2]
    assert line == "| `KLSH-NU-RF` − `random` | 20 | −0.012 [−0.025, 0.000] | 0.061 | **not decided** |"
    line = make_results.filled_table(table.replace("in F1", "in AUC, 100 labels"), [file]).splitlines()[2]
    assert line == "| `KLSH-NU-RF` − `random` | 4 | 0.025 [0.010, 0.040] | < 0.001 | yes |"


SECTIONS = re.split(r"^(?=##+ )", text_of(RESULTS), flags=re.MULTILINE)
DESIGN = "<!-- design trial -->"
"""Stands below the heading of a section about how something was chosen, by scripts that nobody kept."""


def blocks_of(section: str) -> list[str]:
    """Paragraphs and items of lists, each by itself; tables have a test of their own."""
    lines = [line for line in section.splitlines() if not line.startswith(("|", "<!--"))]
    return re.split(r"\n\s*\n|\n(?=- |\d\. )", "\n".join(lines))


QUOTED = ("precision", "recall", "f1", "auc", "paper_f1")
"""What a page says of a row of systems; a file has ten times as many numbers, and a wrong one would often be among those."""


def files_of(section: str) -> list[dict[str, Any]]:
    """The files of results that a section links."""
    links = re.findall(r"\]\((\.\./benchmarks/results/[^)]+\.json)\)", section)
    return [json.loads(text_of(RESULTS.parent / link)) for link in links]


def is_of_systems(row: object) -> bool:
    return isinstance(row, dict) and {"system", "direction", "variant"} <= row.keys()


def known_in(section: str) -> set[str]:
    """Numbers of the tables and of the linked files of a section, and differences of rows; two or three digits, no sign."""
    known = {found for _, table in make_results.TABLE.findall(section) for found in re.findall(r"\d\.\d{3}", table)}
    for stored in files_of(section):
        rows = [row for row in stored.get("rows", []) if is_of_systems(row)]
        is_summed_up = bool(rows) or "summary" in stored
        others = {key: value for key, value in stored.items() if not (is_summed_up and key in ("rows", "differences", "notes"))}
        numbers = [*numbers_in(others), *differences_between(rows)]
        numbers += [row[name] for row in rows for name in QUOTED if row.get(name) is not None and row["variant"] != "no-shared"]
        numbers += [one[name] for one in stored.get("differences", []) for name in ("value", "low", "high", "p")]
        known |= {f"{abs(number):.{digits}f}" for number in numbers for digits in (2, 3)}
    return known


def differences_between(rows: list[dict[str, Any]]) -> list[float]:
    """In F1 of all labels and in AUC of few, by direction and on the mean of both."""
    values: dict[tuple[str, str, int | None], float] = {}
    for row in rows:
        if row["variant"] == "all":
            values[row["system"], row["direction"], row.get("labels")] = row["auc" if row.get("labels") else "f1"]
    found: dict[tuple[str, str, int | None], list[float]] = {}
    for (first, direction, labels), value in values.items():
        for second in {name for name, _, _ in values} - {first}:
            if (second, direction, labels) in values:
                found.setdefault((first, second, labels), []).append(value - values[second, direction, labels])
    return [one for own in found.values() for one in [*own, float(np.mean(own))]]


INTERVAL = re.compile(r"(−?0?\.\d{3}) \[(−?0?\.\d{3}), (−?0?\.\d{3})\]")


def intervals_of(value: object) -> set[tuple[str, ...]]:
    """Every value with its interval in a file of results."""
    if isinstance(value, list):
        return set().union(*map(intervals_of, value))
    if not isinstance(value, dict):
        return set()
    parts = ("value", "low", "high")
    own = {tuple(f"{value[name]:.3f}" for name in parts)} if value.keys() >= set(parts) else set()
    return own.union(*map(intervals_of, value.values()))


def unknown_intervals(section: str) -> list[str]:
    """Intervals in the text of a section that no file of it has as a whole, but for paragraphs that say *trial*."""
    known = intervals_of(files_of(section))
    blocks = [" ".join(block.split()) for block in blocks_of(section) if "*trial*" not in block.lower()]
    found = [match for block in blocks for match in INTERVAL.finditer(block)]
    return [one[0] for one in found if tuple(part.replace("−", "-") for part in one.groups()) not in known]


def unknown_in(section: str) -> list[str]:
    """Numbers in the text of a section that no file of it has, but for paragraphs that say *trial*."""
    known, unknown = known_in(section), unknown_intervals(section)
    for block in blocks_of(section):
        if "*trial*" not in block.lower():
            figures = re.findall(r"(?<![\w.])0?(\.\d{2,3})(?![\d%])\b", re.sub(r"`[^`]*`", "", block))
            unknown += [figure for figure in figures if f"0{figure}" not in known]
    return unknown


@pytest.mark.parametrize("section", SECTIONS, ids=[section.splitlines()[0] for section in SECTIONS])
def test_a_number_in_the_text_is_that_of_a_file_or_of_a_trial(section: str) -> None:
    """A paragraph whose numbers no file has says *trial*, so that nobody looks for a command."""
    if DESIGN in section:
        assert "*trial*" in section.lower()
    else:
        assert unknown_in(section) == []


def test_an_interval_is_quoted_as_a_whole() -> None:
    """Its three numbers may all stand somewhere in a file of hundreds."""
    section = "[file](../benchmarks/results/ppi-cross/ppi-cross.json)\n\n- Ahead by 0.024 [0.018,\n  0.030]."
    assert unknown_in(section) == []
    assert unknown_in(section.replace("0.018", "0.013")) == ["0.024 [0.013, 0.030]"]


def test_a_trial_excuses_its_paragraph_only() -> None:
    assert unknown_in("## Heading\n\n*Trial*: 0.123.\n\nThen 0.456, and\n\n- 0.789\n- *trial* 0.12") == [".456", ".789"]


@pytest.mark.parametrize("section", SECTIONS, ids=[section.splitlines()[0] for section in SECTIONS])
def test_a_table_names_its_file_or_says_trial(section: str) -> None:
    if DESIGN in section:
        return
    unnamed = []
    for above, chunk in itertools.pairwise(["", *section.split("\n\n")]):
        if "\n|" in f"\n{chunk}" and "<!-- figures:" not in chunk and "*trial*" not in (above + chunk).lower():
            unnamed.append(chunk.splitlines()[0])
    assert unnamed == []


def test_numbers_of_the_readme_stand_on_the_results_page() -> None:
    prose = re.sub(r"^```.*?^```$", "", text_of(ROOT / "README.md"), flags=re.MULTILINE | re.DOTALL)
    page = [float(found) for found in re.findall(r"(?<![\w.])0?\.\d+", text_of(RESULTS))]
    figures = re.findall(r"(?<![\w.:`])0\.\d{2,3}\b", re.sub(r"`[^`]*`", "", prose))
    assert figures
    for figure in figures:
        digits = len(figure) - 2
        assert figure in {f"{number:.{digits}f}" for number in page}, figure


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


def test_sampled_mutants_break_one_thing_each() -> None:
    source = (
        "from typing import Any\n__all__ = ['f']\n\n\ndef f(x: int = 3, *, deep: bool = False) -> list[Any]:\n"
        '    """At most 5."""\n    if x < 2 and not deep:\n        raise ValueError(f\'{x + 1} is too small\')\n'
        "    return [x * 2, -x]\n"
    )
    made = list(sampled_mutants.mutants_of(source, "a.py"))
    lines = [new for one in made for old, new in zip(source.splitlines(), one.source.splitlines(), strict=True) if old != new]
    assert len(lines) == len(made) == len({one.name for one in made})
    assert {line.strip() for line in lines} == {
        "def f(x: int = 4, *, deep: bool = False) -> list[Any]:", "def f(x: int = 3, *, deep: bool = True) -> list[Any]:",
        "if not (x < 2 and not deep):", "if x <= 2 and not deep:", "if x < 3 and not deep:", "if x < 2 or not deep:",
        "if x < 2 and (deep):", "return [x / 2, -x]", "return [x * 3, -x]", "return [x * 2, (x)]",
    }  # fmt: skip
    moved = list(sampled_mutants.mutants_of("# a remark\n" + source, "a.py"))
    assert [one.name for one in sampled_mutants.drawn(moved, 0)] == [one.name for one in sampled_mutants.drawn(made, 0)]


def test_a_live_function_takes_the_code_of_a_mutant(tmp_path: Path) -> None:
    source = (
        "def double(x, times=2):\n    return [one * times for one in x]\n\n\n"
        "class Pair:\n    def first(self):\n        return 1\n\n\n"
        "from relhash.compilation import compiled\n\n\n@compiled\ndef triple(x):\n    return 3 * x\n"
    )
    (tmp_path / "live.py").write_text(source)
    live = load("live", tmp_path)

    def changed(old: str, new: str) -> list[tuple[CodeType, CodeType]]:
        both = (compile(text, str(tmp_path / "live.py"), "exec") for text in (source, source.replace(old, new)))
        return list(warm_mutants.changed_code(*both))

    for old, new in (("one * times", "one - times"), ("return 1", "return True")):
        ((before, after),) = changed(old, new)
        assert warm_mutants.swap(before, after)
    assert (live.double([5]), live.Pair().first()) == ([3], True)
    ((default, _),) = changed("times=2", "times=3")
    assert default.co_name == "<module>"  # not the code of a function: it has to be tried with a changed file
    ((before, after),) = changed("3 * x", "4 * x")
    assert not warm_mutants.swap(before, after)  # what is compiled already would not change
    assert changed("return 1", "return 1") == []


def test_kept_cells_are_small_and_give_the_same_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tests = [set_of(one) for one in ("A→B", "B→A")]
    cells = [
        cell(system, test.direction, seed, labels_with(right + seed))
        for test in tests
        for system, right in (("KLSH-NU-RF", 2), ("random", 1), ("best", 1))
        for seed in (0, 1)
    ]
    source, target = tmp_path / "out", tmp_path / "kept"
    write_tests(source / "ppi-cross.tests.json.gz", "ppi-cross", tests, {"notes": [], "parsed_by": ""})
    store = CellFile(source / "ppi-cross.cells.jsonl")
    for number, one in enumerate(cells):
        store.add(str(number), one)
    finish(run_of("ppi-cross", tests, cells), source)
    asked = ["--protocol", "settings", "--systems", "KLSH-NU-RF,random", "--command", "c"]
    monkeypatch.setattr(sys, "argv", ["keep_cells.py", str(source), str(target), *asked])
    keep_cells.main()
    before, after = (
        json.loads(file.read_text(encoding="utf-8")) for file in (source / "ppi-cross.json", target / "settings.json")
    )
    assert after["made"]["command"] == "c"
    assert (after["made"]["commit"], after["made"]["date"]) == ("abc", "2026-11-17")
    assert after["rows"] == [row for row in before["rows"] if row["system"] != "best"]
    assert after["differences"] == [one for one in before["differences"] if "best" not in (one["first"], one["second"])]
    assert (target / "settings.cells.jsonl.gz").stat().st_size < (source / "ppi-cross.cells.jsonl").stat().st_size / 2
    store.add("again", cells[0])
    with pytest.raises(SystemExit, match="more than one cell for the same run of KLSH-NU-RF"):
        keep_cells.main()

    newer = tmp_path / "newer"
    again = CellFile(newer / "ppi-cross.cells.jsonl")
    for number, test in enumerate(tests):
        again.add(f"new {number}", cell("KLSH-NU-RF", test.direction, 0, labels_with(4)))
    monkeypatch.setattr(sys, "argv", [*sys.argv, "--newer", str(newer)])
    keep_cells.main()
    rows = json.loads((target / "settings.json").read_text(encoding="utf-8"))["rows"]
    kept = {(row["system"], row["direction"]): (row["n_runs"], row["f1"]) for row in rows if row["variant"] == "all"}
    assert kept["KLSH-NU-RF", "A→B"] == kept["KLSH-NU-RF", "B→A"] == (1, 1)
    assert kept["random", "A→B"][0] == 2


def test_of_few_labels_some_cells_keep_their_ranks_and_all_their_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = [set_of(one) for one in ("A→B", "B→A")]
    cells = [
        replace(cell(system, test.direction, seed, labels_with(right + seed)), labels=labels, ranks=np.arange(test.y.size) % 7)
        for test in tests
        for system, right in (("NU+linear", 2), ("random+linear", 1), ("ngram-lr", 1))
        for seed in (0, 1)
        for labels in (50, 100)
    ]
    source, target = tmp_path / "out", tmp_path / "kept"
    write_tests(source / "few-labels.tests.json.gz", "few-labels", tests, {"notes": [], "parsed_by": ""})
    store = CellFile(source / "few-labels.cells.jsonl")
    for number, one in enumerate(cells):
        store.add(str(number), one)
    finish(run_of("few-labels", tests, cells), source)
    asked = ["--protocol", "few-labels", "--command", "c", "--compared-at", "100", "--compared", "NU+linear,random+linear"]
    monkeypatch.setattr(sys, "argv", ["keep_cells.py", str(source), str(target), *asked])
    keep_cells.main()
    before, after = (json.loads(text_of(folder / "few-labels.json")) for folder in (source, target))
    assert after["rows"] == before["rows"]
    wanted = [one for one in before["differences"] if (one["labels"], one["second"]) == (100, "random+linear")]
    assert len(wanted) == 3
    assert after["differences"] == wanted


def test_steps_of_ranks_hardly_change_auc() -> None:
    rng = np.random.default_rng(0)
    y = rng.random(6000) < 0.2
    scores = rng.normal(size=6000) + y
    ranks = ranks_of(scores)
    assert auc(y, keep_cells.in_levels(ranks, 128).astype(float)) == pytest.approx(auc(y, scores), abs=0.001)
    assert len(set(keep_cells.in_levels(ranks, 128))) == 128


def test_a_file_of_a_benchmark_says_who_made_it() -> None:
    """Files that are older than this rule say what the page said of them, and that it was put in afterwards."""
    files = sorted((ROOT / "benchmarks" / "results").rglob("*.json"))
    assert len(files) >= 45
    for name in files:
        said = json.loads(text_of(name)).get("made", {})
        assert {"command", "commit", "date", "machine", "versions", "parse source"} <= said.keys(), name
        assert said["versions"] or "put in" in said, name


def test_pages_of_mutants_say_what_their_files_say() -> None:
    for name in ("mutants", "mutants-sampled"):
        file = ROOT / "benchmarks" / "results" / f"{name}.json"
        found, page = mutants.results_in(file), text_of(file.with_suffix(".md"))
        noticed = sum(said.found == "noticed" for said in found.values())
        if name == "mutants":
            assert f"Now: {noticed} of {len(found)} (tried at " in page
            assert all(f"| {one} |" in page and f"`{said.by}` |" in page for one, said in found.items() if said.by)
        else:
            assert f": {len(found)} of " in page
            assert f" {noticed} were noticed; {len(found) - noticed} survived:" in page


def test_survivors_of_the_sample_have_a_reason() -> None:
    found = sampled_mutants.results_in(sampled_mutants.OUT)
    reasons = tomllib.loads(text_of(sampled_mutants.REASONS))["harmless"]
    assert len(found) >= 30
    assert [name for name, said in found.items() if said.found != "noticed" and name not in reasons] == []
