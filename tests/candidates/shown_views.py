"""What a view shows of a drawn sentence, on one line."""

from __future__ import annotations

from relhash.candidates import candidates, view
from tests.candidates.drawn_sentences import draw


def show(name, document, number=0, policy=None, **options):
    return " ".join(view(name)(list(candidates([document], policy))[number], **options))


BINDS = draw("Ras binds to Raf .", "binds nsubj Ras, binds prep_to Raf", ["Ras", "Raf"])
NEGATED = draw(
    "However Ras did not bind to the C-terminal domain of Raf in 12 cells .",
    "bind advmod However, bind nsubj Ras, bind aux did, bind neg not, bind prep_to domain, domain det the,"
    "domain amod C-terminal, domain prep_of Raf, bind prep_in cells, cells num 12",
    ["Ras", "Raf"],
)
