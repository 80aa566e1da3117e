"""Evidence for the terminal: the sentence with its entities coloured, the path on one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from relhash.visible import visible

if TYPE_CHECKING:
    from rich.text import Text

    from relhash.candidates.evidence import Evidence

PIECES = {"participant": "bold cyan", "entity": "blue", "path": "bold", "text": ""}
STATIONS = {"participant": "bold cyan", "entity": "blue", "word": "bold", "up": "dim", "down": "dim"}


def sentence_text(shown: Evidence) -> Text:
    """The sentence, coloured."""
    from rich.text import Text

    return Text.assemble(*((visible(piece.text), PIECES[piece.kind]) for piece in shown.sentence))


def marked_text(marked: str) -> Text:
    """A sentence with marks, which stay, its entities coloured."""
    from rich.text import Text

    from relhash.model.tables.marked_text import marked_pieces

    pieces = [
        (f"[E{piece.entity}]{visible(piece.text)}[/E{piece.entity}]", PIECES["participant"])
        if piece.entity
        else (visible(piece.text), "")
        for piece in marked_pieces(marked)
    ]
    return Text.assemble(*pieces)


def path_text(shown: Evidence) -> Text:
    """The path on one line: ``Ras ←nsubj binds dobj→ Raf``."""
    from rich.text import Text

    arrows = {"up": "←{}", "down": "{}→"}
    return Text(" ").join(
        Text(arrows.get(station.kind, "{}").format(visible(station.text)), STATIONS[station.kind]) for station in shown.path
    )
