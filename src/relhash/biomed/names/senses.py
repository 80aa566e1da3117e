"""What a name may stand for, before the text around it is looked at: its simpler forms, and the ranking of its meanings.

"Recombinant human IL-2 protein" is looked up as "IL-2" (:func:`variants`). A curated name counts more than a symbol, a symbol
more than an alias or a previous symbol, these more than a synonym from another species or database; of equally sure names those
written the same way. What then still ties is ambiguous, unless the text helps (:mod:`relhash.biomed.grounding`).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from relhash.biomed.names.spelling import Case, case_of, name_key
from relhash.biomed.names.table import Class, Concept, NamedConcept, NameKind, NameTable


class Only(StrEnum):
    """What a simpler name must stand for, so that it may be the name of the same thing."""

    ANYTHING = ""
    GROUPS = "groups"
    """A family or complex: the "NF-kappaB family" is NF-kappaB, but the "IL-2 family" is more than IL-2."""
    SURE = "sure"
    """By a symbol or a curated name: "Stat3 alpha" is an isoform of STAT3, but "TCF-1 alpha" none of TCF-1."""
    KINASES = "kinases"
    """A kinase that is not called the kinase of a kinase: the "JAK2 kinase" is JAK2, the "MEK kinase" is not MEK."""


_AT_MOST = 48
_WORDS_BEFORE = re.compile(
    r"^(?:the|a|an|i\.e\.|e\.g\.|human|mouse|murine|rat|mammalian|recombinant|purified|endogenous|exogenous|ectopic|"
    r"full[- ]length|wild[- ]?type|wt|native|mature|soluble|cellular|cytosolic|cytoplasmic|nuclear|activated|active|inactive|"
    r"constitutively active|mutant|mutated|phosphorylated|unphosphorylated|ubiquitinated|transfected|overexpressed|"
    r"dominant[- ]negative|oncogenic|transcription factors?|adaptor protein|adapter protein|proto-?oncogene|oncogene|"
    r"oncoprotein|tumou?r suppressor(?: protein| gene)?|protein|gene|cytokine|chemokine|receptor protein)[\s-]+(?=\S)",
    re.IGNORECASE,
)
_WORDS_AFTER = re.compile(
    r"(?<![\s-])[\s-]+"
    r"(?:proteins?|genes?|gene products?|mRNAs?|cDNAs?|transcripts?|polypeptides?|molecules?|isoforms?|subunits?|chains?|"
    r"antigens?|loc(?:us|i)|proto-?oncogenes?|oncogenes?|oncoproteins?|oncogene products?|tumou?r[- ]suppressors?|"
    r"transcription factors?|mutants?|cytokines?|homolog(?:ue)?s?)$",
    re.IGNORECASE,
)
_OF_GROUPS = re.compile(
    r"(?<![\s-])[\s-]+"
    r"(?:(?:proto-?oncogene |gene |super)?famil(?:y|ies)(?: members?| proteins?)?|complex(?:es)?|(?:hetero|homo)?dimers?|"
    r"members?|phosphatases?|factors?|enzymes?|subunits?)$",
    re.IGNORECASE,
)
_KINASE = re.compile(r"(?<![\s-])[\s-]+kinases?$", re.IGNORECASE)
_TAG = re.compile(
    r"^(?:p-|phospho-?|phosphorylated-|GFP-|EGFP-|YFP-|GST-|HA-|Flag-|myc-|His-|MBP-|WT-?|wt-?|DN-|dn-|myr-|Ub-|rh|hs|pro-?(?=[A-Z])|[chmrp](?:-|(?=[A-Z])))"
    r"(?=\w{2})"
)
_TAG_AFTER = re.compile(r"(?:-E?GFP|-Flag|-HA|\(?\+/\+\)?|\(?-/-\)?|\(?\+/-\)?|\+|'s)$", re.IGNORECASE)
_SUBUNIT_OF = re.compile(r"^(\S+) (?:subunit|component|member|chain)s? of .+$")
_CLASS_BEFORE = re.compile(
    r"\b(?:protein|factor|kinase|phosphatase|inhibitor|ligand|adaptor|adapter|gene|oncogene|oncoprotein|cytokine|chemokine|"
    r"activator|repressor|coactivator|corepressor|molecule|antigen|enzyme|GTPase|hormone|receptor|peptide)\s+(\S+)$"
)
_SYMBOL = re.compile(r"^(?=.*[A-Z])(?=.{3})(?!.*-(?:I|II)$)[A-Za-z][\w.-]*$")
_INSIDE = re.compile(r"(?<=\S)\s*\(([^()]{2,})\)$")
_IN_THE_MIDDLE = re.compile(r"(?<!\s)\s*\([^()]*\)(?=[\s-]*\w)")
_PLURAL_INSIDE = re.compile(r"(?<=[a-z]{4})s(?=[\s-]?\d)")
"""*Caspases-3* and -8."""
_ISOFORM = re.compile(r"(?<=\d)[\s-]?(?:alpha|beta|gamma|delta|[αβγδ]|[abc])$", re.IGNORECASE)
_LETTERS = {"alpha": "a", "beta": "b", "gamma": "g", "delta": "d", "epsilon": "e"}
_GREEK_END = re.compile(r"[\s-]?(alpha|beta|gamma|delta|epsilon|α|β|γ|δ|ε)([\s-]?\d?)$", re.IGNORECASE)
_GREEK_START = re.compile(r"^(alpha|beta|gamma|delta|epsilon|kappa|zeta|[αβγδεκζ])[\s-]?(?=[A-Za-z]{4})(.+)$", re.IGNORECASE)
_MASS = re.compile(r"^(?:p|pp|gp)\d{2,3}[\s-]?(?=[A-Za-z]{2}[A-Za-z0-9-]*$)")
_LETTER_END = re.compile(r"(?<=[A-Z0-9-])([abgdkz])(\d?)$")
_GREEK_OF = {"a": "alpha", "b": "beta", "g": "gamma", "d": "delta", "k": "kappa", "z": "zeta"}
_SHORTER = (
    (re.compile(r"\binterleukins?\b", re.IGNORECASE), "IL"),
    (re.compile(r"\binterferons?\b", re.IGNORECASE), "IFN"),
    (re.compile(r"\btumou?r necrosis factor\b", re.IGNORECASE), "TNF"),
    (re.compile(r"(?<![\s-])[\s-]+receptors?\b", re.IGNORECASE), "R"),
    (re.compile(r"\bnuclear factor[\s-]+(?=kappa|κ)", re.IGNORECASE), "NF-"),
)
_SYMBOLS_OF_GREEK = {"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon"}


def variants(name: str, kind: str) -> Iterator[tuple[str, Only]]:
    """The name, then simpler names of the same thing; with each, what it must stand for to count.

    >>> [name for name, _ in variants("recombinant human IL-2 protein", "protein")][:2]
    ['recombinant human IL-2 protein', 'human IL-2 protein']
    >>> list(variants("tumors", "disease"))
    [('tumors', <Only.ANYTHING: ''>), ('tumor', <Only.ANYTHING: ''>)]
    """
    waiting = deque([(name.strip(" \t\n,.;:"), Only.ANYTHING)])
    seen: set[str] = set()
    simpler = _simpler_protein if kind == "protein" else _simpler_other
    while waiting and len(seen) < _AT_MOST:
        current, only = waiting.popleft()
        if len(current) < 2 or current in seen:
            continue
        seen.add(current)
        yield current, only
        waiting.extend((found, only or further) for found, further in simpler(current))


def _simpler_other(name: str) -> Iterator[tuple[str, Only]]:
    if name.endswith("s") and not name.endswith(("ss", "is", "us")) and len(name) > 4:
        yield name[:-1], Only.ANYTHING
        if name.endswith("ies"):
            yield name[:-3] + "y", Only.ANYTHING
    inside = _INSIDE.search(name, 2)
    if inside:
        yield name[: inside.start()], Only.ANYTHING
    for ending, noun in _NOUNS.items():
        if name.endswith(ending):
            yield name.removesuffix(ending) + noun, Only.ANYTHING
    for pattern, replacement in ((_HARM, " diseases"), (_HARM, " disorders"), (_BRITISH, "e"), (_DEGREE, "")):
        simpler = pattern.sub(replacement, name, count=1)
        if simpler != name:
            yield simpler, Only.ANYTHING


_NOUNS = {
    "tensive": "tension", "emic": "emia", "oxic": "oxia", "otic": "osis", "leptic": "lepsy", "betic": "betes",
    "phrenic": "phrenia", "thmic": "thmia", "matory": "mation", "sonian": "sonism", "netic": "nesia", "toxic": "toxicity",
    "ergic": "ergy", "cardic": "cardia", "plegic": "plegia", "rrhagic": "rrhage", "ritic": "ritis", "cancerous": "cancer",
}  # fmt: skip
"""Adjectives of diseases: *hypertensive* patients have hypertension."""
_HARM = re.compile(
    r"(?<=\w) (?:damage|injur(?:y|ies)|(?:dys|mal)?functions?|impairments?|toxicit(?:y|ies)|complications?|lesions?|"
    r"involvement|abnormalit(?:y|ies)|deficits?|disturbances?)$"
)
"""What befalls an organ: *renal impairment* is a kidney disease."""
_BRITISH = re.compile(r"[ao]e(?=[a-z])")
"""*Ischaemia*, *diarrhoea*, *oesophageal*."""
_DEGREE = re.compile(
    r"^(?:severe|mild|moderate|acute|chronic|early|late|advanced|sporadic|refractory|progressive|recurrent|transient|persistent|"
    r"fatal|clinical|symptomatic|idiopathic|human|drug-induced|[\w-]+-induced|[\w-]+-associated)\s+(?=\S)",
    re.IGNORECASE,
)


def _simpler_protein(name: str) -> Iterator[tuple[str, Only]]:
    for pattern in (_WORDS_BEFORE, _WORDS_AFTER, _TAG_AFTER, _TAG):
        shorter = pattern.sub("", name, count=1)
        if shorter != name:
            yield shorter, Only.ANYTHING
    of = _SUBUNIT_OF.match(name)
    if of:
        yield of[1], Only.ANYTHING
    inside = _INSIDE.search(name, 2)
    if inside:
        yield name[: inside.start()], Only.ANYTHING
        yield inside[1], Only.ANYTHING
    without = _IN_THE_MIDDLE.sub("", name)
    if without != name:  # "tumor necrosis factor (TNF)-alpha"
        yield without, Only.ANYTHING
    last = _CLASS_BEFORE.search(name)
    if last and _SYMBOL.match(last[1]):
        yield last[1], Only.ANYTHING
    for pattern, replacement in _SHORTER:
        shorter = pattern.sub(replacement, name, count=1)
        if shorter != name:
            yield shorter, Only.ANYTHING
    greek = _GREEK_END.search(name)
    if greek:
        spelled = _SYMBOLS_OF_GREEK.get(greek[1].lower(), greek[1].lower())
        yield name[: greek.start()] + _LETTERS[spelled] + greek[2].strip(" -"), Only.ANYTHING
    first = _GREEK_START.match(name)
    if first:
        yield f"{first[2]} {first[1]}", Only.ANYTHING
    mass = _MASS.match(name)
    if mass:  # "p59fyn"
        yield name[mass.end() :], Only.ANYTHING
    letter = _LETTER_END.search(name)
    if letter:
        yield f"{name[: letter.start()]}-{_GREEK_OF[letter[1]]}{letter[2]}", Only.ANYTHING
    if name.endswith("s") and len(name) > 3 and not name.endswith("ss"):
        yield name[:-1], Only.ANYTHING
    single = _PLURAL_INSIDE.sub("", name)
    if single != name:
        yield single, Only.ANYTHING
    isoform = _ISOFORM.sub("", name)
    if isoform != name:
        yield isoform, Only.SURE
    group = _OF_GROUPS.sub("", name, count=1)
    if group != name:
        yield group, Only.GROUPS
    kinase = _KINASE.sub("", name, count=1)
    if kinase != name:
        yield kinase, Only.KINASES


_WORDS = """
aa ac act acts ad adipose age ago ai aid aim air alkali all an ao apex ara arch arm armadillo arms as ask at aura bad
bank bar bars base be bean best bet beta bi bid bis bit blast bp bright ca cage call can cap caps car cardinal carp cat
cats cava cell chip clamp clock co cob coil complex cope crest cryptic cut cycling damage danger de delta des di digit
dl do domain ds ear ears ecto eg en end endo epi epsilon era erythroid et eta exp face fact factor fast fat fate fell
fig find fire fish flap flash flat flower fold for fragilis fused gamma gap gaps gas gene genes genesis get gm go goat
gov great grid gut had hamartin has he her hex high hip his hits hole hot hr hrs hs ic ice if ii impact in ins ip ir
kappa kb kd killer kin ko la lab lag lamp large laser le led ligand light limit lip lit lobe man map maps mark mask mass
mast max men met mice min minor mis mm mol mr mrs ms mt mu mul mut my na net ng no nodal not now nt nu nude of olfactory
on opt or org os out oval pa pad pale particle per peri peripheral permit pg ph phi pi pig pigs pilot pl plane pole post
pp prey protein proteins ps pv race ran rank raw ray receptor red ref reg rest rim ring rod rs sac salt sand sc scar se
sea sera set sex sharp she simple skin snap so son sp span spasm spatial spin spp spring star steel step stop striated
syn tag talk tape task tb tea ter th thank the theta tiny tip to top trade traits trap tri ts tube type ug ul up vas
ventricular via vs was wash wave we white wire wise wish wt zeta
"""
COMMON_WORDS = frozenset(_WORDS.split())
"""Words that HGNC, MGI or RGD know as symbols, chosen by eye: written small they are words. "ras", "lck", "insulin" are not."""

_CLASSES = """
antibodies antibody bindingprotein cytokine cytokines deathdomain enzyme enzymes growthfactors helixloophelix hormone
kinase kinases leucinezipper ligand mab membraneprotein nuclearprotein peptide peptides protein proteins receptor
receptors subunit transcriptionfactor zincfinger zincfingerprotein
"""
CLASS_NAMES = frozenset(_CLASSES.split())
"""Keys of names of whole classes, which some gene has as an alias all the same."""


GROUNDED_TYPES = ("protein", "chemical", "disease")
_LEVEL = {
    NameKind.CURATED: 0, NameKind.SYMBOL: 1, NameKind.NAME: 1, NameKind.ALIAS: 2, NameKind.PREVIOUS: 2,
    NameKind.ORTHOLOG: 3, NameKind.LINKED: 3, NameKind.SEEN: 2,
}  # fmt: skip
_GROUPS = (Class.FAMILY, Class.COMPLEX)
_DATABASE_ORDER = ("HGNC", "FPLX", "CHEBI", "MESH", "MONDO", "DOID", "MGI", "RGD", "NCBIGene")
_OFTEN, _RATHER = 4, 3
"""How often annotators must have met one meaning, and how much more often than all others, to take it for the usual one."""
_SIZE = re.compile(r"^(?:human |mouse |an? )?[\d.]+[- ]?kDa?\b", re.IGNORECASE)
"""What is named by its size only ("55-kDa protein") has no name."""
_TAGGED = re.compile(r"^[hmr][A-Z][a-z]|^[hmr][A-Z]{2,}")
_UNSURE = 3
_LONG_ENOUGH = 5
"""Characters of the key of a simpler name from which on it may be of an unsure kind; "MDMs" is not the mouse's "MDM"."""
_SHORT = 2
"""Characters of a key up to which a name says too little without a long form."""


