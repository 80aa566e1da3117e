"""Pairs that a sentence names side by side without relating them."""

from __future__ import annotations

import pytest

from relhash.candidates import Candidate
from relhash.candidates.bystanders import are_bystanders
from relhash.candidates.candidate import TRIGGER
from relhash.corpus import Document, Mention


def pair(marked: str, roles: tuple[str, ...] = ("e1", "e2")) -> Candidate:
    """Two names between bars."""
    pieces = marked.split("|")
    starts = [sum(map(len, pieces[:n])) for n in (1, 3)]
    names = [
        Mention(f"T{n}", "protein", ((start, start + len(name)),), name)
        for n, (start, name) in enumerate(zip(starts, pieces[1::2], strict=True))
    ]
    return Candidate(Document("d", "".join(pieces)), 0, tuple(names), roles)


@pytest.mark.parametrize(
    "marked",
    [
        "the |Jak|-|STAT| pathway", "the |Jak|/|STAT| signal transduction pathways", "|Sp140| was similar to |Sp100|",
        "a greater effect on |IKK1| than on |IKK2|", "|NIK| acted more effectively than mutated |IKK1|",
        "|IL-13R| shows homology with the |IL-5 receptor|", "the |p50| subunit of |NF-kappaB|",
        "|TBP| component of the |TFIID|",
        "|BCR|-|ABL| is inhibited by imatinib", "|PML|/|RAR alpha| blocks differentiation", "the |TEL|-|AML9| fusion protein",
        "|EWS|-|FOO1| (EF) chimeras", "|IL-4|/|IL-13|-induced STAT6 activity", "|LAZ3|/|BCL6| is expressed in B cells",
        "|IL-12| is composed of two |p35| and p40 chains", "|IL-12| consists of p35 and |p40| subunits",
        "|JAK|-|STAT| signaling", "|IL-7| induced the same complexes as |IL-2|", "|Grf40|, a novel |Grb2| family member",
        "a new |Grb2| family member, named |Grf40|", "|Cbl-b|, a homologue of |Cbl|",
        "|TAFII105| is closely related to |TAFII130|",
        "|c-Rel| with delayed kinetics relative to |p65|", "|CD69| expression and |IL-2| production",
    ],
)  # fmt: skip
def test_only_named_together(marked):
    assert are_bystanders(pair(marked))


@pytest.mark.parametrize(
    "marked",
    [
        "the |Jak|-|STAT| complex", "|Jak| and |STAT| pathways", "|TNF| acts on IKK1 more than on |IKK2|",
        "|Grf40| binds a |Grb2| family member", "|STAT3|, a target of the |Src| family", "|JAK| activates |STAT| signaling",
        "|RAF1| binds |MEK1|", "|c-Rel|/|p65| heterodimers", "the |E2F-1|/|DP1| (E1) protein complex", "|Jun|/|Jun| binds DNA",
        "|CDC42|-|WASP| has been identified",
        "|NGF| bound TrkC with lower affinity than |TrkA|", "|p50| binds the subunit of |NF-kappaB|",
        "|IL-15| uses components of |IL-2R|",
        "|IL-12| binds |p40|", "|A| inhibits B, composed of chains, and |C|",
    ],
)  # fmt: skip
def test_perhaps_related(marked):
    assert not are_bystanders(pair(marked))


def test_interactions_have_a_word_that_relates_them():
    assert not are_bystanders(pair("the |Jak|-|activation| pathway", ("cause", TRIGGER)))


def test_a_mention_inside_the_other_is_no_neighbour():
    text = "p50 subunit of NF-kappaB"
    nested = (Mention("1", "protein", ((0, 24),), text), Mention("2", "protein", ((15, 24),), "NF-kappaB"))
    assert not are_bystanders(Candidate(Document("d", text), 0, nested, ("e1", "e2")))
