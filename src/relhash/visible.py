"""Characters that cannot be seen, made visible: a page must not show something other than what the text says.

Control characters become their pictures (``␀``). Characters that turn the direction of writing could make a sentence read
backwards (CVE-2021-42574, "Trojan source"); they become their code, as do lone halves of surrogate pairs, which no file can
hold.
"""

from __future__ import annotations

import re
from html import escape

_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def visible(text: str) -> str:
    """The text with every invisible character shown.

    >>> visible("a\\x00b\\u202ec\\td")
    'a␀b⟨U+202E⟩c␉d'
    """
    return _UNSEEN.sub(_picture, text)


def visible_lines(text: str) -> str:
    """The same for a table or a file that a terminal shows: tabs and line ends stay."""
    return _UNSEEN.sub(lambda match: match[0] if match[0] in "\t\n" else _picture(match), text)


def shown(text: object) -> str:
    """Any text, safe in an element or an attribute of a page, where a line end is a blank.

    >>> shown("<b>\\u202e")
    '&lt;b&gt;⟨U+202E⟩'
    >>> shown("a heading\\nand a sentence")
    'a heading\\nand a sentence'
    """
    return escape(visible_lines(str(text)))


def _picture(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else f"⟨U+{code:04X}⟩"
