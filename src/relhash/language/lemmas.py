"""Lemmas from the tag, rules of English inflection, and tables of a treebank that travel in the vocabulary of a pipeline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Set
from functools import lru_cache
from typing import Any

_RULES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "NNS": (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""), ("es", "")),
    "VBZ": (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", "")),
    "VBG": (("ing", "e"), ("ing", "")),
    "VBD": (("ied", "y"), ("ed", "e"), ("ed", "")),
    "JJR": (("ier", "y"), ("er", ""), ("er", "e")),
    "JJS": (("iest", "y"), ("est", ""), ("est", "e")),
}
_SAME = {"NNPS": "NNS", "VBN": "VBD", "RBR": "JJR", "RBS": "JJS"}
_KNOWN_TABLE, _EXCEPTIONS_TABLE = "relhash_known_lemmas", "relhash_lemma_exceptions"


class Lemmas:
    """Form and Penn tag → lemma, in lower case.

    >>> lemmas = Lemmas({"bind", "phosphorylate"}, {"NNS data": "datum"})
    >>> lemmas("Binding", "VBG"), lemmas("phosphorylating", "VBG"), lemmas("data", "NNS"), lemmas("kinases", "NNS")
    ('bind', 'phosphorylate', 'datum', 'kinase')
    """

    def __init__(self, known: Set[str], exceptions: Mapping[str, str]) -> None:
        self._known, self._exceptions = known, exceptions
        self._remembered = lru_cache(maxsize=50_000)(self._lemma)

    def __call__(self, form: str, tag: str) -> str:
        return self._remembered(form.lower(), tag)

    def _lemma(self, form: str, tag: str) -> str:
        exception = self._exceptions.get(f"{tag} {form}")
        if exception is not None:
            return exception
        rules = _RULES.get(_SAME.get(tag, tag), ())
        candidates = [
            form[: -len(suffix)] + ending for suffix, ending in rules if form.endswith(suffix) and len(form) > len(suffix) + 1
        ]
        if not candidates:
            return form
        doubled = [stem[:-1] for stem in candidates if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "aeiousl"]
        for candidate in (*candidates, *doubled):
            if candidate in self._known:
                return candidate
        return _unknown(form, candidates)

    @classmethod
    def learned(cls, seen: Iterable[tuple[str, str, str]]) -> Lemmas:
        """Tables from (form, tag, lemma): a lemma met twice is known; a pair that the rules then get wrong is an exception."""
        triples = Counter(
            (form.lower(), tag, lemma.lower())
            for form, tag, lemma in seen
            if not any(character.isdigit() for character in form)  # CRAFT writes every digit of a lemma as 0
        )
        totals: Counter[str] = Counter()
        best: dict[tuple[str, str], tuple[int, str]] = {}
        for (form, tag, lemma), count in triples.items():
            totals[lemma] += count
            best[form, tag] = max(best.get((form, tag), (0, "")), (count, lemma))
        by_rule = cls({lemma for lemma, count in totals.items() if count > 1}, {})
        wrong = {
            f"{tag} {form}": lemma for (form, tag), (count, lemma) in best.items() if count > 1 and by_rule(form, tag) != lemma
        }
        return cls(by_rule._known, wrong)

    @classmethod
    def of(cls, nlp: Any) -> Lemmas | None:
        """The tables in the vocabulary of a pipeline, if it has some."""
        lookups = nlp.vocab.lookups
        if not (lookups.has_table(_KNOWN_TABLE) and lookups.has_table(_EXCEPTIONS_TABLE)):
            return None
        return cls.of_tables({name: lookups.get_table(name)["all"] for name in (_KNOWN_TABLE, _EXCEPTIONS_TABLE)})

    @classmethod
    def of_tables(cls, tables: Mapping[str, Any]) -> Lemmas:
        """The same from the content of the two tables."""
        return cls(frozenset(tables[_KNOWN_TABLE].split()), dict(tables[_EXCEPTIONS_TABLE]))

    def store_in(self, nlp: Any) -> None:
        """Put the tables into the vocabulary of ``nlp``, to be saved with it."""
        nlp.vocab.lookups.add_table(_KNOWN_TABLE, {"all": " ".join(sorted(self._known))})
        nlp.vocab.lookups.add_table(_EXCEPTIONS_TABLE, {"all": dict(sorted(self._exceptions.items()))})


def _unknown(form: str, candidates: list[str]) -> str:
    """The likeliest lemma of an unseen form."""
    if form.endswith(("ss", "us", "is")) and not form.endswith(("ases", "ises")):
        return form
    return candidates[0]
