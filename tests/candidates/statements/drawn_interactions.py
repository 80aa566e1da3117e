"""Annotated interactions whose right reading a person sees at once."""

from __future__ import annotations

from dataclasses import replace

from relhash.candidates import Candidate
from relhash.candidates.statements import InteractionPolicy, TriggerLexicon, interaction_type, participants
from relhash.corpus import Document, Mention, Relation
from relhash.corpus.document import Argument
from tests.candidates.drawn_sentences import draw

LEXICON = TriggerLexicon().extended(
    {
        "Phosphorylation": ["phosphorylates"],
        "Activation": ["activates"],
        "Binding": ["binds", "complex"],
        "Positive_regulation": ["induces", "promotes"],
    }
)

POLICY = InteractionPolicy(LEXICON)

RAS_RAF = """# ::id figure1
# ::snt Activated Ras catalyzes the phosphorylation of Raf.
(c / catalyze-01
   :ARG0 (e / enzyme :name (n / name :op1 "Ras") :ARG1-of (a / activate-01))
   :ARG1 (p / phosphorylate-01 :ARG1 (e2 / enzyme :name (n2 / name :op1 "Raf"))))"""

BINDING = draw(
    "Grb2 promotes binding of Ras to Raf",
    "promotes nsubj Grb2, promotes dobj binding, binding prep_of Ras, binding prep_to Raf",
    ["Grb2", "Ras", "Raf"],
)


def event(identifier: str, kind: str, trigger: str | None, **roles: str) -> Relation:
    return Relation(identifier, kind, tuple(Argument(role, target) for role, target in roles.items()), trigger)


def trigger(document: Document, identifier: str, word: str, kind: str) -> Mention:
    start = document.text.index(word)
    return Mention(identifier, kind, ((start, start + len(word)),), word, is_trigger=True)


def annotated(document: Document, triggers: list[tuple[str, str, str]], events: list[Relation]) -> Document:
    words = tuple(trigger(document, *entry) for entry in triggers)
    return replace(document, mentions=(*document.mentions, *words), relations=tuple(events)).check()


def shown(candidate: Candidate) -> tuple[str, dict[str, str]]:
    return interaction_type(candidate), {role: mention.text for role, mention in participants(candidate).items()}
