"""The one tokenizer of the shipped pipeline: English rules of spaCy, with every hyphen, slash and sign cut off.

CRAFT and the IOB corpora both split "IL-4" and "Fgf9+/-" into their parts, and a gene name may be any of the parts
("anti-HA"), so a token never spans such a character. Decimal numbers and abbreviations ("0.05", "e.g.", "et al.") stay whole.
"""

from __future__ import annotations

from collections.abc import Callable

from spacy.lang.tokenizer_exceptions import BASE_EXCEPTIONS
from spacy.language import Language
from spacy.symbols import ORTH
from spacy.util import compile_infix_regex, compile_prefix_regex, compile_suffix_regex, registry

SIGNS = r"[-‐‑‒–—−/\\+:;=<>≤≥≈∼±×*%&@#|~^(){}\[\]\"“”„«»†‡§¶®™©°′″→←↔⇒·•∙…?!,]"
"""Characters that are tokens by themselves wherever they stand (a comma between digits excepted)."""

ABBREVIATIONS = (
    "al.", "Fig.", "fig.", "Figs.", "figs.", "vs.", "approx.", "cf.", "Eq.", "ref.", "refs.", "Ref.", "Refs.", "resp.", "no.",
    "Dr.", "St.", "spp.", "sp.", "i.p.", "i.v.", "s.c.", "b.w.", "r.p.m.", "°C",
)  # fmt: skip


def use_biomedical_tokenizer(nlp: Language) -> Language:
    """Replace the rules of ``nlp``'s tokenizer (a blank English one) in place and return ``nlp``."""
    tokenizer, defaults = nlp.tokenizer, nlp.Defaults
    signs = SIGNS.replace(",", "")
    prefixes = [rule for rule in defaults.prefixes if rule not in (r"\+",)]
    tokenizer.prefix_search = compile_prefix_regex([*prefixes, signs, r"['`’‘]"]).search
    tokenizer.suffix_search = compile_suffix_regex(
        [*defaults.suffixes, signs, r"(?<=[a-z0-9)\]])\.", r"(?<=[A-Za-z0-9][A-Z])\."]
    ).search
    tokenizer.infix_finditer = compile_infix_regex(
        [
            r"\.\.+",
            signs,
            r"(?<![0-9]),|,(?![0-9]{3}(?![0-9]))",  # 1,000 is a number; 16,17 are two citations
            r"(?<=[a-z])\.(?=[A-Z][a-z])",
        ]
    ).finditer
    tokenizer.url_match = None
    # emoticons and single letters with a stop ("8)", "B.") are citations and names here
    tokenizer.rules = {text: pieces for text, pieces in tokenizer.rules.items() if text not in BASE_EXCEPTIONS}
    for abbreviation in ABBREVIATIONS:
        tokenizer.add_special_case(abbreviation, [{ORTH: abbreviation}])
    tokenizer.add_special_case("and/or", [{ORTH: "and"}, {ORTH: "/"}, {ORTH: "or"}])
    return nlp


@registry.callbacks("relhash.biomedical_tokenizer")
def biomedical_tokenizer_callback() -> Callable[[Language], Language]:
    """The same for ``[initialize.before_init]`` of a training config; the trained folder holds the rules themselves."""
    return use_biomedical_tokenizer
