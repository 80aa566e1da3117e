"""The pages are programs, their links lead somewhere, and their figures are those of the files.

Every ``console`` and ``python`` block of ``README.md`` and ``docs`` runs, page by page and in order, in an empty folder.
``console`` blocks hold commands after ``$`` and, below each, what it prints (``...`` stands for anything). ``python`` blocks
share one namespace per page (doctest style when they contain ``>>>``); one that begins with a comment like ``# loud.py`` is a
file instead, for commands to run, so that what it registers stays out of this process. A ``csv`` or ``text`` block below a line
that ends with a name, "as `labels.csv`:", is that file. A ``toml`` block with entry points makes an installed package of the
folder, as ``pip install .`` would. A block of another language, or of none, is not run.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from relhash.registry import Registry

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = [page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts]  # not what make docs has built
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + WRITTEN
RESULTS = ROOT / "docs" / "results.md"
RESULT_PAGES = [RESULTS, *sorted((ROOT / "benchmarks" / "results").rglob("README.md"))]
"""The short page, and the long ones beside the files."""
BLOCK = re.compile(
    r"^```(console|python|toml)\n(.*?)^```$|`([\w.]+)`:\n\n```(?:csv|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
FILE = re.compile(r"# (\w+\.py)\n")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PROGRESS = re.compile(r"^[a-z][^:\n]*: \d+(/\d+)?, \d+ s(, .*)?\n", re.MULTILINE)
"""How far a command is: it says so once a second, if it takes so long."""
PAGE = "page"
"""What the programs of a page are called."""
MATCHING = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
EXTENDING = ROOT / "docs" / "howto" / "own-parts.md"
"""The page that tests/test_extending.py runs."""


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def run_console(block: str, folder: Path) -> None:
    commands = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    modules = f"{folder}:{os.environ.get('PYTHONPATH', '')}"
    environment = os.environ | {"PATH": path, "PYTHONPATH": modules, "COLUMNS": "140", "NO_COLOR": "1"}
    for entry in commands:
        lines = entry.splitlines()
        command = lines.pop(0)
        while command.endswith("\\"):
            command = command[:-1] + " " + lines.pop(0).strip()
        done = subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=900)
        assert done.returncode == 0, f"$ {command}\nexit {done.returncode}\n{done.stdout}\n{done.stderr}"
        expected = "\n".join(lines).strip()
        if expected:
            printed = done.stdout + PROGRESS.sub("", done.stderr)
            assert doctest.OutputChecker().check_output(expected + "\n", printed.strip() + "\n", MATCHING), (
                f"$ {command}\n--- the page says\n{expected}\n--- it printed\n{printed}"
            )


def run_python(block: str, namespace: dict[str, object], page: Path) -> None:
    if ">>>" not in block:
        exec(compile(block, str(page), "exec"), namespace)
        return
    test = doctest.DocTestParser().get_doctest(block, namespace, page.name, str(page), 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=MATCHING)
    runner.run(test, out=report.append, clear_globs=False)
    assert runner.failures == 0, "".join(report)
    namespace.update(test.globs)


def install(project: str, folder: Path) -> None:
    """What ``pip install .`` leaves of a project that consists of entry points."""
    settings = tomllib.loads(project)["project"]
    information = folder / f"{settings['name']}-{settings['version']}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {settings['name']}\nVersion: {settings['version']}\n")
    groups = settings["entry-points"].items()
    lines = [f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in parts.items()) for group, parts in groups]
    (information / "entry_points.txt").write_text("\n".join(lines))


def forget_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a page registers in this process is gone when it ends: other tests of this process list what there is.

    What our own modules register stays: they are imported once.
    """
    register = Registry.register

    def for_now(registry: Registry[object], name: str, part: object) -> None:
        is_new = name not in registry._parts
        register(registry, name, part)
        if is_new and sys._getframe(1).f_globals["__name__"] == PAGE:
            del registry._parts[name]
            monkeypatch.setitem(registry._parts, name, part)

    monkeypatch.setattr(Registry, "register", for_now)


