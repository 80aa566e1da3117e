"""How many of the stated interactions are among the candidates of a model, and why the others are not?

    RELHASH_DATA=../shared/data python benchmarks/interaction_coverage.py [--model events]

On the development set of BioNLP 2013, with its proteins. An interaction is lost for the first reason that holds.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

import relhash
from relhash.bench.datasets.bionlp import development_documents
from relhash.bench.datasets.dataset import data_root
from relhash.candidates.graph import Connection
from relhash.candidates.scene import Stage
from relhash.candidates.statements import (
    GoldInteraction,
    InteractionPolicy,
    gold_interactions,
    interaction_candidates,
    interaction_type,
    participants,
)
from relhash.candidates.statements.triggers import trigger_token
from relhash.corpus import Document
from relhash.show.provenance import provenance, shipped_parses


def reason(document: Document, one: GoldInteraction, policy: InteractionPolicy) -> str:
    """Why no candidate supposes an interaction."""
    words = [document.mention_by_id[mention] for _, mention in one.roles]
    trigger = document.mention_by_id[one.trigger or ""]
    number = next((n for n, s in enumerate(document.sentences) if s.start <= trigger.start < s.end), None)
    if number is None or any(
        not document.sentences[number].start <= word.start < document.sentences[number].end for word in words
    ):
        return "not in one sentence"
    stage = Stage(document, number)
    token = trigger_token(stage, trigger)
    if not stage.is_free(token):
        return "the trigger is part of an entity"
    types = {found.type for found in policy.triggers(stage) if found.token == token}
    if not types:
        return "no word that may name anything"
    if one.type not in types:
        return "a word that may name something else"
    for word in words:
        path = stage.graph.shortest_path((token,), stage.tokens_of(word))
        if path.connection is Connection.DISCONNECTED or len(path.edges) > policy.max_distance:
            return "a participant too far away in the graph"
    if any(word.id in stage.cell_markers for word in words):
        return "a participant that only names cells"
    return "beyond the bounds of a sentence (doubt, participants, candidates)"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="events")
    parser.add_argument("--data", type=Path, default=None)
    parser.add_argument("-o", "--output", type=Path, default=None)
    given = parser.parse_args()
    model = relhash.load(given.model)
    policy = model.policy
    assert isinstance(policy, InteractionPolicy)
    counts: Counter[str] = Counter()
    candidates = sentences = 0
    for document in model.read(development_documents(data_root(given.data))):
        gold = gold_interactions(document)
        found = [one for one in interaction_candidates([document], policy) if len(one.mentions) > 2]
        candidates += len(found)
        sentences += len({one.sentence for one in found})
        met = set()
        for one in found:
            roles = {role: mention.id for role, mention in participants(one).items()}
            met.update(gold.met(interaction_type(one), roles, one.trigger))
        for number, stated in enumerate(gold.distinct):
            counts["among the candidates" if number in met else reason(document, stated, policy)] += 1
    total = counts.total()
    report = {
        "stated": total,
        "candidates": candidates,
        "candidates_per_sentence": round(candidates / max(sentences, 1), 1),
        "reasons": {name: {"interactions": count, "share": round(count / total, 3)} for name, count in counts.most_common()},
    }
    print(json.dumps(report, indent=1))
    report["made"] = provenance(shipped_parses())
    if given.output is not None:
        given.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