@dataclass(frozen=True, slots=True)
class Sense:
    """Equally good meanings of a name: one is an answer, several are an ambiguity, none is an unknown name."""

    concepts: tuple[Concept, ...] = ()
    numbers: tuple[int, ...] = ()
    level: int = 9
    """How sure the kind of name is; 0 is surest."""
    is_short: bool = False
    """Whether the name is so short that only a long form in the text makes it sure."""

    @property
    def is_one(self) -> bool:
        return len(self.concepts) == 1


class Senses:
    """Name and type of an entity → what it may stand for."""

    def __init__(self, table: NameTable) -> None:
        self.table = table
        self.of = lru_cache(maxsize=65536)(self._of)
        self._is_kinase = lru_cache(maxsize=4096)(self._named_kinase)

    def _of(self, name: str, kind: str) -> Sense:
        """The best meanings of the name or, if it has none, of the first simpler name that has any."""
        if _SIZE.match(name):
            return Sense()
        for number, (variant, only) in enumerate(variants(name, kind)):
            found = self._ranked(variant, kind, only)
            if found.concepts and (number == 0 or found.level < _UNSURE or len(name_key(variant)) >= _LONG_ENOUGH):
                return self._without_tag(variant, found) if kind == "protein" else found
        if kind == "chemical":
            for variant, _ in variants(name, kind):
                identifier = self.table.supplement(variant)
                if identifier:
                    return Sense((Concept(identifier, Class.CHEMICAL),), (-1,), _UNSURE)
        return self._agreed(name, kind)

    def mesh_of(self, name: str) -> str:
        """The MeSH entry of a chemical that ChEBI has under the same name: "calcium" is an ion there, and the element here;
        "L-arginine" is a term of arginine there. If it is no heading, that of the supplement."""
        found = [
            (mesh, meaning.seen, -_LEVEL[meaning.name_kind])
            for meaning in self.table.find(name)
            if (concept := self.table.concept(meaning.number)).kind is Class.CHEMICAL
            and (mesh := concept.mesh or concept.id).startswith("MESH:")
        ]
        return max(found, key=lambda one: one[1:])[0] if found else self.table.supplement(name)

    def _without_tag(self, name: str, found: Sense) -> Sense:
        """What "rSp1" means without its "r", if that is a sure name and the whole is not."""
        if found.level < _UNSURE - 1 or not _TAGGED.match(name):
            return found
        bare = self._ranked(name[1:], "protein", Only.SURE)
        return bare if bare.is_one else found

    def _ranked(self, name: str, kind: str, only: Only) -> Sense:
        written = case_of(name)
        key = name_key(name)
        if kind == "protein" and key in CLASS_NAMES:
            return Sense()
        is_word = kind != "disease" and key in COMMON_WORDS and written in (Case.LOWER, Case.CAPITALISED)
        meanings = [
            (meaning, concept)
            for meaning in self.table.find(name)
            if (concept := self.table.concept(meaning.number)).kind.type == kind
            and not (
                is_word and meaning.case is not Case.LOWER and (meaning.name_kind, meaning.case) != (NameKind.CURATED, written)
            )
            and self._counts(meaning, concept, written, key, only)
        ]
        if not meanings:
            return Sense()
        best = _usual(meanings) or _group_first(_best(meanings, written, kind))
        is_short = len(key) <= _SHORT and not any(self._is_own(meaning, concept, key, written) for meaning, concept in best)
        return Sense(
            tuple(concept for _, concept in best),
            tuple(meaning.number for meaning, _ in best),
            min(_LEVEL[meaning.name_kind] for meaning, _ in best),
            is_short,
        )

    def _counts(self, meaning: NamedConcept, concept: Concept, written: Case, key: str, only: Only) -> bool:
        """Whether a meaning is worth considering for a name written so."""
        if concept.kind is Class.LOCUS and (meaning.name_kind > NameKind.ALIAS or meaning.case is not written):
            return False
        if meaning.name_kind >= NameKind.ORTHOLOG and len(key) < 4 and meaning.case is not written:
            return False
        if only is Only.GROUPS:
            return concept.kind in _GROUPS
        if only is Only.SURE:
            return _LEVEL[meaning.name_kind] <= 1
        return only is Only.ANYTHING or self._is_kinase(meaning.number)

    def _is_own(self, meaning: NamedConcept, concept: Concept, key: str, written: Case) -> bool:
        """Whether two letters are enough: an approved symbol, a curated chemical or family, "Rb" for RB1."""
        if meaning.name_kind is NameKind.CURATED:
            return concept.kind is not Class.GENE or name_key(self.table.label(meaning.number)).startswith(key)
        return meaning.name_kind is NameKind.SYMBOL and meaning.case is written

    def _named_kinase(self, number: int) -> bool:
        keys = self.table.keys_of(number)
        return any("kinase" in key for key in keys) and not any("kinasekinase" in key for key in keys)

    def _agreed(self, name: str, kind: str) -> Sense:
        """Of two names side by side ("p65 RelA", "RelA/p65") their common meaning."""
        parts = name.replace("/", " ").split()
        if kind != "protein" or len(parts) != 2:
            return Sense()
        first, second = (self.of(part, kind) for part in parts)
        return first if first.is_one and first.numbers == second.numbers else Sense()


