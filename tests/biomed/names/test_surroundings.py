"""Names that the words around them make something else."""

from __future__ import annotations

import pytest

from relhash.biomed.names.surroundings import stands_for_something_else


def is_something_else(marked: str) -> bool:
    """The name stands between bars."""
    before, name, after = marked.split("|")
    return stands_for_something_else(before + name + after, len(before), len(before) + len(name))


@pytest.mark.parametrize(
    "marked",
    [
        "Stat5 binds the |IL-2| response element", "the |interleukin-2| (IL-2) response element", "|PU.1| sites",
        "|NF-kappaB| binding site in the bcl-x promoter", "a |kappaB|-specific oligonucleotide probe", "|AP-1|-like elements",
        "binding sites for |BSAP|", "a site for the transcription factor |Sp1|", "anti-|Fas|", "the |Jak1| antibody",
        "|CD3| monoclonal antibodies", "antibodies to |CD28|", "antisera against the |IL-2 receptor|",
        "mAbs specific for |CD4|", "an |Sp1| motif", "sites for the B cell transcription factor, |BSAP|",
        "upstream of the |LEF-1| and Ets-1 sites", "|Sp1|, AP-2, and kappaB binding sites", "|CD3| and CD28 antibodies",
        "|c-Myc|-tagged Raf", "|HA| epitope-tagged Akt", "|GST|-fused Raf", "a |Gal4| DNA-binding domain", "|FLAG|-Raf",
        "Raf was fused in-frame to |Gal4|", "|His6|-MEK1", "Raf tagged with |Myc|", "|GFP| fusion proteins",
    ],
)  # fmt: skip
def test_part_of_something_else(marked):
    assert is_something_else(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "NFAT binds the |IL-2| promoter", "the |MEK1| inhibitor", "|Sp1| binds sites",
        "the |dystrophin| binding site on syntrophin",
        "a binding site for |transferrin| on TfR", "|IL-2| gene", "|TATA| binding protein", "|Fas| ligand",
        "antibodies inhibit |Fas|",
        "|Raf| and the AP-1 sites", "|Raf| and Mek bind sites", "|Sp1|, which binds sites",
        "|siteless| binds", "|IL-2|, elements of which", "|Ab|",
        "the |Myc|-Max heterodimer", "|GST| binds Raf", "|Raf| fused to Gal4", "|AML1| fusion proteins", "|HA|- and Raf",
    ],
)  # fmt: skip
def test_the_gene_or_its_product(marked):
    assert not is_something_else(marked)


@pytest.mark.parametrize("name", ["IL-2", "A1B2C3D4E5F6", "x-B-c-D-e-F", "1-2-3-4-5-6"])
def test_a_long_list_of_names_takes_no_time(name):
    """A list of 40 cytokines took hours: each could be divided in several ways, and all of these were tried together."""
    assert not is_something_else(f"|TNF|, {', '.join([name] * 400)}, and others were measured")
    assert is_something_else(f"|TNF|, {name}, and {name} sites")
