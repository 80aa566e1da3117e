"""What the forms of a word share: *phosphorylates*, *phosphorylated* and *phosphorylation* have one stem.

Lemmas keep verbs and the nouns made of them apart. Triggers of interactions and concepts of AMR graphs must meet across that
border, so this is coarser than a lemma, and only used to look words up, never shown.
"""

from __future__ import annotations

from functools import lru_cache

_ENDINGS = (
    "abilities", "ability", "ations", "ation", "ators", "ator", "ating", "ated", "ates", "ative", "ate",
    "itions", "ition", "ments", "ment", "ingly", "ings", "ing", "ions", "ion", "ives", "ive", "able", "ible",
    "ers", "ors", "er", "or", "ed", "es", "s", "al", "e",
)  # fmt: skip
_SHORTEST = 4


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The part of ``word`` before its endings, in lower case.

    >>> {stem(word) for word in ["phosphorylate", "phosphorylates", "phosphorylated", "Phosphorylation"]}
    {'phosphoryl'}
    >>> [stem(word) for word in ["binds", "binding", "inhibitor", "regulated", "p53", "Ras"]]
    ['bind', 'bind', 'inhibit', 'regul', 'p53', 'ras']
    """
    word = word.lower()
    if not word.isalpha():
        return word
    shortened = True
    while shortened:
        shortened = False
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
                word = word[: -len(ending)]
                shortened = True
                break
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in "aeious":
        word = word[:-1]  # controlled, control
    return word