def _usual(meanings: Sequence[tuple[NamedConcept, Concept]]) -> list[tuple[NamedConcept, Concept]]:
    """The meaning that annotators of corpora met by far most often, or alone if no other is a surer kind of name; a family that
    curators chose is never overruled."""
    if any(meaning.name_kind is NameKind.CURATED for meaning, _ in meanings):
        return []
    met = [item for item in meanings if item[0].seen]
    if len(met) == 1 and all(_LEVEL[meaning.name_kind] >= _LEVEL[met[0][0].name_kind] for meaning, _ in meanings):
        return met
    first = max(meanings, key=lambda item: item[0].seen)
    others = sum(meaning.seen for meaning, _ in meanings) - first[0].seen
    return [first] if first[0].seen >= max(_OFTEN, _RATHER * others) else []


def _best(meanings: Sequence[tuple[NamedConcept, Concept]], written: Case, kind: str) -> list[tuple[NamedConcept, Concept]]:
    """The meanings of the surest kind of name; among them those written the same way, of the preferred database."""

    def rank(item: tuple[NamedConcept, Concept]) -> tuple[int, ...]:
        meaning, concept = item
        database = _DATABASE_ORDER.index(concept.id.partition(":")[0])
        level = _LEVEL[meaning.name_kind]
        if kind == "protein":
            is_other_species = database >= _DATABASE_ORDER.index("MGI")
            # "MKKS" is the gene, "MKKs" the family: between curated names and symbols the way of writing decides
            differs = meaning.case is not written
            level_by_case = 2 * level if level > 1 else int(differs) * 2 + level
            return int(is_other_species), int(concept.kind in (Class.RNA, Class.LOCUS)), level_by_case, int(differs)
        return (database, level) if kind == "disease" else (level, database)

    ranks = [rank(item) for item in meanings]
    best = min(ranks)
    return [item for item, own in zip(meanings, ranks, strict=True) if own == best]


def _group_first(best: list[tuple[NamedConcept, Concept]]) -> list[tuple[NamedConcept, Concept]]:
    """Where curators name both a family and a member of it, the family: less is said, and nothing wrong."""
    groups = [item for item in best if item[1].kind in _GROUPS]
    return groups if len(groups) == 1 and len(best) > 1 else best