def test_what_a_page_registers_is_gone_afterwards_and_what_it_imports_is_not() -> None:
    shapes: Registry[int] = Registry("shape", "relhash.shapes", {"circle": 1})
    with pytest.MonkeyPatch.context() as page:
        forget_afterwards(page)
        exec("shapes.register('square', 2)", {"__name__": PAGE, "shapes": shapes})
        exec("shapes.register('triangle', 3)", {"__name__": "relhash.shapes", "shapes": shapes})
        assert list(shapes) == ["circle", "square", "triangle"]
    assert list(shapes) == ["circle", "triangle"]


def run_page(page: Path, folder: Path) -> None:
    """All blocks of a page, in order."""
    namespace: dict[str, object] = {"__name__": PAGE}
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.chdir(folder)
        forget_afterwards(monkeypatch)
        for kind, block, name, content in BLOCK.findall(text_of(page)):
            if name:
                (folder / name).write_text(content, encoding="utf-8")
            elif kind == "console":
                run_console(block, folder)
            elif kind == "toml":
                install(block, folder)
            elif file := FILE.match(block):
                (folder / file[1]).write_text(block, encoding="utf-8")
            else:
                run_python(block, namespace, page)


@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(text_of(page)) and page != EXTENDING], ids=name_of)
def test_page_runs(page: Path, tmp_path: Path) -> None:
    run_page(page, tmp_path)


def test_how_far_a_slow_command_is_belongs_to_no_page(tmp_path: Path) -> None:
    says = "echo 20 bits; echo 'learning bits: 3/20, 1 s, objective 0.1' >&2; echo note >&2"
    run_console(f"$ {says}\n20 bits\nnote\n", tmp_path)
    with pytest.raises(AssertionError, match="the page says"):
        run_console(f"$ {says}\n20 bits\n", tmp_path)


@pytest.mark.parametrize("folder", ["tutorials", "howto"])
def test_every_tutorial_and_how_to_has_something_to_run(folder: str) -> None:
    idle = [name_of(page) for page in (ROOT / "docs" / folder).glob("*.md") if not BLOCK.search(text_of(page))]
    assert idle in ([], ["docs/howto/index.md"])


def anchors_of(page: Path) -> set[str]:
    """The anchors that GitHub, and Sphinx with ``myst_heading_anchors``, give to the headings of a page."""
    headings = re.findall(r"^#{1,4} (.+)$", FENCE.sub("", text_of(page)), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [*PAGES, *RESULT_PAGES[1:], ROOT / "SECURITY.md"], ids=name_of)
def test_internal_links_lead_somewhere(page: Path) -> None:
    broken = []
    for link in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text_of(page))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors_of(target)):
            broken.append(link)
    assert broken == []


