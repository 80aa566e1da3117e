"""packaging/licences.tsv: day of release and licence of each package that the core install brings, in the package's own words.

    python tools/release/licences.py [ADDRESS]

Packages are those of constraints.txt; what their metadata say of a licence is read from this environment, where they must be
installed. ADDRESS is an index that answers ADDRESS/NAME/json with the days on which files came; without it, and for versions
that are in the table, days stay as they are. What ships inside RelHash stands in NOTICE and in docs/licences.md.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "packaging" / "licences.tsv"
UNKNOWN = "not looked up"
_CLASSIFIER = "License :: OSI Approved :: "


def main() -> None:
    known = days()
    for name, version in packages().items():
        if known.get((name, version), UNKNOWN) == UNKNOWN and sys.argv[1:]:
            with urlopen(f"{sys.argv[1]}/{name}/json") as reply:
                known[name, version] = json.load(reply)["releases"][version][0]["upload_time"][:10]
    rows = [
        f"{name}\t{version}\t{known.get((name, version), UNKNOWN)}\t{licence_of(name)}\n"
        for name, version in packages().items()
    ]
    TABLE.write_text("package\tversion\treleased\tlicence\n" + "".join(rows), encoding="utf-8")
    unknown = sum(UNKNOWN in row for row in rows)
    print(f"{TABLE.relative_to(ROOT)}: {len(rows)} packages" + (f", {unknown} without a day: give ADDRESS" if unknown else ""))


def packages() -> dict[str, str]:
    """Name and version of each package of constraints.txt."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    return dict(re.findall(r"^([A-Za-z0-9_.\-]+)==(\S+)", text, re.MULTILINE))


def days() -> dict[tuple[str, str], str]:
    """The days that the table has of packages and versions."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return {(row["package"], row["version"]): row["released"] for row in csv.DictReader(lines, delimiter="\t")}


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
