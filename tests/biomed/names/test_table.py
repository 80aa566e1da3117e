"""The names that ship: read lazily, found in any way of writing, damaged files refused in one line."""

import subprocess
import sys
import time

import numpy as np
import pytest

from relhash.biomed.names.table import Class, NameKind, NameTable, shipped_names
from relhash.errors import LanguageError
from relhash.resources import resource_path


@pytest.fixture(scope="module")
def table():
    return shipped_names()


def meanings(table, name):
    return [(table.concept(found.number).id, found.name_kind) for found in table.find(name)]


@pytest.mark.parametrize(
    ("name", "identifier", "kind"),
    [
        ("GATA3", "HGNC:4172", NameKind.SYMBOL),
        ("MEK1", "HGNC:6840", NameKind.CURATED),
        ("interleukin-2", "HGNC:6001", NameKind.NAME),
        ("PU.1", "HGNC:11241", NameKind.ALIAS),
        ("NF-κB", "FPLX:NFkappaB", NameKind.CURATED),
        ("NFAT1", "HGNC:7776", NameKind.ALIAS),
        ("water", "CHEBI:15377", NameKind.NAME),
        ("Asthma", "MESH:D001249", NameKind.NAME),
        ("T-cell growth factor", "HGNC:6001", NameKind.LINKED),
    ],
)
def test_names_are_found_with_their_kind(table, name, identifier, kind):
    assert (identifier, kind) in meanings(table, name)


def test_a_gene_knows_its_counterparts(table):
    concept = table.concept(table.find("STAT1")[0].number)
    assert (concept.id, concept.mouse, concept.rat) == ("HGNC:11362", "MGI:103063", "RGD:3771")
    assert concept.kind is Class.GENE
    assert concept.kind.type == "protein"


def test_labels_and_keys_of_a_concept(table):
    number = table.find("MEK1")[0].number
    assert table.label(number) == "MAP2K1"
    assert {"mek1", "map2k1"} <= set(table.keys_of(number))


@pytest.mark.parametrize("name", ["", " ", "-", "no such gene at all", "\n", "zzzzzzzz", "\x00"])
def test_what_is_no_name_is_not_found(table, name):
    assert table.find(name) == ()
    assert name not in table


def test_ids_with_leading_zeros(table):
    identifiers = {
        table.concept(found.number).id
        for name in ("pilomyxoid astrocytoma", "Waterborne Diseases")
        for found in table.find(name)
    }
    assert identifiers >= {"MONDO:0016692", "MESH:D000069578"}


def test_it_is_small_and_quick_to_read():
    path = resource_path("lexicon", "names.npz")
    assert path.stat().st_size < 8_000_000
    seconds = []
    for _ in range(3):  # the first may have to wait for imports, and any for other threads of this process
        started = time.thread_time()
        NameTable.read(path)
        seconds.append(time.thread_time() - started)
    assert min(seconds) < 2.0  # about 0.14 s on a quiet machine


def test_it_is_not_read_before_a_name_is_looked_up():
    program = "import relhash.biomed.names.table as t, relhash.language; assert t.shipped_names.cache_info().currsize == 0"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x03\x04 half"])
def test_a_damaged_file_is_refused(tmp_path, content):
    path = tmp_path / "names.npz"
    path.write_bytes(content)
    with pytest.raises(LanguageError, match="damaged"):
        NameTable.read(path)


def test_a_file_without_all_arrays_is_refused(tmp_path):
    path = tmp_path / "names.npz"
    np.savez(path, keys=np.zeros(3, np.uint8))
    with pytest.raises(LanguageError, match="damaged"):
        NameTable.read(path)


@pytest.mark.parametrize("identifier", ["HGNC:4172", "FPLX:NFkappaB", "CHEBI:15377", "MESH:D001249", "MESH:C007112"])
def test_an_id_leads_to_its_concept_and_back(table, identifier):
    assert table.concept(table.number_of(identifier)).id == identifier
