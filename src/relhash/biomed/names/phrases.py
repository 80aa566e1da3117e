"""The names inside the phrases that a tagger finds: "human SREBP-1c promoter" is SREBP-1c, "MMP-2 and -9" are two.

What is cut off stays beside the name and is read there (:mod:`relhash.biomed.names.hints`). Of a list that leaves out what
its names share, each member gets its own place in the text and the whole name (``MMP-9`` for "-9"); only names that the shipped
list knows are made so. What the words call a fusion (AML1/MDS1/EVI1) is one name, no list of three.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from relhash.biomed.names.hints import pair_hints, places
from relhash.language.annotation import PredictedMention

if TYPE_CHECKING:
    from relhash.biomed.names.table import NameTable

VERSION = "names in phrases 2"
"""Part of every cache key: raised when other names are found in the same phrases."""
_SURE = frozenset({"promoter", "transcript", "gene", "absent", "antibody", "mutant", "construct", "site", "residue"})
"""Hints that no part of a name is taken for: what looks like a symbol without them is one, known or not."""
_NEVER = frozenset({"cause", "pathway", "cells", "inside phrase", "likened"})
_SYMBOL = re.compile(r"(?=\S*[A-Z0-9])(?=\S*[A-Za-z])\S{2,14}")
_STRAY = " \t\n.,;:-‐–/"
_GREEK = r"alpha|beta|gamma|delta|epsilon|zeta|kappa|theta|[αβγδεζκθ]"
_ENDING = rf"(?:\d{{1,2}}[A-Za-z]?|[A-Z](?:\d{{1,2}})?|{_GREEK})"
_NEXT = re.compile(
    rf"(?P<join>\s?/\s?[-‐–]?|(?:\s?,\s?(?:and\s|or\s)?|\s(?:and|or|&)\s)(?P<hyphen>[-‐–]?))(?P<ending>{_ENDING})(?![\w'′]|-\w)"
)
_STEM = re.compile(rf"(?P<stem>.*[A-Za-z])(?P<gap>[\s-]?)(?P<ending>{_ENDING})")
_FIRST_PARTS = re.compile(rf"(?<!\w)(?P<ending>{_GREEK})[-‐–](?:,\s(?:{_GREEK})[-‐–]){{0,3}},?\s?(?:and|or|/)\s?$")
_JOINED = re.compile(r"\s?[-‐‑–/]\s?")
_PARTS = re.compile(r"\s?(?:/|[-‐–]\sand\s|\sand\s|\sor\s|,\s)\s?")


def names_in(text: str, found: Iterable[PredictedMention], known: NameTable) -> list[PredictedMention]:
    """The mentions of a text, proteins among them cut to their names, and lists of them written out.

    >>> from relhash.biomed.names.table import shipped_names
    >>> text = "MMP-2 and -9 bind the human SREBP-1c promoter"
    >>> mentions = [PredictedMention(0, 5, "protein"), PredictedMention(22, 45, "protein")]
    >>> [(text[one.start:one.end], one.name) for one in names_in(text, mentions, shipped_names())]
    [('MMP-2', ''), ('9', 'MMP-9'), ('SREBP-1c', '')]
    """
    given = sorted(found, key=lambda one: one.start)
    longest = max((one.end - one.start for one in given), default=0)

    def is_taken(place: PredictedMention, by: PredictedMention) -> bool:
        """Whether another mention than ``by`` overlaps: only those that begin a little before can."""
        first, last = (bisect_left(given, start, key=lambda one: one.start) for start in (place.start - longest, place.end))
        return any(one is not by and place.start < one.end for one in given[first:last])

    named = []
    for mention in given:
        if mention.type != "protein":
            named.append(mention)
            continue
        for part in _parts(text, mention, known):
            bare = _bare(text, part, known)
            named.append(bare)
            named.extend(one for one in _members(text, bare, known) if not is_taken(one, mention))
    return list(_fused(text, sorted(dict.fromkeys(named), key=lambda one: (one.start, one.end))))


def _fused(text: str, named: Iterable[PredictedMention]) -> Iterator[PredictedMention]:
    """The mentions, those as one that hyphens or slashes join and that the words call a fusion."""
    chain: list[PredictedMention] = []
    for mention in named:
        is_gene = mention.type == "protein" and not mention.name
        if chain and not (is_gene and _JOINED.fullmatch(text, chain[-1].end, mention.start)):
            yield from _as_one(text, chain)
            chain = []
        if is_gene:
            chain.append(mention)
        else:
            yield mention
    yield from _as_one(text, chain)


def _as_one(text: str, chain: list[PredictedMention]) -> list[PredictedMention]:
    spans = [(one.start, one.end) for one in chain]
    is_one = any("fusion" in pair_hints(text, *two) for two in pairwise(spans))
    if not is_one or any(places()["name"].pattern.fullmatch(text, *span) for span in spans):  # "GST-p53 fusion": a tag, and p53
        return chain
    return [replace(chain[0], end=chain[-1].end, certainty=min(one.certainty for one in chain))]


def _is_protein(name: str, known: NameTable) -> bool:
    return any(known.concept(meaning.number).kind.type == "protein" for meaning in known.find(name))


def _parts(text: str, mention: PredictedMention, known: NameTable) -> list[PredictedMention]:
    """The mention, or its halves where a tagger took two known names for one: "p38/ERK", "ATM- and ATR"."""
    whole = text[mention.start : mention.end]
    joint = _PARTS.search(whole)
    if joint is None or _is_protein(whole, known):
        return [mention]
    first, second = whole[: joint.start()], whole[joint.end() :]
    list_of_endings = _STEM.fullmatch(first)
    if list_of_endings and _NEXT.match(whole, joint.start()):  # "MMP-2/9": the second half is no name by itself
        return [replace(mention, end=mention.start + joint.start())]
    if first.casefold() == second.casefold() or not (_is_protein(first, known) and _is_protein(second, known)):
        return [mention]
    middle = mention.start + joint.start()
    return [replace(mention, end=middle), replace(mention, start=mention.start + joint.end())]


def _bare(text: str, mention: PredictedMention, known: NameTable) -> PredictedMention:
    """The mention without the words that are no part of a name."""
    start, end = mention.start, mention.end
    while end > start + 1 and text[end - 1] in _STRAY:
        end -= 1
    for place in ("after", "before", "after"):
        while True:
            name = text[start:end]
            at = places()[place]
            cut = at.inside.search(name) if place == "after" else at.inside.match(name)
            if cut is None or at.hint(cut) in _NEVER:
                break
            rest = (name[: cut.start()] if place == "after" else name[cut.end() :]).strip()
            bare = rest
            while (start_of := places()["before"].inside.match(bare)) and start_of.end() < len(bare):
                bare = bare[start_of.end() :]
            is_name = _is_protein(rest, known) or _is_protein(bare, known)
            if not (is_name and not _is_protein(name, known)) and not (at.hint(cut) in _SURE and _SYMBOL.fullmatch(bare)):
                break
            if len(rest) < 2:
                break
            start, end = (start, start + cut.start()) if place == "after" else (start + cut.end(), end)
    return replace(mention, start=start, end=end)


def _members(text: str, mention: PredictedMention, known: NameTable) -> Iterator[PredictedMention]:
    """Further members of a list that leaves out what they share with the mention."""
    name = text[mention.start : mention.end]
    split = _STEM.fullmatch(name)
    if split is not None and (split["gap"] or len(split["ending"]) > 1 or split["ending"].isdigit()):
        stem, gap = split["stem"], split["gap"]
        is_plural = stem.endswith("s") and not stem.isupper()
        found = _NEXT.match(text, mention.end)
        while found is not None:
            wholes = (f"{own}{gap}{found['ending']}" for own in (stem, stem.removesuffix("s")))
            shared = next((whole for whole in wholes if _is_protein(whole, known)), "")
            joined = bool(found["hyphen"]) or "/" in found["join"] or is_plural
            same_kind = found["ending"][0].isdigit() == split["ending"][0].isdigit()
            if not shared or not joined or not same_kind:
                break
            yield replace(mention, start=found.start("ending"), end=found.end("ending"), name=shared)
            found = _NEXT.match(text, found.end())
    greek = re.match(rf"(?:{_GREEK})[-‐–](?P<stem>[a-z]{{4,}}.*)", name)
    before = _FIRST_PARTS.search(text[max(0, mention.start - 40) : mention.start]) if greek else None
    if greek and before:
        whole = f"{before['ending']}-{greek['stem']}"
        if _is_protein(whole, known):
            start = max(0, mention.start - 40) + before.start("ending")
            yield replace(mention, start=start, end=start + len(before["ending"]), name=whole)
