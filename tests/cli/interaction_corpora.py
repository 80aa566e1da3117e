"""Little corpora of interactions in the form of the BioNLP shared tasks, and the meaning graphs of their sentences."""

from __future__ import annotations

from pathlib import Path

import relhash
from relhash.candidates.statements import gold_interactions

NAMES = ["MEK1", "ERK2", "AKT1", "SOS1", "RAF1"]
VERBS = {"phosphorylates": "Phosphorylation", "activates": "Positive_regulation", "resembles": None, "follows": None}


def standoff(folder: Path, pairs: list[tuple[str, str]]) -> Path:
    """One document per sentence."""
    folder.mkdir()
    for first, second in pairs:
        for verb, kind in VERBS.items():
            text = f"{first} {verb} {second} in these cells."
            place, end = len(first) + 1, len(first) + 1 + len(verb)
            name = folder / f"{first}-{second}-{verb}"
            name.with_suffix(".txt").write_text(text)
            name.with_suffix(".a1").write_text(
                f"T1\tProtein 0 {len(first)}\t{first}\nT2\tProtein {end + 1} {end + 1 + len(second)}\t{second}\n"
            )
            events = f"T3\t{kind} {place} {end}\t{verb}\nE1\t{kind}:T3 Theme:T2 Cause:T1\n" if kind else ""
            name.with_suffix(".a2").write_text(events)
    return folder


def graphs(folder: Path, pairs: list[tuple[str, str]]) -> Path:
    """A graph of each sentence."""
    folder.mkdir()
    entity = '({0} / enzyme :name ({0}n / name :op1 "{1}"))'
    blocks = [
        f"# ::id {first}-{second}-{verb}\n# ::snt {first} {verb} {second} in these cells.\n"
        f"(v / {verb.removesuffix('s')}-01 :ARG0 {entity.format('a', first)} :ARG1 {entity.format('b', second)})\n"
        for first, second in pairs
        for verb in VERBS
    ]
    (folder / "graphs.txt").write_text("\n".join(blocks))
    return folder


def stated(document: relhash.Document) -> set[tuple[str, str, str]]:
    """Type, cause and theme of each interaction that the document states."""
    found = set()
    for one in gold_interactions(document).stated:
        roles = {role: document.mention_by_id[mention].text for role, mention in one.roles}
        found.add((one.type, roles["cause"], roles["theme"]))
    return found
