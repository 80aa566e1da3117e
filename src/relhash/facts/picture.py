"""The network of facts as a picture of its own, for a slide or a paper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO

from relhash.facts.drawing import MOST_EDGES, draw_network
from relhash.facts.merging import Fact

_STYLE = (
    "text{font:12px sans-serif;fill:#1d2026;paint-order:stroke;stroke:#fff;stroke-width:3px;text-anchor:middle}"
    "line,path.loop{stroke:#0b62a8;fill:none}.doubtful{stroke-dasharray:5 4}.denied{stroke:#a33b2a}"
    "circle{fill:#0a3f6e;stroke:#fff;stroke-width:1.5}marker path{fill:#0b62a8}"
)
"""The colours of the page in light."""


def write_picture(facts: Sequence[Fact], handle: IO[bytes], title: str = "") -> int:
    """Draw the facts that deserve most belief, as many as a picture can show, and count them."""
    handle.write(draw_network(facts, link=None, style=_STYLE).encode())
    return min(len(facts), MOST_EDGES)
