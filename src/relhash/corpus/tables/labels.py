"""What people write into a column of labels: yes and no in four languages, ticks, names of relations, nothing.

A label is judged by itself (:func:`meaning_of_label`) and then within its column (:class:`ColumnOfLabels`), because some words
only mean something beside the others: *does not bind* beside *binds*, an empty cell beside ticks.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

from relhash.errors import CorpusError

DEFAULT_RELATION = "interaction"
"""Type of the relation when the label only says yes."""

Meaning = tuple[str, str]

_WORDS = {
    "tick": "x ✓ ✔ ☑ ✅ ☒",
    "yes": "1 1.0 yes y true t positive pos + +1 ja j wahr positiv oui o vrai positif si s verdadero positivo cierto",
    "no": "0 0.0 no n false f negative neg - -1 -1.0 none not no_relation nein falsch negativ keine kein non faux negatif "
    "falso negativo ✗ ✘ ☐ ❌",
    "open": "? na n/a #n/a nan null unlabelled unlabeled unknown unclear unklar unsicher",
    "negating": "no not non does do did kein keine keinen nicht ohne aucun aucune pas de ne sin ningun ninguna without",
    "relation": "relation relationship relations interaction interactions association effect link evidence binding beziehung "
    "interaktion wechselwirkung zusammenhang lien relacion interaccion asociacion efecto",
}
_TICKS, _YES, _NO, _OPEN, _NEGATING, _RELATION_WORDS = (frozenset(words.split()) for words in _WORDS.values())
_SIGNS = {"a": "activation", "r": "repression", "v": "regulation", "n": "no", "nv": "?"}
"""Letters that judge who regulates whom, as ExTRI has them: activation, repression, valid without a sign, not valid, both."""
_MIXED_REMEDY = "write 1/0 (yes/no) in all rows, or in all rows the name of the relation (0 for none)"


def meaning_of_label(label: str) -> Meaning:
    """``("yes", type)``, ``("no", "")`` or ``("open", "")``; a number that is neither is an error of the table."""
    plain = _plain(label)
    if not plain or plain in _OPEN:
        return "open", ""
    if plain in _NO or _is_no_relation(plain):
        return "no", ""
    if plain in _YES or plain in _TICKS:
        return "yes", DEFAULT_RELATION
    if re.fullmatch(r"[+-]?\d+([.,]\d*)?", plain):
        raise CorpusError(
            f"the label {label!r} is neither yes nor no",
            remedy="use 1/0, yes/no, true/false, the name of a relation, or nothing for unlabelled",
        )
    return "yes", label.strip()


def is_yes_or_no(label: str) -> bool:
    """Whether it can only be an answer, and is no name of a relation."""
    return _plain(label) in _YES | _NO


class ColumnOfLabels:
    """The labels of one table, understood together."""

    def __init__(self, labels: Iterable[str]) -> None:
        written = Counter(label.strip() for label in labels)
        letters = {label.lower() for label in written if label}
        self._are_signs = letters <= _SIGNS.keys() and not letters.isdisjoint(("a", "r", "v"))
        self.counts = Counter[str]()
        for label, count in written.items():
            self.counts[self._spelled_out(label)] += count
        plain = {_plain(label): label for label in self.counts}
        self._negations = {plain[word] for word in plain if _denies(word, plain.keys() - {word})}
        given = {word for word in plain if word}
        self._empty_is_no = "" in plain and bool(given) and given <= _TICKS
        kinds = Counter[str]()
        self.types = Counter[str]()
        for label, count in self.counts.items():
            kind = self._kind(label)
            kinds[kind] += count
            if kind == "name":
                self.types[label] += count
        self._refused = ""
        if kinds["name"] and kinds["yes"]:
            self._refused = "name" if kinds["yes"] >= kinds["name"] else "yes"
        self._most = {kind: self._common(kind) for kind in ("yes", "name")}

    def meaning(self, label: str) -> Meaning:
        """As :func:`meaning_of_label`, within this column. Names of relations and plain yes do not go together: an error."""
        label = self._spelled_out(label.strip())
        if label in self._negations or (not label and self._empty_is_no):
            return "no", ""
        kind = self._kind(label)
        if kind == self._refused:
            other = "name" if kind == "yes" else "yes"
            raise CorpusError(
                f"the label {label!r} beside {self._most[other]!r}: is it a yes, or the name of a relation?",
                remedy=_MIXED_REMEDY,
            )
        return meaning_of_label(label)

    def _spelled_out(self, label: str) -> str:
        return _SIGNS.get(label.lower(), label) if self._are_signs else label

    @property
    def notes(self) -> list[str]:
        """What was understood rather than said."""
        notes = []
        if self._empty_is_no:
            notes.append(
                f"the labels are ticks and empty cells: empty cells ({self.counts['']:,}) are read as no (write ? where no one "
                "has judged)"
            )
        if self._negations:
            notes.append(f"read as no: {', '.join(map(repr, sorted(self._negations)))}")
        if len(self.types) > 1:
            listed = ", ".join(f"{name} ({count:,})" for name, count in self.types.most_common(6))
            more = ", …" if len(self.types) > 6 else ""
            notes.append(f"the labels are read as {len(self.types):,} types of relation: {listed}{more}")
        return notes

    def _kind(self, label: str) -> str:
        """``yes``, ``name`` (of a relation) or something else."""
        if label in self._negations:
            return "no"
        try:
            answer, _ = meaning_of_label(label)
        except CorpusError:
            return "error"
        if answer != "yes":
            return answer
        return "yes" if _plain(label) in _YES | _TICKS else "name"

    def _common(self, kind: str) -> str:
        fitting = [(count, label) for label, count in self.counts.items() if self._kind(label) == kind]
        return max(fitting)[1] if fitting else ""


def _plain(label: str) -> str:
    """Without case, accents, and the punctuation that people put after a word; Excel's German ``1,0`` is ``1.0``."""
    letters = unicodedata.normalize("NFKD", label.strip().lower())
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    plain = re.sub(r"^([+-]?\d+),(\d+)$", r"\1.\2", plain)
    return plain.rstrip(".!*:; ").strip("\"'()[] ") or plain


def _is_no_relation(plain: str) -> bool:
    """*no interaction*, *keine Wechselwirkung*: a negation and a word for relations in general."""
    words = re.findall(r"[^\W_]+", plain)
    return len(words) == 2 and words[0] in _NEGATING and words[1] in _RELATION_WORDS


def _denies(plain: str, others: Iterable[str]) -> bool:
    """Whether a label says the opposite of another one of its column: *does not bind* of *binds*, *unrelated* of *related*."""
    words = re.findall(r"[^\W_]+", plain.replace("n't", " not"))
    rest = [word for word in words if word not in _NEGATING]
    if rest and len(rest) < len(words):
        return any(_same_words(rest, re.findall(r"[^\W_]+", other)) for other in others)
    return len(words) == 1 and any(plain in (f"non{other}", f"un{other}", f"in{other}") for other in others if len(other) > 3)


def _same_words(words: list[str], others: list[str]) -> bool:
    """Alike but for the ending of a verb (bind, binds)."""
    return len(words) == len(others) and all(a.rstrip("se") == b.rstrip("se") for a, b in zip(words, others))
