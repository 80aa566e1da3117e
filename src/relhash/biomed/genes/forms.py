"""What the spelling of one token says of it, as names of features; the same names in training and at run time.

A token's features depend on its spelling alone, so that what they weigh is worked out once per spelling and remembered.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

GREEK = frozenset((*"αβγδεζηθικλμνξοπρστυφχψωµ", "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota",
                   "kappa", "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
                   "omega"))  # fmt: skip
AMINO_ACIDS = frozenset((
    "ala", "arg", "asn", "asp", "cys", "gln", "glu", "gly", "his", "ile", "leu", "lys", "met", "phe", "pro", "ser", "thr",
    "trp", "tyr", "val", "alanine", "arginine", "asparagine", "aspartate", "cysteine", "glutamine", "glutamate", "glycine",
    "histidine", "isoleucine", "leucine", "lysine", "methionine", "phenylalanine", "proline", "serine", "threonine",
    "tryptophan", "tyrosine", "valine",
))  # fmt: skip
_ROMAN = re.compile(r"(?:X{0,3})(?:IX|IV|V?I{0,3})")
_RESIDUE = re.compile(r"(?:[ACDEFGHIKLMNPQRSTVWY]|[A-Z][a-z]{2})[0-9]{1,4}[A-Z]?|p[STY][0-9]{2,4}")
_PATTERNS = {
    name: re.compile(pattern)
    for name, pattern in {
        "capital": r"[A-Z]",
        "capitals": r"[A-Z]+",
        "Capitalised": r"[A-Z][a-z]+",
        "lower": r"[a-z]+",
        "miXed": r"[a-z]+[A-Z].*",
        "MixEd": r"[A-Z]+[a-z]+[A-Z].*",
        "digits": r"[0-9]+",
        "number": r"[0-9]+[.,][0-9.,]+",
        "p53": r"p[0-9]{2,3}.*",
        "ABC1": r"[A-Z]{2,}[0-9]+[A-Za-z]?",
        "Abc1": r"[A-Z][a-z]+[0-9]+[A-Za-z]?",
        "abc1": r"[a-z]{2,}[0-9]+[A-Za-z]?",
        "A1": r"[A-Z][0-9]+",
        "1A": r"[0-9]+[A-Za-z]+",
        "ABCs": r"[A-Z]{2,}s",
        "sign": r"\W+",
        "letters and digits": r"(?=.*[A-Za-z])(?=.*[0-9]).*",
    }.items()
}


@lru_cache(maxsize=65536)
def shape(form: str) -> str:
    """Capitals, small letters, digits and Greek letters as ``A a 0 α``; runs as one.

    >>> shape("IL2Rα"), shape("kinase"), shape("(")
    ('A0Aα', 'a', '(')
    """
    kinds: list[str] = []
    for character in form:
        if character.isascii():
            kind = "A" if character.isupper() else "a" if character.islower() else "0" if character.isdigit() else character
        elif "α" <= character <= "ω" or character == "µ":
            kind = "α"
        else:
            kind = "A" if character.isupper() else "a" if character.islower() else unicodedata.category(character)[0]
        if not kinds or kinds[-1] != kind:
            kinds.append(kind)
    return "".join(kinds[:8])


def form_features(form: str) -> list[str]:
    """Names of the features of a token spelled ``form``."""
    lower = form.lower()
    short = shape(form)
    names = [f"w={form[:40]}", f"l={lower[:40]}", f"s={short}", f"n={min(len(form), 9)}"]
    if any(character.isdigit() for character in form):
        names.append("d=" + re.sub(r"[0-9]+", "0", form)[:40])
    letters = re.sub(r"[^a-z]", "", lower)
    if letters != lower and letters:
        names.append(f"a={letters[:30]}")
    for length in (2, 3, 4, 5):
        if len(form) > length:
            names.append(f"p{length}={lower[:length]}")
            names.append(f"x{length}={lower[-length:]}")
    if 3 <= len(form) <= 14:
        padded = f"^{lower}$"
        # each once, in one order: what is added up in another one differs in the last digit
        names.extend(dict.fromkeys([f"g={padded[start : start + 3]}" for start in range(len(padded) - 2)]))
    is_word = form.isascii() and form.isalpha()
    if is_word and form.islower():  # what most tokens are: no other pattern fits
        names.append("is lower")
    elif is_word and form[1:].islower():
        names.append("is Capitalised")
    else:
        names.extend(f"is {name}" for name, pattern in _PATTERNS.items() if pattern.fullmatch(form))
    if lower in GREEK:
        names.append("is greek")
    if lower in AMINO_ACIDS:
        names.append("is amino acid")
    if _ROMAN.fullmatch(form):
        names.append("is roman")
    if _RESIDUE.fullmatch(form):
        names.append("is residue")
    return names
