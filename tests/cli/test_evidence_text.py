"""Evidence on one line of the terminal."""

from __future__ import annotations

from relhash.candidates import Evidence, candidates, scenes
from relhash.cli.console import path_text, sentence_text
from relhash.corpus import Dependency, Document, Mention, Sentence, Token

WORDS = ((0, 4, "RAF1"), (5, 10, "binds"), (11, 15, "MEK1"))
ARCS = ((1, 0, "nsubj"), (1, 2, "dobj"))


def test_the_sentence_is_coloured_and_the_path_has_arrows() -> None:
    tokens = tuple(Token(*word) for word in WORDS)
    arcs = tuple(Dependency(*arc, scheme="stanford-collapsed") for arc in ARCS)
    names = tuple(Mention(f"T{start}", "protein", ((start, end),), text) for start, end, text in (WORDS[0], WORDS[2]))
    document = Document("d", "RAF1 binds MEK1", (Sentence("s", 0, 15, tokens, arcs),), names)
    (shown,) = map(Evidence.of, scenes(candidates([document])))
    sentence = sentence_text(shown)
    assert sentence.plain == document.text
    styles = {sentence.plain[span.start : span.end]: span.style for span in sentence.spans}
    assert (styles["RAF1"], styles["binds"], styles["MEK1"]) == ("bold cyan", "bold", "bold cyan")
    assert path_text(shown).plain == "RAF1 ←nsubj binds dobj→ MEK1"