def test_every_page_is_on_the_map() -> None:
    listed = {"docs/index.md"}
    for page in PAGES:
        for entries in re.findall(r"^```\{toctree\}\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL):
            for entry in re.findall(r"^([a-z][\w/-]*)$", entries, re.MULTILINE | re.IGNORECASE):
                listed.add(name_of((page.parent / f"{entry}.md").resolve()))
    assert sorted(name_of(page) for page in PAGES if page.parent != ROOT and name_of(page) not in listed) == []


def numbers_in(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        value = [part for key, part in value.items() if key != "made"]  # versions and dates are no figures
    if isinstance(value, list):
        for part in value:
            yield from numbers_in(part)
    elif isinstance(value, str):
        yield from map(float, re.findall(r"-?(?:\d+(?:\.\d+)?|(?<!\d)\.\d+)", value))
    elif isinstance(value, int | float):
        yield float(value)


def stored_in(file: Path) -> object:
    """What a file of results holds: JSON, the text of a card, or how often each verdict was given to rows drawn in one way,
    for each reason, and together with the rows that two versions have in common."""
    if file.suffix == ".json":
        return json.loads(text_of(file))
    if file.suffix == ".md":
        return text_of(file)
    head, *lines = (line.split("\t") for line in text_of(file).splitlines())
    given = [dict(zip(head, line, strict=True)) for line in lines]
    counts = [0]
    for drawn in {one["drawn"] for one in given}:
        own = [one for one in given if one["drawn"] == drawn]
        for rows in (own, [*own, *(one for one in given if one["drawn"] == "both" != drawn)]):  # both: rows of two versions
            counts += [len(rows), *Counter(one["verdict"] for one in rows).values()]
            counts += Counter((one["verdict"], one.get("reason")) for one in rows).values()
    return counts


def figures_of(table: str) -> list[str]:
    """The decimal numbers of the cells, and counts outside the first column; what stands in `code` or in a link is a name."""
    lines = re.sub(r"`[^`]*`|\]\([^)]*\)|\d{4}-\d\d-\d\d", "", table).replace("−", "-").splitlines()
    counted = [line.strip("|").partition("|")[2] for line in lines[2:]]
    counts = [found.replace(",", "") for found in re.findall(r"(?<![\w.,])\d[\d,]*(?![\w.,]| [×%])", "\n".join(counted))]
    return re.findall(r"-?\d+\.\d+", "\n".join(lines)) + counts


def unknown_figures(table: str, files: list[Path]) -> list[str]:
    known = [number for file in files for number in numbers_in(stored_in(file))]
    rounded = {digits: {f"{number:.{digits}f}" for number in known} for digits in range(6)}
    nothing = {"0", "0.000", "-0.000"}
    return [figure for figure in figures_of(table) if figure not in rounded[len(figure.partition(".")[2])] | nothing]


TABLE = re.compile(r"^<!-- figures: (.+?) -->\n((?:\|.*\n)+)", re.MULTILINE)


@pytest.mark.parametrize("page", RESULT_PAGES, ids=name_of)
def test_figures_are_those_of_the_file_rounded_once(page: Path) -> None:
    for files, table in TABLE.findall(text_of(page)):
        assert figures_of(table), files
        assert unknown_figures(table, [page.parent / file for file in files.split()]) == [], files


def test_the_documentation_is_short() -> None:
    assert len(text_of(RESULTS).split()) <= 1500
    assert sum(len(text_of(page).split()) for page in WRITTEN) <= 20_000


def test_published_figures_stand_on_one_page() -> None:
    elsewhere = [page for page in PAGES if page not in (RESULTS, ROOT / "README.md")]
    found = {name_of(page): re.findall(r"(?<![\w.])0?\.\d{3}\b", FENCE.sub("", text_of(page))) for page in elsewhere}
    assert {page: figures for page, figures in found.items() if figures} == {}


def test_a_figure_that_is_not_in_the_file_is_noticed() -> None:
    file = ROOT / "benchmarks" / "results" / "kernel_speed.json"
    assert unknown_figures("| RelHash, 8 lanes | 32.5 | 117.1 |", [file]) == []
    assert unknown_figures("| RelHash, 8 lanes | 32.6 | 117.1 |", [file]) == ["32.6"]


def row_of(file: str, system: str, direction: str, labels: int | None) -> dict[str, float]:
    rows = json.loads(text_of(ROOT / "benchmarks" / "results" / file))["rows"]
    (row,) = [
        row
        for row in rows
        if (row["system"], row["direction"], row["variant"], row.get("labels")) == (system, direction, "all", labels)
    ]
    return row


def test_the_readme_is_one_screen_of_product() -> None:
    before, found, _ = text_of(ROOT / "README.md").partition("## Learn more")
    assert found
    assert len([word for word in before.split() if re.search(r"\w", word)]) <= 600
    first_screen = "\n".join(before.splitlines()[:40])
    assert "make demo" in first_screen
    assert "make test" in first_screen
    assert "## When not to use it" in before


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_lines_wrap_at_100(page: Path) -> None:
    prose = FENCE.sub("", text_of(page)).splitlines()
    kept = ("|", "<!--", "![")  # tables, remarks and pictures cannot be wrapped
    long = [line for line in prose if len(line) > 100 and " " in line.strip(" -*") and not line.startswith(kept)]
    assert long == []


@pytest.mark.slow
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="needs the extra docs")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", str(ROOT / "docs"), str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "site" / "api" / "hashing.html").exists()
