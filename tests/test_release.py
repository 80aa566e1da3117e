"""One version everywhere, everything locked, and a licence for everything that ships."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import relhash

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
LOCKED = dict(re.findall(r"^([\w.\-]+)==(\S+) --hash=sha256:[0-9a-f]{64}$", CONSTRAINTS, re.MULTILINE))


def test_one_version_everywhere():
    released = re.findall(r"^## \[(\d\S*)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert (PROJECT["version"], released[0]) == (relhash.__version__, relhash.__version__)


@pytest.mark.parametrize("needed", PROJECT["dependencies"])
def test_what_is_locked_is_what_is_asked_for(needed):
    requirement = Requirement(needed)
    locked = {canonicalize_name(name): version for name, version in LOCKED.items()}
    assert requirement.specifier.contains(locked[canonicalize_name(requirement.name)])


def test_nothing_is_locked_without_a_hash_or_by_an_address():
    lines = [line for line in CONSTRAINTS.splitlines() if not line.startswith("#")]
    assert len(lines) == len(LOCKED)
    assert not re.search(r"://|@", "\n".join(lines))


def test_every_locked_package_has_its_day_and_licence_in_the_table():
    heading, *rows = (ROOT / "packaging" / "licences.tsv").read_text(encoding="utf-8").splitlines()
    assert heading.split("\t") == ["package", "version", "released", "licence"]
    said = {name: own for name, *own in (row.split("\t") for row in rows)}
    assert {name: version for name, (version, _, _) in said.items()} == LOCKED
    assert [name for name, (_, day, _) in said.items() if not re.fullmatch(r"20\d\d-[01]\d-[0-3]\d", day)] == []
    assert [name for name, (_, _, licence) in said.items() if licence in ("", "not stated")] == []


def test_every_shipped_resource_has_its_licence_on_the_page_and_in_the_notice():
    page, notice = ((ROOT / name).read_text(encoding="utf-8") for name in ("docs/licences.md", "NOTICE"))
    resources = ROOT / "src" / "relhash" / "resources"
    folders = [path for path in resources.iterdir() if path.is_dir() and path.name != "__pycache__"]
    folders += [path for path in (resources / "models").iterdir() if path.is_dir()]
    for folder in folders:
        if folder.name != "models":
            name = folder.relative_to(resources).as_posix()
            assert f"`{name}/`" in page, folder
            assert f"\n{name}/" in notice, folder
