"""Signs composed of the words between two entities."""

from __future__ import annotations

import pytest

import relhash
from relhash.candidates.scene import Stage
from relhash.candidates.statements.statement import compose
from relhash.candidates.statements.types import shipped_types
from relhash.corpus.document import Document, Mention
from relhash.language import Pipeline
from relhash.language.schemes import collapse_document


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return Pipeline(blind=True)


@pytest.mark.parametrize(
    ("text", "names", "trigger", "sign", "aspect", "perturbation"),
    [
        ("Loss of Smad4 enhances EGFR expression.", ("Smad4", "EGFR"), "enhances", -1, "amount", "Loss of"),
        ("MKP-2 effectively inactivated ERK2.", ("MKP-2", "ERK2"), "inactivated", -1, "", ""),
        ("AKT binds MDM2, thereby promoting p53 degradation.", ("MDM2", "p53"), "promoting", -1, "amount", ""),
        ("The EGFR inhibitor suppressed ERK phosphorylation.", ("EGFR", "ERK"), "suppressed", 1, "activity", "inhibitor"),
        ("The drug blocked STAT3 phosphorylation downstream of IL-6.", ("IL-6", "STAT3"), "blocked", 1, "activity", ""),
        ("Smad4-deficient cells showed increased EGFR levels.", ("Smad4", "EGFR"), "increased", -1, "amount", "deficient"),
        ("A20 prevents the inhibition of p53 by MDM2.", ("A20", "p53"), "prevents", 1, "", ""),
        ("A20 prevents the inhibition of p53 by MDM2.", ("MDM2", "p53"), "inhibition", -1, "", ""),
        ("Smad4 suppresses growth and increases EGFR.", ("Smad4", "EGFR"), "increases", 1, "", ""),
        ("IL-1 induces translocation of RELA.", ("IL-1", "RELA"), "induces", 1, "localization", ""),
        ("Down regulation of Smad4 inhibits EGFR.", ("Smad4", "EGFR"), "inhibits", 1, "", "Down regulation of"),
        ("Down-regulation of Smad4 inhibits EGFR.", ("Smad4", "EGFR"), "inhibits", 1, "", "Down-regulation of"),
        ("A down-regulation of Smad4 inhibits EGFR.", ("Smad4", "EGFR"), "inhibits", 1, "", "down-regulation of"),
        ("HDAC1 and PI3K inhibitors activate FOXO3.", ("HDAC1", "FOXO3", "PI3K"), "activate", -1, "", "inhibitors"),
        ("IL-2 deprivation raises the level of RC3.", ("IL-2", "RC3"), "raises", -1, "amount", "deprivation"),
        ("RAF1 negatively regulates MEK1 activity.", ("RAF1", "MEK1"), "regulates", -1, "activity", ""),
    ],
)
def test_words_on_the_way_multiply(
    pipeline: Pipeline, text: str, names: tuple[str, ...], trigger: str, sign: int, aspect: str, perturbation: str
) -> None:
    mentions = tuple(
        Mention(f"T{number}", "protein", ((text.index(name), text.index(name) + len(name)),), name)
        for number, name in enumerate(names)
    )
    stage = Stage(collapse_document(pipeline(Document("d", text, mentions=mentions))))
    word = next(number for number, token in enumerate(stage.tokens) if token.text == trigger)
    found = compose(stage, *mentions[:2], word)
    assert (found.sign, found.aspect, found.perturbation) == (sign, aspect, perturbation)


def test_other_vocabularies_name_the_same_types() -> None:
    types = shipped_types()
    assert [types.named(word).name for word in ("binds", "INHIBITOR", "directlyIncreases", "biolink:regulates")] == [
        "Complex", "Inhibition", "Activation", "Regulation",
    ]  # fmt: skip


def test_what_moves_is_translocated_whatever_word_says_that_it_is_made_to() -> None:
    assert shipped_types().stated("Positive_regulation", 1, "localization").name == "Translocation"


def test_rows_of_events_say_what_they_state() -> None:
    said = relhash.load("events", cache=False).predict("Loss of Smad4 enhances EGFR expression.")
    rows = [one.as_row() for one in said if one.relation == "Positive_regulation" and len(one.candidate.mentions) == 3]
    assert [(row["statement"], row["sign"], row["perturbation"]) for row in rows] == [("DecreaseAmount", "negative", "Loss of")]
