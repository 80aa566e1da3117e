"""Ids for mentions: from the document alone, without touching what is there, unknown where it is not sure."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.biomed.grounding import Grounder, shipped_grounder
from relhash.corpus.document import Document, Mention

CHECKED = Path(__file__).parent / "data" / "grounded_names.tsv"


@pytest.fixture(scope="module")
def grounder():
    return shipped_grounder()


def document(text, *names, kind="protein"):
    mentions, place = [], 0
    for number, name in enumerate(names):
        place = text.index(name, place)
        mentions.append(Mention(f"T{number}", kind, ((place, place + len(name)),), name))
        place += len(name)
    return Document("d", text, mentions=tuple(mentions))


def ids(grounder, text, *names, kind="protein"):
    return [mention.ids for mention in grounder(document(text, *names, kind=kind)).mentions]


def test_ids_that_are_there_stay(grounder):
    given = document("MEK1 binds ERK2", "MEK1", "ERK2")
    given = replace(given, mentions=(replace(given.mentions[0], ids=("UniProt:Q02750",)), given.mentions[1]))
    assert [mention.ids for mention in grounder(given).mentions] == [("UniProt:Q02750",), ("HGNC:6871",)]


def test_triggers_and_other_types_get_none(grounder):
    given = document("MEK1 activation in HeLa", "MEK1", "HeLa")
    trigger, cell = replace(given.mentions[0], is_trigger=True), replace(given.mentions[1], type="cell_line")
    assert grounder(replace(given, mentions=(trigger, cell))).mentions == (trigger, cell)


def test_the_long_form_settles_a_short_one(grounder):
    assert ids(grounder, "GR was seen", "GR") == [()]
    text = "The glucocorticoid receptor (GR) was seen, and GR bound."
    assert ids(grounder, text, "glucocorticoid receptor", "GR", "GR") == [("HGNC:7978",)] * 3


def test_a_long_form_that_means_something_else_forbids_the_short_one(grounder):
    assert ids(grounder, "aspirin-like drugs (ALD) and ALD", "ALD", "ALD") == [(), ()]
    assert ids(grounder, "the B-cell antigen receptor (BCR)", "BCR") == [()]


@pytest.mark.parametrize(
    ("long", "name", "own"),
    [("strange lymphoid phosphate of 76", "SLP-76", "HGNC:6529"), ("inner rim fibre-1", "IRF-1", "HGNC:6116")],
    ids=["symbol", "synonym"],
)
def test_a_sure_name_with_a_number_means_the_same_whatever_it_is_called(grounder, long, name, own):
    assert ids(grounder, f"The {long} ({name}) was seen", name) == [(own,)]


def test_a_short_form_tells_an_unlisted_long_one(grounder):
    assert ids(grounder, "IFN regulating factor-1 (IRF-1)", "IFN regulating factor-1", "IRF-1") == [("HGNC:6116",)] * 2


@pytest.mark.parametrize(
    ("text", "name", "kind", "ids"),
    [
        ("Nimodipine (NIMO) was given. NIMO helped.", "NIMO", "chemical", ("CHEBI:7575", "MESH:D009553")),  # begins like it
        ("Phenobarbital (PB) was given. PB helped.", "PB", "chemical", ("CHEBI:8069", "MESH:D010634")),  # not lead
        ("Transient ischemic attack (TIA)", "TIA", "disease", ("MESH:D002546",)),
    ],
)
def test_a_short_form_of_a_drug_or_disease_stands_for_what_the_text_says(grounder, text, name, kind, ids):
    assert grounder.ids_of(name, kind, text=text) == ids


@pytest.mark.parametrize(
    ("name", "kind", "ids"),
    [
        ("caspases-3", "protein", ("HGNC:1504",)),
        ("gp130", "protein", ("HGNC:6021",)),  # the one of two that annotators met
        ("TSP-1", "protein", ("HGNC:11785",)),  # a name by hand, beside the list
        ("Nbs1", "protein", ("HGNC:7652",)),
        ("Na", "chemical", ("CHEBI:26708", "MESH:D012964")),  # a word if it is written small
        ("na", "chemical", ()),
        ("calcium", "chemical", ("CHEBI:29108", "MESH:D002118")),
        ("FK506", "chemical", ("CHEBI:61049", "MESH:D016559")),
        ("renal impairment", "disease", ("MESH:D007674",)),
        ("pulmonary toxicity", "disease", ("MESH:D008171",)),
        ("hypokalaemia", "disease", ("MESH:D007008",)),
    ],
)
def test_names_as_abstracts_write_them(grounder, name, kind, ids):
    assert grounder.ids_of(name, kind) == ids


def test_species(grounder):
    assert ids(grounder, "Stat1 of patients", "Stat1") == [("HGNC:11362",)]
    assert ids(grounder, "Stat1 of mice", "Stat1") == [("MGI:103063",)]
    assert ids(grounder, "Stat1 of patients and murine Stat1", "Stat1", "Stat1") == [("HGNC:11362",), ("MGI:103063",)]
    assert ids(grounder, "Stat1 of rats", "Stat1") == [("RGD:3771",)]
    assert ids(grounder, "Stat92E and Stat1 of Drosophila", "Stat1") == [()]


def test_viral_proteins_and_reporters_are_not_genes_of_man(grounder):
    assert ids(grounder, "Tat of HIV-1", "Tat") == [()]
    assert ids(grounder, "Tat binds TAR and cyclin T1", "Tat") == [()]  # man's gene is not written so
    assert ids(grounder, "E1A binds p300", "E1A") == [()]
    assert ids(grounder, "Tat of mouse liver", "Tat") == [("MGI:98487",)]
    assert ids(grounder, "the tyrosine aminotransferase TAT", "TAT") == [("HGNC:11573",)]
    assert ids(grounder, "a CAT reporter", "CAT") == [()]
    assert ids(grounder, "E2 stimulates breast cancer cells", "E2") == [()]  # estradiol
    assert ids(grounder, "the ubiquitin-conjugating enzyme E2", "E2") == [("FPLX:UBE2",)]


def test_company_settles_an_alias(grounder):
    assert ids(grounder, "p40 and something", "p40") == [()]
    assert ids(grounder, "RPSA, also p40", "RPSA", "p40") == [("HGNC:6502",), ("HGNC:6502",)]


def test_a_document_without_mentions_does_not_change(grounder):
    given = Document("d", "MEK1")
    assert grounder(given) is given


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=12), min_size=1, max_size=4), st.sampled_from(["protein", "chemical", "disease"]))
def test_any_name_is_taken(grounder, names, kind):
    text = " ".join(names)
    result = grounder(document(text, *names, kind=kind))
    assert [mention.text for mention in result.mentions] == names
    assert all(":" in identifier for mention in result.mentions for identifier in mention.ids)


def test_answers_do_not_depend_on_what_was_asked_before():
    texts = ["The glucocorticoid receptor (GR) binds.", "GR binds."]
    one, other = Grounder(), Grounder()
    forward = [ids(one, text, "GR") for text in texts]
    backward = [ids(other, text, "GR") for text in reversed(texts)]
    assert forward == backward[::-1] == [[("HGNC:7978",)], [()]]


@pytest.mark.parametrize(("drawn", "names", "right", "wrong"), [("first", 200, 186, 10), ("second", 80, 67, 9)])
def test_names_checked_by_hand(grounder, drawn, names, right, wrong):
    """Names that our tagger found, judged by hand before the program was asked; here with the words around them only.

    Whole documents, and how the names were drawn: benchmarks/grounding.py, docs/results.md.
    """
    counts = {"right": 0, "rightly unknown": 0, "missed": 0, "wrong": 0}
    with CHECKED.open(encoding="utf-8", newline="") as handle:
        for row in csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["drawn"] != drawn:
                continue
            left, _, rest = row["context"].partition(f"[{row['name']}]")
            mention = Mention("T", row["type"], ((len(left), len(left) + len(row["name"])),), row["name"])
            found = grounder(Document("d", left + row["name"] + rest, mentions=(mention,))).mentions[0].ids
            if (found[0] if found else "unknown") in row["expected"].split("|"):
                counts["right" if found else "rightly unknown"] += 1
            else:
                counts["wrong" if found else "missed"] += 1
    assert sum(counts.values()) == names
    assert counts["right"] + counts["rightly unknown"] >= right, counts
    assert counts["wrong"] <= wrong, counts


def test_a_fusion_has_the_ids_of_its_genes():
    assert Grounder().ids_of("BCR-ABL", text="Imatinib inhibits BCR-ABL.") == ("HGNC:1014", "FPLX:ABL_family")
    assert Grounder().ids_of("BCR-CD19", text="BCR-CD19 signals.") == ()


def test_an_ambiguous_name_is_the_neighbour_of_a_sure_one():
    text = "Aspirin inhibits COX-1 and COX-2."
    names = [Mention(name, "protein", ((text.index(name), text.index(name) + 5),), name) for name in ("COX-1", "COX-2")]
    found = Grounder()(Document("d", text, mentions=tuple(names)))
    assert [one.ids for one in found.mentions] == [("HGNC:9604",), ("HGNC:9605",)]


def test_an_unknown_name_is_what_stands_beside_it(grounder):
    """One of the two in parentheses: a trade name, a symbol of its own."""
    text = "Bupropion (Xyvonal) was given. Xyvonal is toxic."
    assert ids(grounder, text, "Bupropion", "Xyvonal", "Xyvonal", kind="chemical") == [("CHEBI:3219", "MESH:D016642")] * 3
    assert ids(grounder, "qq17 (osteoprotegerin) binds", "qq17", "osteoprotegerin")[0] == ("HGNC:11909",)
    apart = "Bupropion was given (by Xyvonal)."
    assert ids(grounder, apart, "Bupropion", "Xyvonal", kind="chemical")[1] == ()


def test_two_names_beside_an_unknown_one_say_nothing(grounder):
    text = "aspirin (Xyvonal) and ibuprofen (Xyvonal)"
    assert ids(grounder, text, "aspirin", "Xyvonal", "ibuprofen", "Xyvonal", kind="chemical")[1::2] == [(), ()]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("ocular and cardiac toxicity", ("ocular toxicity", "cardiac toxicity")),
        ("hepatitis or asthma", ("hepatitis", "asthma")),
        ("endometrial hyperplasia or cancer", ("endometrial hyperplasia", "endometrial cancer")),
    ],
)
def test_a_name_of_two_diseases_has_the_ids_of_both(grounder, name, parts):
    assert grounder.ids_of(name, "disease") == tuple(one for part in parts for one in grounder.ids_of(part, "disease"))
    assert len(grounder.ids_of(name, "disease")) == 2


def test_a_name_with_and_of_which_half_is_unknown_has_none(grounder):
    assert grounder.ids_of("asthma and xyzzy", "disease") == ()


def test_a_long_form_of_a_protein_does_not_forbid_its_symbol(grounder):
    assert ids(grounder, "organic anion transporting factor 2 (OAT2)", "OAT2") == [("HGNC:10971",)]
    assert ids(grounder, "organic anion tasting 2 (OAT2)", "OAT2") == [()]


def test_one_name_has_one_id_in_a_document(grounder):
    text = "Mice lacking IL-10 had colitis. In mice and mouse cells. Patients had more IL-10."
    first, second = ids(grounder, text, "IL-10", "IL-10")
    assert first == second


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("zileuton", ("CHEBI:10112", "MESH:C063449")),  # of the supplement, in ChEBI too
        ("L-tryptophan", ("CHEBI:16828", "MESH:D014364")),  # a term of tryptophan in MeSH, an entry of its own in ChEBI
    ],
)
def test_a_chemical_has_its_id_in_mesh(grounder, name, expected):
    assert grounder.ids_of(name, "chemical") == expected


def test_names_of_the_supplement_have_an_id_and_are_no_names_of_the_list(grounder):
    assert grounder.ids_of("lecozotan", "chemical") == ("MESH:C500836",)
    assert grounder.ids_of("lecozotan", "protein") == ()
    assert "lecozotan" not in grounder.senses.table


def test_british_and_american_names_of_diseases_are_the_same(grounder):
    for british, american in (("oesophageal cancer", "esophageal cancer"), ("diarrhoea", "diarrhea"), ("apnoea", "apnea")):
        assert grounder.ids_of(british, "disease") == grounder.ids_of(american, "disease") != ()


def test_a_disease_may_have_the_name_of_a_word(grounder):
    assert grounder.ids_of("spasm", "disease") == ("MESH:D013035",)
