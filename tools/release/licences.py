"""docs/licences.md: under which licence everything stands that the core install brings, and every resource that ships.

    python tools/release/licences.py

Packages are those of constraints.txt; what their metadata say of a licence is read from this environment, where they must be
installed. Resources are those of NOTICE.
"""

from __future__ import annotations

import re
import textwrap
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "licences.md"
_CLASSIFIER = "License :: OSI Approved :: "
HEAD = """# Licences

RelHash is under the Apache License 2.0 (`LICENSE`). This page is made by
`python tools/release/licences.py` from `constraints.txt`, from the metadata of the packages, and
from `NOTICE`.

## Packages of the core install

| package | version | licence, as the package says it |
|---|---|---|
"""


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(packages())} packages, {len(resources())} resources")


def page() -> str:
    rows = [f"| {name} | {version} | {licence_of(name)} |" for name, version in packages().items()]
    parts = [HEAD + "\n".join(rows), "", "## Resources that ship", ""]
    for name, said in resources().items():
        parts += [textwrap.fill(f"- **`{name}`**: {said}", 100, subsequent_indent="  ", break_on_hyphens=False)]
    return "\n".join(parts) + "\n"


def packages() -> dict[str, str]:
    """Name and version of each package of constraints.txt."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Za-z0-9_.\-]+)==(\S+)", text, re.MULTILINE))


def licence_of(name: str) -> str:
    """In the package's own words: the expression, the classifiers, or the first line of the field."""
    try:
        said = metadata(name)
    except PackageNotFoundError:
        raise SystemExit(f"{name}: not installed here; install what constraints.txt lists first") from None
    if expression := said.get("License-Expression"):
        return expression
    classifiers = [one.removeprefix(_CLASSIFIER) for one in said.get_all("Classifier") or () if one.startswith(_CLASSIFIER)]
    first = (said.get("License") or "").strip().split("\n")[0].strip()
    return ", ".join(classifiers) or first[:60] or "not stated"


def resources() -> dict[str, str]:
    """What NOTICE says of each shipped resource, by its folder."""
    text = (ROOT / "NOTICE").read_text(encoding="utf-8").partition("their origin and licence:")[2]
    found: dict[str, str] = {}
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        name, _, said = paragraph.strip().partition("/ ") if "/ " in paragraph.split("\n")[0] else paragraph.partition("/\n")
        found[f"{name}/"] = " ".join(said.split())
    return found


if __name__ == "__main__":
    main()
