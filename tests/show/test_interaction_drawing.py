"""Interactions as pictures: every role an arc, inner interactions reached by their trigger."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from relhash.candidates.statements import InteractionPolicy, interaction_candidates, with_interactions
from relhash.corpus import Document
from relhash.errors import StructureError
from relhash.show.sentence_drawing import draw_interactions
from tests.candidates.drawn_sentences import draw
from tests.candidates.statements.drawn_interactions import BINDING, LEXICON, shown
from tests.candidates.statements.test_output import FOXP3
from tests.show.test_interaction_rows import KINASE, row

NAME = "{http://www.w3.org/2000/svg}"
IMAGES = Path(__file__).parents[2] / "docs" / "images"


WORDS = LEXICON.extended({"Gene_expression": ["expression"], "Positive_regulation": ["induced"], "Binding": ["binding"]})


def accepted(document: Document, *wanted: tuple[str, dict[str, str]]) -> Document:
    found = interaction_candidates([document], InteractionPolicy(WORDS, one_participant=True))
    return with_interactions(document, [one for one in found if shown(one) in wanted])


def nested() -> Document:
    expression = ("Gene_expression", {"theme": "FOXP3"})
    return accepted(FOXP3, ("Positive_regulation", {"cause": "IL-4", "theme": "FOXP3"}), expression)


def binding() -> Document:
    regulation = [("Positive_regulation", {"cause": "Grb2", "theme": name}) for name in ("Ras", "Raf")]
    return accepted(BINDING, ("Binding", {"theme": "Ras", "theme2": "Raf"}), *regulation)


def negated() -> Document:
    document = draw(
        "IKKbeta does not phosphorylate RPS3",
        "phosphorylate nsubj IKKbeta, phosphorylate aux does, phosphorylate neg not, phosphorylate dobj RPS3",
        ["IKKbeta", "RPS3"],
    )
    found = list(interaction_candidates([document], InteractionPolicy(WORDS)))
    (stated,) = [one for one in found if shown(one) == ("Phosphorylation", {"cause": "IKKbeta", "theme": "RPS3"})]
    return with_interactions(document, [stated], {stated.key: [("Negation", "")]})


def test_a_denied_interaction_is_told_from_a_stated_one() -> None:
    assert ">Phosphorylation, negated</text>" in draw_interactions(negated())
    assert "negated" not in draw_interactions(replace(negated(), attributes=()))


def test_a_nested_interaction_is_drawn_through_its_trigger() -> None:
    picture = ElementTree.fromstring(draw_interactions(nested()))
    arcs = [group.find(f"{NAME}text").text for group in picture.iter(f"{NAME}g") if group.get("class") == "arc"]  # type: ignore[union-attr]
    assert sorted(arcs) == ["Cause", "Theme", "Theme"]
    boxes = [group.get("class") for group in picture.iter(f"{NAME}g") if group.find(f"{NAME}rect") is not None]
    assert boxes == ["participant", "trigger", "trigger", "participant"]
    assert picture.get("aria-label", "").endswith("Positive_regulation(Theme: Gene_expression(Theme: FOXP3), Cause: IL-4)")


def test_markup_in_text_stays_text_and_long_text_is_refused() -> None:
    picture = draw_interactions(Document("d", "<b> & Ras"))
    assert "&lt;b&gt;" in picture
    assert ElementTree.fromstring(picture) is not None
    with pytest.raises(StructureError, match="fits no picture"):
        draw_interactions(Document("d", "word " * 100))


def test_a_trigger_inside_a_name_has_a_box_of_its_own() -> None:
    picture = draw_interactions(row(KINASE, "kinase", cause="RPS3 kinase", theme="IKKbeta"))
    assert re.findall(r'<g class="(\w+)"><rect.*?<text[^>]*>([^<]*)', picture) == [
        ("participant", "RPS3"), ("trigger", "kinase"), ("participant", "IKKbeta"),
    ]  # fmt: skip
    assert picture.count('class="arc"') == 2


PICTURES = [("interaction-nested", nested()), ("interaction-binding", binding()), ("interaction-negated", negated())]


@pytest.mark.parametrize(("name", "document"), PICTURES)
def test_the_pictures_of_the_docs_are_drawn_by_this_code(name: str, document: Document) -> None:
    assert (IMAGES / f"{name}.svg").read_text(encoding="utf-8") == draw_interactions(document) + "\n"
