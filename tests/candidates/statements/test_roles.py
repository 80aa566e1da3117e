"""Views aligned by role."""

from __future__ import annotations

import numpy as np
import pytest

from relhash.candidates import build_structures, candidates
from relhash.candidates.statements import InteractionPolicy, TriggerLexicon, interaction_candidates, role_views
from relhash.errors import StructureError
from relhash.kernels import PathKernel, WordSimilarity
from relhash.language.amr.documents import amr_document
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import BINDING, POLICY, RAS_RAF, shown


def test_the_valid_reading_is_nearer_to_a_valid_one_of_another_sentence() -> None:
    other = amr_document(RAS_RAF.replace("Ras", "MEK").replace("Raf", "ERK").replace("catalyze", "mediate"))
    views = role_views(["cause", "theme", "theme2"])
    X = build_structures(interaction_candidates([amr_document(RAS_RAF)], POLICY), views)
    valid = [
        c for c in interaction_candidates([other], POLICY) if shown(c) == ("Phosphorylation", {"cause": "MEK", "theme": "ERK"})
    ]
    kernel, references = PathKernel(WordSimilarity()), build_structures(valid, views)
    similarities = np.mean([kernel.gram(X[view], references[view])[:, 0] for view in views], axis=0)
    labels = [shown(c) for c in interaction_candidates([amr_document(RAS_RAF)], POLICY)]
    assert labels[int(np.argmax(similarities))] == ("Phosphorylation", {"cause": "Ras", "theme": "Raf"})


def test_one_sequence_shows_all_participants_in_the_order_of_roles() -> None:
    found = list(interaction_candidates([BINDING], InteractionPolicy(TriggerLexicon().extended({"Binding": ["binding"]}))))
    structures = build_structures(found, ["interaction"])
    by_roles = {frozenset(shown(c)[1].items()): structures["interaction"][n] for n, c in enumerate(found)}
    assert by_roles[frozenset({("theme", "Ras"), ("theme2", "Raf")})] == [
        "<THEME>", "<prep_of", "<BINDING>", "binding", "prep_to>", "<THEME2>",
    ]  # fmt: skip
    assert by_roles[frozenset({("cause", "Grb2"), ("theme", "Ras"), ("theme2", "Raf")})] == [
        "<CAUSE>", "<nsubj", "promotes", "dobj>", "<BINDING>", "binding", "prep_of>", "<THEME>",
        "binding", "prep_to>", "<THEME2>",
    ]  # fmt: skip
    passive = draw(
        "Raf is phosphorylated by Ras", "phosphorylated nsubjpass Raf, phosphorylated agent Ras, phosphorylated aux is",
        ["Raf", "Ras"],
    )  # fmt: skip
    (swapped, valid) = sorted(interaction_candidates([passive], POLICY), key=lambda c: shown(c)[1]["cause"])
    shapes = build_structures([valid, swapped], ["interaction"])["interaction"]
    assert shapes[0] == ["<CAUSE>", "<agent", "<PHOSPHORYLATION>", "phosphorylated", "nsubjpass>", "<THEME>"]
    assert shapes[1] == ["<CAUSE>", "<nsubjpass", "<PHOSPHORYLATION>", "phosphorylated", "agent>", "<THEME>"]
    with pytest.raises(StructureError, match="no trigger"):
        build_structures(candidates([BINDING]), ["interaction"])


def test_participants_joined_below_the_trigger() -> None:
    document = draw(
        "binding of the Ras Raf complex",
        "binding prep_of complex, complex nn Ras, complex nn Raf, complex det the",
        ["Ras", "Raf"],
    )
    policy = InteractionPolicy(TriggerLexicon().extended({"Binding": ["binding"]}))
    structures = build_structures(interaction_candidates([document], policy), role_views(["theme", "theme2"]))
    assert structures["role(theme)"][0] == ["<BINDING>", "binding", "prep_of>", "complex", "nn>", "<THEME>"]
    assert structures["role(theme,theme2)"][0] == ["<THEME>", "<nn", "complex", "nn>", "<THEME2>"]


def test_the_ordinary_views_show_the_trigger_by_its_word() -> None:
    document = draw("Ras phosphorylates Raf", "phosphorylates nsubj Ras, phosphorylates dobj Raf", ["Ras", "Raf"])
    (candidate, *_) = interaction_candidates([document], POLICY)
    structures = build_structures([candidate], ["path+edges", "between", "window(1,1)", "descriptors"])
    assert structures["path+edges"][0] == ["<CAUSE>", "<nsubj", "phosphorylates", "dobj>", "<THEME>"]
    assert structures["between"][0] == ["<CAUSE>", "phosphorylates", "<THEME>"]


def test_a_pair_is_the_special_case() -> None:
    apart = draw("Grb2 binds Ras and Raf", "binds nsubj Grb2, binds dobj Ras", ["Grb2", "Ras", "Raf"])  # no path to Raf
    structures = build_structures(candidates([BINDING, apart]), ["path+edges", "role(e1,e2)"])
    assert structures["path+edges"] == structures["role(e1,e2)"]
    assert any("<DISCONNECTED>" in sequence for sequence in structures["path+edges"])
    with pytest.raises(StructureError, match="no trigger"):
        build_structures(candidates([BINDING]), ["role(e1)"])
