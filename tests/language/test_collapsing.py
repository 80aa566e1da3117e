"""Trees drawn by hand in three schemes, and the graph that the Stanford converter would make of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relhash.corpus import Dependency, Sentence, Token
from relhash.language.schemes import (
    collapse,
)
from tests.language.drawn_trees import CRAFT, UD, arcs, sentence

EXPECTED = {"interacts nsubj Ras", "interacts prep_with Raf", "interacts prep_with MEK", "Raf conj_and MEK"}


@pytest.mark.parametrize(
    ("lines", "scheme"), [(CRAFT, "craft"), (CRAFT, "stanford-basic"), (UD, "ud"), (UD.replace("nmod", "obl"), "ud")]
)
def test_prepositions_collapse_and_conjuncts_share_them(lines, scheme):
    assert arcs(collapse(sentence(lines, scheme))) == EXPECTED


@pytest.mark.parametrize(
    ("by", "of"), [("Ras/NN by pobj", "by/IN phosphorylated agent"), ("Ras/NN by pobj", "by/IN phosphorylated prep")]
)
def test_a_passive_has_an_agent(by, of):
    passive = f"Raf/NN phosphorylated nsubjpass\nis/VBZ phosphorylated auxpass\nphosphorylated/VBN - root\n{of}\n{by}"
    expected = {"phosphorylated nsubjpass Raf", "phosphorylated auxpass is", "phosphorylated agent Ras"}
    assert arcs(collapse(sentence(passive, "craft"))) == expected
    # without an auxiliary the converter stays with the preposition, whatever the treebank says
    reduced = f"Raf/NN - root\nphosphorylated/VBN Raf acl\n{of}\n{by}"
    assert arcs(collapse(sentence(reduced, "craft"))) == {"Raf partmod phosphorylated", "phosphorylated prep_by Ras"}


def test_a_passive_of_universal_dependencies():
    lines = "Raf/NN bound nsubj:pass\nis/VBZ bound aux:pass\nbound/VBN - root\nby/IN Ras case\nRas/NN bound obl"
    assert arcs(collapse(sentence(lines, "ud"))) == {"bound nsubjpass Raf", "bound auxpass is", "bound agent Ras"}


def test_copulas_step_down():
    lines = (
        "Ras/NN is nsubj\nis/VBZ - root\nnot/RB is neg\na/DT kinase det\nkinase/NN is attr\nof/IN kinase prep\nRaf/NN of pobj"
    )
    expected = {"kinase nsubj Ras", "kinase cop is", "kinase neg not", "kinase det a", "kinase prep_of Raf"}
    assert arcs(collapse(sentence(lines, "craft"))) == expected


@pytest.mark.parametrize(("before", "label"), [("(", "appos"), (",", "dep")])
def test_only_what_stands_in_parentheses_is_another_name(before, label):
    lines = f"Ras/NN binds nsubj\nbinds/VBZ - root\nRaf/NN binds obj\n{before}/-LRB- Raf1 punct\nRaf1/NN Raf parataxis"
    assert f"Raf {label} Raf1" in arcs(collapse(sentence(lines, "ud")))


def test_there_is_keeps_its_verb():
    lines = "There/EX is expl\nis/VBZ - root\nevidence/NN is attr"
    assert arcs(collapse(sentence(lines, "craft"))) == {"is expl There", "is dep evidence"}


def test_conjoined_verbs_share_their_subject():
    lines = "Ras/NN binds nsubj\nbinds/VBZ - root\nRaf/NN binds dobj\nand/CC binds cc\nactivates/VBZ binds conj"
    lines += "\nMEK/NN activates dobj"
    expected = {"binds nsubj Ras", "binds dobj Raf", "binds conj_and activates", "activates nsubj Ras", "activates dobj MEK"}
    assert arcs(collapse(sentence(lines, "craft"))) == expected


def test_a_chain_of_conjuncts_hangs_on_the_first():
    lines = "binds/VBZ - root\nA/NN binds dobj\n,/, A punct\nB/NN A conj\nor/CC B cc\nC/NN B conj"
    expected = {"binds dobj A", "binds dobj B", "binds dobj C", "A conj_or B", "A conj_or C"}
    assert arcs(collapse(sentence(lines, "craft"))) == expected


@pytest.mark.parametrize(("words", "name"), [("but/CC A cc\nnot/RB B neg", "negcc"), ("&/CC A cc", "&")])
def test_names_of_conjunctions(words, name):
    collapsed = arcs(collapse(sentence(f"A/NN - root\n{words}\nB/NN A conj", "craft")))
    assert f"A conj_{name} B" in collapsed


def test_as_well_as_joins_like_and():
    lines = "A/NN - root\nas/RB well advmod\nwell/RB as#1 advmod\nas/IN A cc\nB/NN A conj"
    assert "A conj_and B" in arcs(collapse(sentence(lines, "craft")))


def test_prepositions_of_several_words():
    nested = "acts/VBZ - root\nbecause/IN acts prep\nof/IN because prep\nRas/NN of pobj"
    flat = "acts/VBZ - root\nbecause/IN Ras case\nof/IN because mwe\nRas/NN acts nmod"
    bare = "acts/VBZ - root\nbecause/IN acts prep\nof/IN because pcomp\nRas/NN because pobj"
    for lines, scheme in ((nested, "craft"), (flat, "ud"), (bare, "craft")):
        assert arcs(collapse(sentence(lines, scheme))) == {"acts prep_because_of Ras"}


def test_prepositions_before_a_clause():
    craft = "acts/VBZ - root\nby/IN acts prep\nbinding/VBG by pcomp\nRaf/NN binding dobj"
    ud = "acts/VBZ - root\nby/IN binding mark\nbinding/VBG acts advcl\nRaf/NN binding dobj"
    for lines, scheme in ((craft, "craft"), (ud, "ud")):
        assert arcs(collapse(sentence(lines, scheme))) == {"acts prepc_by binding", "binding dobj Raf"}


def test_a_repeated_preposition_keeps_its_own_name():
    craft = "acts/VBZ - root\nin/IN acts prep\nA/NN in pobj\nand/CC in cc\nat/IN in conj\nB/NN at pobj"
    assert {"acts prep_in A", "acts prep_at B"} <= arcs(collapse(sentence(craft, "craft")))
    ud = "acts/VBZ - root\nin/IN A case\nA/NN acts nmod\nand/CC A cc\nat/IN B case\nB/NN A conj"
    assert arcs(collapse(sentence(ud, "ud"))) == {"acts prep_in A", "acts prep_at B", "A conj_and B"}


def test_modifiers_of_a_preposition_move_to_its_object():
    lines = "acts/VBZ - root\nonly/RB in advmod\nin/IN acts prep\ncells/NNS in pobj"
    assert arcs(collapse(sentence(lines, "craft"))) == {"acts prep_in cells", "cells advmod only"}


def test_a_preposition_without_object_stays():
    assert arcs(collapse(sentence("binds/VBZ - root\nto/IN binds prep", "craft"))) == {"binds prep to"}


def test_relative_clauses_get_their_subject():
    for scheme, label in (("craft", "relcl"), ("stanford-basic", "rcmod"), ("ud", "acl:relcl")):
        lines = f"Raf/NN - root\nwhich/WDT binds nsubj\nbinds/VBZ Raf {label}\nRas/NN binds dobj"
        assert arcs(collapse(sentence(lines, scheme))) == {
            "Raf rcmod binds",
            "binds rel which",
            "binds nsubj Raf",
            "binds dobj Ras",
        }


def test_infinitives_get_their_subject_from_outside():
    lines = (
        "Ras/NN shown nsubjpass\nwas/VBD shown auxpass\nshown/VBN - root\nto/TO bind aux\nbind/VB shown xcomp\nRaf/NN bind dobj"
    )
    assert "bind xsubj Ras" in arcs(collapse(sentence(lines, "stanford-basic")))


def test_names_of_modifiers():
    craft = "protein/NN kinases compound\ntwo/CD kinases nummod\nkinases/NNS - root"
    ud = craft
    basic = "protein/NN kinases nn\ntwo/CD kinases num\nkinases/NNS - root"
    expected = {"kinases nn protein", "kinases num two"}
    for lines, scheme in ((craft, "craft"), (ud, "ud"), (basic, "stanford-basic")):
        assert arcs(collapse(sentence(lines, scheme))) == expected


def test_hyphenated_words():
    lines = "GTP/NN bound npadvmod\n-/HYPH bound punct\nbound/VBN Ras amod\nRas/NN - root"
    assert arcs(collapse(sentence(lines, "craft"))) == {"bound hyphen GTP", "Ras amod bound"}


WORDS = ["Ras", "binds", "of", "by", "to", "is", "and", "which", "(", "-", "that"]


TAGS = ["NN", "VBZ", "VBG", "VBN", "IN", "TO", "CC", "WDT", "JJ", "CD", "POS"]


LABELS = {
    "craft": "prep pobj pcomp agent dative conj cc attr acomp nsubj dobj relcl acl advcl nmod compound xcomp mark aux auxpass "
    "punct case parataxis mwe dep",
    "ud": "case nmod obl nmod:poss mark conj cc acl acl:relcl advcl nsubj nsubj:pass aux:pass obj xcomp fixed mwe punct cop",
}


@st.composite
def trees(draw):
    scheme = draw(st.sampled_from(list(LABELS)))
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(size)))  # each token hangs on one before it in this order: always a tree
    label = st.sampled_from(LABELS[scheme].split())
    dependencies = [Dependency(order[draw(st.integers(0, i - 1))], order[i], draw(label), scheme) for i in range(1, size)]
    tokens = tuple(Token(i, i, draw(st.sampled_from(WORDS)), draw(st.sampled_from(TAGS))) for i in range(size))
    return Sentence("s", 0, size, tokens, tuple(dependencies), "random")


@settings(max_examples=300)
@given(trees())
def test_any_tree_collapses_to_a_graph(tree):
    collapsed = collapse(tree)
    assert len(set(collapsed.dependencies)) == len(collapsed.dependencies)
    for arc in collapsed.dependencies:
        assert 0 <= arc.head < len(tree.tokens)
        assert 0 <= arc.dependent < len(tree.tokens)
        assert arc.head != arc.dependent
        assert arc.label
    assert collapse(tree) == collapsed
