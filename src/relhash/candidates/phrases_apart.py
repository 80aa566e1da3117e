"""Two names in phrases of their own, which one sentence puts side by side.

Each has a process of its own (*activation of Jak1 and phosphorylation of Stat1*) or a clause of its own (*TNF fell, whereas
IL-10 rose*), both are said to do the same (*IL-4- and IL-13-induced genes*), or one only says which cells are meant (*in
IL-2-stimulated cells*).
"""

from __future__ import annotations

import re

from relhash.candidates.cell_markers import CELLS
from relhash.corpus.document import Mention

_AND = r"(?:,|,? and|,? or|,? as well as)\s"
_DONE_BY = (
    r"-(?:(?:in)?dependent|induced|inducible|mediated|stimulated|activated|regulated|responsive|specific|deficient|driven|"
    r"sensitive|treated)\b"
)
_AND_OTHERS = re.compile(rf"(?P<how>{_DONE_BY}|-)(?:{_AND}[\w./+-]+(?:\s[\w./+-]+)?){{0,6}}?{_AND}")
_DONE = re.compile(_DONE_BY)
_PROCESS = (
    r"(?:(?:in)?activation|function|(?:de)?phosphorylation|expression|induction|production|secretion|transcription|inhibition|"
    r"stimulation|release|synthesis|levels?|activit(?:y|ies)|mRNAs?|degradation|accumulation|translocation|"
    r"(?:up|down)-?regulation)"
)
_BEFORE_OF = re.compile(rf"\b{_PROCESS} of\s(?:the\s)?(?:[\w-]+(?:,| and)\s)?$")
_AND_ANOTHER_OF = re.compile(rf"(?:(?:,| and)\s[\w-]+)?(?:\s[\w-]+)?{_AND}(?:the\s)?(?:[\w-]+\s)?{_PROCESS} of\s(?:the\s)?")
_AND_ANOTHER = re.compile(rf"(?:\s{_PROCESS})+{_AND}(?:[\w-]+\s)?")
_ITS_OWN = re.compile(rf"(?:\s(?:mRNA|gene|protein))?\s{_PROCESS}\b")
_BEFORE_A_CONTRAST = re.compile(r"[,;]\s(?:while|whereas)\b[^,;]*$")
"""No comma after it: "Jak1, whereas Stat1, like Jak2, …" may come back to what was said before."""
_SUCH_CELLS = re.compile(
    r"-(?:stimulated|treated|activated|primed|pulsed|deprived|starved|expressing|positive)(?:\s[\w+/-]+){0,3}?\s"
    rf"(?:{CELLS}|(?:fibroblast|blast|neutrophil|line|culture|animal)s?|mice)\b"
)
_IN = re.compile(r"\b(?:in|of|from|on|by|using|with|to|and|or)(?:\s[\w-]+){0,2}\s$")
"""The cells are where something happens: "TNF-treated cells make IL-6" says more than that."""
_FAR = 60
"""Characters before a name that are looked at."""


def stand_apart(text: str, first: Mention, second: Mention) -> bool:
    """Whether two names, the first before the second, stand in phrases of their own.

    >>> def apart(text: str, *names: str) -> bool:
    ...     return stand_apart(text, *(Mention(n, "protein", ((text.index(n), text.index(n) + len(n)),), n) for n in names))
    >>> apart("activation of Jak1 and phosphorylation of Stat1", "Jak1", "Stat1")
    True
    >>> apart("IL-4- and IL-13-induced genes", "IL-4", "IL-13"), apart("IL-4-induced, Stat6-dependent genes", "IL-4", "Stat6")
    (True, False)
    >>> apart("TNF was lower, whereas IL-10 was higher", "TNF", "IL-10")
    True
    >>> apart("Ras was found in IL-2-deprived cells", "Ras", "IL-2"), apart("IL-2-treated cells make Ras", "IL-2", "Ras")
    (True, False)
    """
    between = text[first.end : second.start]
    return (
        _do_the_same(text, between, second)
        or _have_their_own(text, first, between, second)
        or _BEFORE_A_CONTRAST.search(between) is not None
        or _names_cells(text, first)
        or _names_cells(text, second)
    )


def _do_the_same(text: str, between: str, second: Mention) -> bool:
    """Two descriptions of one thing: "IL-4- and IL-13-induced genes"; not "IL-4-induced, STAT6-dependent genes"."""
    first, last = _AND_OTHERS.fullmatch(between), _DONE.match(text, second.end)
    if first is None or last is None:
        return False
    return first["how"] in ("-", last.group()) or {first["how"], last.group()} == {"-dependent", "-independent"}


def _have_their_own(text: str, first: Mention, between: str, second: Mention) -> bool:
    """Two processes, one after the other: "CD69 expression and IL-2 production"."""
    if _AND_ANOTHER.fullmatch(between):
        return _ITS_OWN.match(text, second.end) is not None
    before = text[max(0, first.start - _FAR) : first.start]
    return _AND_ANOTHER_OF.fullmatch(between) is not None and _BEFORE_OF.search(before) is not None


def _names_cells(text: str, mention: Mention) -> bool:
    before = text[max(0, mention.start - _FAR) : mention.start]
    return _SUCH_CELLS.match(text, mention.end) is not None and _IN.search(before) is not None
