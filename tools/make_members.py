"""Make the list of families and complexes with their members that ships, from the relations of FamPlex (CC0).

    python tools/make_members.py --lexicons ../shared/data/lexicons

One line per family or complex: its id, and the ids of all genes and smaller families that belong to it, through any number of
steps.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from pathlib import Path

from relhash.files import replacing

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "lexicon" / "members.tsv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lexicons", type=Path, required=True, help="folder with famplex/ and hgnc_entries.tsv.gz")
    parser.add_argument("--output", type=Path, default=FILE)
    given = parser.parse_args()
    with gzip.open(given.lexicons / "hgnc_entries.tsv.gz", "rt", encoding="utf-8", newline="") as handle:
        ids = {row["Approved symbol"]: row["HGNC ID"] for row in csv.DictReader(handle, delimiter="\t")}
    parts: dict[str, set[str]] = {}
    with (given.lexicons / "famplex" / "relations.csv").open(encoding="utf-8", newline="") as handle:
        for database, member, _, _, family in csv.reader(handle):
            known = ids.get(member) if database == "HGNC" else f"FPLX:{member}" if database == "FPLX" else None
            if known is not None:
                parts.setdefault(f"FPLX:{family}", set()).add(known)
    with replacing(given.output) as handle:
        for family in sorted(parts):
            handle.write("\t".join([family, *sorted(closure(family, parts))]) + "\n")
    print(f"{given.output}: {len(parts):,} families and complexes, {given.output.stat().st_size:,} bytes")


def closure(family: str, parts: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [family]
    while waiting:
        for member in parts.get(waiting.pop(), set()) - found:
            found.add(member)
            waiting.append(member)
    return found


if __name__ == "__main__":
    main()
