"""packaging/licences.tsv: under which licence each package stands that the core install brings, in the package's own words.

    python tools/release/licences.py

Packages are those of constraints.txt; what their metadata say of a licence is read from this environment, where they must be
installed. What ships inside RelHash stands in NOTICE and in docs/licences.md.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "packaging" / "licences.tsv"
_CLASSIFIER = "License :: OSI Approved :: "


def main() -> None:
    rows = [f"{name}\t{version}\t{licence_of(name)}\n" for name, version in packages().items()]
    TABLE.write_text("package\tversion\tlicence\n" + "".join(rows), encoding="utf-8")
    print(f"{TABLE.relative_to(ROOT)}: {len(rows)} packages")


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


if __name__ == "__main__":
    main()
