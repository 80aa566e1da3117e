"""Text as a page may show it, with offsets that still fit: what cannot be seen is made visible (:mod:`relhash.visible`)."""

from __future__ import annotations

from collections.abc import Iterable

from relhash.visible import visible

_BLANK = str.maketrans("\t\r\n\x0b\x0c", "     ")


class ShownText:
    """A stretch of text for a page, and where its characters have gone.

    >>> shown = ShownText("a\\u202eb c", keep_lines=False)
    >>> shown.text, shown.spans([(2, 3)])
    ('a⟨U+202E⟩b c', [[9, 10]])
    """

    def __init__(self, text: str, *, keep_lines: bool = False) -> None:
        plain = text if keep_lines else text.translate(_BLANK)
        self._places: list[int] | None = None
        lines = [visible(line) for line in plain.split("\n")]
        self.text = "\n".join(lines)
        if len(self.text) != len(text):
            self._places = [0]
            for character in plain:
                self._places.append(self._places[-1] + (1 if character == "\n" else len(visible(character))))

    def at(self, offset: int) -> int:
        """Where a character of the text stands now."""
        return offset if self._places is None else self._places[min(max(offset, 0), len(self._places) - 1)]

    def spans(self, spans: Iterable[tuple[int, int]], start: int = 0) -> list[list[int]]:
        """Spans that count from ``start``, as they are now."""
        return [[self.at(begin - start), self.at(end - start)] for begin, end in spans]
