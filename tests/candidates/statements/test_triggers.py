"""Trigger words: what is learned from events, and where it is found again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from relhash.candidates.scene import Stage
from relhash.candidates.statements.triggers import TriggerLexicon, frame_triggers, trigger_of
from relhash.corpus import Document, Mention, Relation
from relhash.corpus.document import Argument
from relhash.errors import ParameterError
from relhash.language.amr.documents import amr_document
from relhash.language.words import stem
from tests.candidates.drawn_sentences import draw


def with_event(document: Document, word: str, kind: str, *, causes: bool = True) -> Document:
    """``word`` triggers an event about T1, caused by the last word of the text."""
    start = document.text.index(word)
    last = document.text.rindex(" ") + 1
    cause = Mention("T8", "protein", ((last, len(document.text)),), document.text[last:])
    trigger = Mention("T9", kind, ((start, start + len(word)),), word, is_trigger=True)
    arguments = (Argument("Theme", "T1"), *([Argument("Cause", "T8")] if causes else []))
    event = Relation("E1", kind, arguments, "T9")
    return replace(document, mentions=(*document.mentions, trigger, cause), relations=(event,))


def test_words_are_learned_with_the_share_of_their_occurrences() -> None:
    documents = [
        with_event(draw("Ras binds Raf", names=["Ras"], identifier="a"), "binds", "Binding"),
        with_event(draw("Ras binding to Raf", names=["Ras"], identifier="b"), "binding", "Binding"),
        draw("Ras binds nothing", names=["Ras"], identifier="c"),
    ]
    lexicon = TriggerLexicon.learn(documents)
    assert lexicon.types == ("Binding",)
    assert lexicon.types_of("bind") == (("Binding", pytest.approx(2 / 3)),)
    smoothed = (1 + 2 * 2 / 3) / (2 + 2)  # once of two times, and the share of the stem as if seen twice
    assert lexicon.types_of("binds") == (("Binding", pytest.approx(smoothed)),)
    assert len(TriggerLexicon.learn(documents, min_count=3)) == 0
    assert len(TriggerLexicon.learn(documents, min_share=0.7)) == 0


def test_events_about_one_participant_teach_words_too() -> None:
    """*inhibiting* without a named cause here is one with a cause elsewhere: a fifth of all triggers were missed."""
    document = with_event(draw("expression of Ras", names=["Ras"]), "expression", "Gene_expression", causes=False)
    assert TriggerLexicon.learn([document]).types_of("expressed") == (("Gene_expression", 1.0),)
    assert TriggerLexicon.learn([document], min_share=1).types == ("Gene_expression",)


def test_a_word_that_names_nothing_is_not_judged_by_its_stem() -> None:
    documents = [
        with_event(draw("Ras promotes Raf", names=["Ras"], identifier=str(n)), "promotes", "Positive") for n in range(4)
    ]
    documents += [draw("the Ras promoter", names=["Ras"], identifier=f"p{n}") for n in range(9)]
    lexicon = TriggerLexicon.learn(documents)
    assert lexicon.types_of("promotes") == (("Positive", pytest.approx((4 + 2 * 4 / 13) / 6)),)
    assert lexicon.types_of("promoter") == ()
    assert lexicon.types_of("promoted") == (("Positive", pytest.approx(4 / 13)),)


def test_a_document_without_sentences_is_learned_from() -> None:
    documents = [replace(with_event(draw("Ras binds Raf", names=["Ras"]), "binds", "Binding"), sentences=())] * 2
    assert TriggerLexicon.learn(documents).types_of("bound") == ()
    assert TriggerLexicon.learn(documents).types_of("Binding") == (("Binding", 1.0),)


def test_of_several_words_the_head_is_the_trigger() -> None:
    document = draw("complex formation of Ras", "formation nn complex, formation prep_of Ras", ["Ras"])
    lexicon = TriggerLexicon.learn([with_event(document, "complex formation", "Binding")], min_count=1)
    assert lexicon.types_of("forms") == (("Binding", 1.0),)
    assert lexicon.types_of("complex") == ()


def test_a_user_extends_a_lexicon() -> None:
    lexicon = TriggerLexicon(stems={stem("activates"): {"Positive_regulation": 0.5}})
    wider = lexicon.extended({"Activation": ["activates"], "Binding": "dock"})
    assert wider.types_of("activation") == (("Activation", 1.0), ("Positive_regulation", 0.5))
    assert wider.types_of("docking")[0][0] == "Binding"
    assert lexicon.types == ("Positive_regulation",)
    with pytest.raises(ParameterError, match="empty word"):
        lexicon.extended({"Binding": [" "]})


def test_words_of_entities_are_no_triggers() -> None:
    document = draw("activation of GTPase activating protein", names=["GTPase activating protein"])
    lexicon = TriggerLexicon().extended({"Activation": ["activation"]})
    assert [trigger.token for trigger in lexicon.find(Stage(document))] == [0]


def test_frames_of_a_meaning_graph_name_their_own_type() -> None:
    graph = '# ::snt Ras activates cells\n(a / activate-01 :ARG0 (p / protein :name (n / name :op1 "Ras")) :ARG1 (c / cell))'
    stage = Stage(amr_document(graph))
    assert [(stage.words[trigger.token], trigger.type) for trigger in frame_triggers(stage)] == [("activate", "activate")]
    assert list(frame_triggers(Stage(draw("Ras binds", "binds nsubj Ras", ["Ras"], tags="NN VB")))) == []
    learned = TriggerLexicon().extended({"Positive_regulation": ["activation"]})
    assert [trigger.type for trigger in learned.find(stage)] == ["Positive_regulation"]


def test_without_a_parse_the_nearest_word_that_names_it_is_the_trigger() -> None:
    stage = Stage(draw("binding was lost , and Ras now binds Raf", names=["Ras", "Raf"]))
    lexicon = TriggerLexicon().extended({"Binding": ["binding"]})
    assert trigger_of(stage, "Binding", stage.document.mentions, lexicon) == stage.words.index("binds")


def test_the_nearest_word_in_the_parse_is_the_trigger() -> None:
    """*binding* stands nearer to both, but in no tree with them."""
    arcs = "binds nsubj Ras, binds dobj Raf, binds advmod now, was nsubj binding"
    stage = Stage(draw("now binds , Ras binding Raf was", arcs, ["Ras", "Raf"]))
    lexicon = TriggerLexicon().extended({"Binding": ["binding"]})
    assert trigger_of(stage, "Binding", stage.document.mentions, lexicon) == stage.words.index("binds")


def test_parameters_are_checked() -> None:
    with pytest.raises(ParameterError, match="min_share"):
        TriggerLexicon.learn([], min_share=2)


def test_a_word_that_was_never_seen_may_name_what_words_of_its_kind_do() -> None:
    lexicon = TriggerLexicon(stems={"bind": {"Binding": 1.0}}, unseen={"verb": {"Binding": 0.25}, "noun": {"Regulation": 0.5}})
    stage = Stage(draw("Ras zaps Raf upon zapation in vivo", names=["Ras", "Raf"], tags="NN VBZ NN IN NN FW FW"))
    assert [(stage.words[one.token], one.type, one.share) for one in lexicon.find(stage)] == [
        ("zaps", "Binding", 0.25), ("zapation", "Regulation", 0.5),
    ]  # fmt: skip


def test_words_seen_seldom_tell_what_unseen_ones_may_name() -> None:
    documents = [
        with_event(draw(f"Ras {word} Raf", names=["Ras"], tags="NN VBZ NN", identifier=word), word, "Binding")
        for word in ("binds", "docks", "joins")
    ]
    assert TriggerLexicon.learn(documents).unseen == {"verb": {"Binding": 1.0}}
