"""Sentences that nobody would write: for what must hold for all of them."""

from __future__ import annotations

from hypothesis import strategies as st

from relhash.corpus import Dependency, Document, Mention, Sentence, Token


@st.composite
def documents(draw_from):
    """Random words, arcs and (possibly nested, discontinuous, sub-token) mentions."""
    words = draw_from(st.lists(st.sampled_from(["a", "binding", "12", "Ras/Raf", "(", "not", "<x>"]), min_size=2, max_size=9))
    text = " ".join(words)
    tokens, position = [], 0
    for word in words:
        tokens.append(Token(position, position + len(word), word))
        position += len(word) + 1
    token = st.integers(0, len(words) - 1)
    label = st.sampled_from(["nsubj", "prep_of", "neg", "conj_and", "aux"])
    arcs = draw_from(st.lists(st.builds(Dependency, token, token, label), max_size=12))
    mentions = []
    for number in range(draw_from(st.integers(2, 4))):
        cuts = sorted(draw_from(st.sets(st.integers(0, len(text)), min_size=2, max_size=4)))
        spans = tuple(zip(cuts[::2], cuts[1::2]))
        mentions.append(Mention(f"T{number}", "protein", spans, "x"))
    return Document("d", text, (Sentence("s", 0, len(text), tuple(tokens), tuple(arcs), "p"),), tuple(mentions)).check()
