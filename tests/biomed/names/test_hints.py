"""What words around names hint at, and what of a found phrase is the name."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from relhash.biomed.names import hints
from relhash.biomed.names.hints import chemical_hint, hints_at, hints_of_names, hints_of_pairs, modifier, pair_hints
from relhash.biomed.names.phrases import names_in
from relhash.biomed.names.table import shipped_names
from relhash.language.annotation import PredictedMention


def marked(text):
    """The text without «marks», and the spans of what was marked."""
    spans, plain = [], ""
    for piece in text.replace("»", "«").split("«"):
        spans.append((len(plain), len(plain) + len(piece)))
        plain += piece
    return plain, spans[1::2]


def found_in(text):
    plain, spans = marked(text)
    mentions = names_in(plain, [PredictedMention(*span, "protein") for span in spans], shipped_names())
    return [(one.name or plain[one.start : one.end], modifier(plain, one.start, one.end)) for one in mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("VDR binds the «human SREBP-1c promoter»", [("SREBP-1c", "promoter")]),
        ("the «CD44 promoter region»", [("CD44", "promoter")]),
        ("«anti-RAD51 antibody» was used", [("RAD51", "antibody")]),
        ("«YAP-S61A mutant» and «YAP S61 site»", [("YAP", "mutant"), ("YAP", "residue")]),
        ("«Stat1-deficient» mice", [("Stat1", "absent cells")]),
        ("«recombinant human IL-2 protein»", [("IL-2", "")]),
        ("«USP7 deubiquitinates» p53", [("USP7", "")]),
        ("«cyclin E.» We", [("cyclin E", "")]),
        ("variations of «IL-7»", [("IL-7", "variant")]),
        ("the «MMP1 gene» polymorphism", [("MMP1", "gene variant")]),
        ("in «CD18»/HPAF cells", [("CD18", "cells")]),
        ("«p-selectin», «heat shock protein 90»", [("p-selectin", ""), ("heat shock protein 90", "")]),
    ],
)
def test_the_name_inside_the_phrase(text, expected):
    assert found_in(text) == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("«MMP-2» and -9", ["MMP-2", "MMP-9"]),
        ("«TLR2/4»", ["TLR2", "TLR4"]),
        ("«caspases-3», -8 and -9", ["caspases-3", "caspase-8", "caspase-9"]),
        ("«ATM- and ATR»-dependent", ["ATM", "ATR"]),
        ("«p38/ERK» signals", ["p38", "ERK"]),
        ("alpha- and «beta-catenin»", ["alpha-catenin", "beta-catenin"]),
        ("«ERK1/2»", ["ERK1/2"]),  # has a name of its own
        ("«IL-2» and 3 patients", ["IL-2"]),
        ("«MMP-2» and «-9»", ["MMP-2", "-9"]),  # found already
    ],
)
def test_lists_are_written_out(text, names):
    assert [name for name, _ in found_in(text)] == names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("the «AML1/MDS1/EVI1» fusion protein", ["AML1/MDS1/EVI1"]),
        ("«AML1»/«MDS1»/«EVI1» binds CtBP", ["AML1/MDS1/EVI1"]),  # a known fusion
        ("the chimeric «TEL»/«PDGFR beta» protein", ["TEL/PDGFR beta"]),
        ("a «GST»-«p53» fusion protein", ["GST", "p53"]),  # a tag
        ("the «Raf»/«MEK» pathway", ["Raf", "MEK"]),
    ],
)
def test_a_fusion_is_one_name(text, names):
    assert [name for name, _ in found_in(text)] == names


@pytest.mark.parametrize("name", ["cotD", "SpoIIID", "Spo0A", "sigma(K)", "sigma K", "spy0129", "BAB1_0320", "Rv2623c"])
def test_a_gene_of_bacteria_is_told_by_its_form(name):
    assert "bacterial" in hints_at(name, 0, len(name))


@pytest.mark.parametrize("name", ["Stat1", "RAF1", "rs1234", "GW9662", "sigma", "IL-2"])
def test_other_names_have_not_the_form_of_a_gene_of_bacteria(name):
    assert "bacterial" not in hints_at(name, 0, len(name))


def test_other_types_are_left_alone():
    given = [PredictedMention(0, 8, "chemical")]
    assert names_in("IL-2 gene", given, shipped_names()) == given


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("the «Jak»-«STAT» pathway", {"joined", "pathway"}),
        ("the «BCR»-«ABL» protein", {"joined", "fusion"}),
        ("TNF acts on «IKK1» more than on «IKK2»", {"compared"}),
        ("activation of «Jak1» and phosphorylation of «Stat1»", {"own process"}),
        ("«IL-4»- and «IL-13»-induced genes", {"same done"}),
        ("role of «XO» in «dexamethasone»-induced hypertension in rats", {"model"}),
        ("«dexamethasone»-induced expression of «IL-10»", set()),
        ("«GFR» mutations with substitution of «glycine» by arginine", {"exchanged"}),
        ("«CCL5» was associated with the T2734C «SNP»", {"exchanged"}),
        ("the «somatostatin» analogue «octreotide»", {"analog"}),
        ("«DDR1» and DDR2 form a subfamily of «receptor tyrosine kinases»", {"kind of"}),
        ("«TNF» was lower, whereas «IL-10» was higher", {"contrast"}),
        ("increases in «Bax» and decreases in «Bcl-2»", {"own process"}),
        ("To determine the role of «RAF1» in «MEK1» activation", {"studied"}),
        ("We explore the effects of «RAF1» on «MEK1»", {"studied"}),
        ("«GRAF» functions as a «GAP» of RhoA", {"acts as"}),
        ("«WEE1» is a «CDC2» inhibitor", set()),
        ("the kinase «PAK», originally named «PAK-2»", {"called so"}),
        ("«REH» was inhibited by CGI-58, and «ATGL» by G0S2, respectively", {"respectively"}),
        ("«STAT3» and Sp1 synergistically induce «TIMP1»", {"together"}),
        ("«RAF1» binds to «MEK1»", set()),
    ],
)
def test_hints_of_two_names(text, hints):
    plain, (first, second) = marked(text)
    assert pair_hints(plain, first, second) == hints


def test_hints_are_those_of_the_table():
    plain, (span,) = marked("siRNA against mutant «p53» blocks")
    assert hints_at(plain, *span) == ("absent", "mutant")
    assert {"absent", "mutant", "promoter"} <= set(hints_of_names())
    assert "fusion" in hints_of_pairs()


@pytest.mark.parametrize(
    ("text", "hints"),
    [
        ("a protein with homology to «hsp90» that binds TNFR1", ("likened",)),
        ("the «histone» acetyltransferase p300", ("inside phrase",)),
        ("«CD11b»(+)Ly6G(+) cells", ("cells",)),
    ],
)
def test_a_name_that_stands_for_something_else(text, hints):
    plain, (span,) = marked(text)
    assert hints_at(plain, *span) == hints


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("«tyrosine» phosphorylated", "inside phrase"),
        ("«calcium»-ATPase", "inside phrase"),
        ("«quercetin» derivatives", "inside phrase"),
        ("«dopamine» neurons", "inside phrase"),
        ("«dopamine» levels", ""),
        ("«aspirin» inhibits COX-2", ""),
    ],
)
def test_a_chemical_that_is_a_part_of_something_else(text, hint):
    plain, (span,) = marked(text)
    assert chemical_hint(plain, span[1]) == hint


def test_long_runs_of_blanks_cost_nothing():
    text = "IL-2" + " " * 20_000 + "promoter and Stat5"
    assert hints_at(text, 0, 4) == ()
    assert pair_hints(text, (0, 4), (len(text) - 5, len(text))) == frozenset()


@pytest.mark.parametrize(("hint", "pattern", "pieces"), hints._around())
@given(st.data())
def test_what_matches_has_one_of_the_pieces_that_are_looked_for_first(hint, pattern, pieces, data):
    assert not pattern.flags & re.IGNORECASE
    text = data.draw(st.from_regex(pattern))
    assert any(piece in text for piece in pieces)


def test_names_with_slashes_between_two_are_a_list_and_take_no_time():
    """Each way to cut them was tried: 14 ms for two of the names of one sentence, and then for the next two."""
    between = "/MEK1" * 30
    assert "listed" in pair_hints(f"RAF1{between}, EGFR", (0, 4), (156, 160))
    start = time.process_time()
    assert not any("listed" in pair_hints(f"RAF1{between} of EGFR", (0, 4), (158, 162)) for _ in range(200))
    assert time.process_time() - start < 1
