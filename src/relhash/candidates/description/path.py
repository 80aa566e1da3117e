"""What lies on the dependency path. All columns are 0 where there is none."""

from __future__ import annotations

from functools import lru_cache
from math import log1p

from relhash.candidates.description.triggers import TriggerFacts
from relhash.candidates.description.words import WordFacts
from relhash.candidates.scene import Scene, Stage
from relhash.candidates.symbols import edge_label, leads_up

_LABEL_KINDS = {
    "subject": ("nsubj", "csubj", "xsubj"),
    "passive_subject": ("nsubjpass", "csubjpass", "nsubj:pass", "csubj:pass"),
    "object": ("dobj", "obj", "iobj", "dative"),
    "agent": ("agent", "prep_by", "nmod:by", "nmod:agent", "obl:agent", "obl:by"),
    "preposition": ("prep", "pobj", "nmod", "obl", "pcomp"),
    "coordination": ("conj",),
    "apposition": ("appos", "abbrev", "parataxis"),
    "modifier": ("nn", "amod", "compound", "num", "hyphen", "npadvmod", "poss"),
    "clause": ("ccomp", "xcomp", "advcl", "rcmod", "relcl", "acl", "partmod", "vmod", "infmod", "purpcl"),
}
_TOP_KINDS = ("verb", "noun", "adjective", "participant", "entity")

COLUMNS = (
    "has_path", "log_path_nodes", "log_path_entities", "log_steps_up", "log_steps_down", "log_path_triggers",
    "log_path_coordinations", "path_one_step", "path_two_words", "path_only_lists", "path_only_modifiers",
    "path_ends_in_modifier",
    *(f"path_{name}" for name in _LABEL_KINDS),
    *(f"top_{name}" for name in _TOP_KINDS),
    "top_trigger", "top_root", "path_negation",
)  # fmt: skip


class PathFacts:
    def __init__(self, stage: Stage, triggers: TriggerFacts, words: WordFacts) -> None:
        self.stage = stage
        self._triggers = triggers
        self._negations = words.negations

    def __call__(self, scene: Scene) -> tuple[set[int], list[float]]:
        """Tokens on the path, and the columns about it."""
        if not scene.is_joined:
            return set(), [0.0] * len(COLUMNS)
        found = scene.paths
        nodes = [token for path in found for token in path.tokens[1:-1]]
        edges = [edge for path in found for edge in path.edges]
        up = sum(map(leads_up, edges))
        of_edges = [_kinds_of(edge) for edge in edges]
        kinds = {kind for of_edge in of_edges for kind in of_edge}
        tops = [path.top for path in found]
        top_kinds = {_top_kind(scene, top) for top in tops}
        on_path = set(nodes)
        others = {entity.id for token in nodes if (entity := scene.entity_of(token)) is not None}
        return on_path, [
            1.0,
            log1p(len(nodes)),
            log1p(len(others)),
            log1p(up),
            log1p(len(edges) - up),
            log1p(sum(token in self._triggers.groups for token in nodes)),
            log1p(sum("coordination" in of_edge for of_edge in of_edges)),
            float(len(edges) == 1),
            float(len(nodes) > 1 and scene.shown_as(nodes[0]) != scene.shown_as(nodes[-1])),
            float(all("coordination" in of_edge or "apposition" in of_edge for of_edge in of_edges)),
            float(all("modifier" in of_edge for of_edge in of_edges)),
            float("modifier" in of_edges[0] or "modifier" in of_edges[-1]),
            *map(float, map(kinds.__contains__, _LABEL_KINDS)),
            *map(float, map(top_kinds.__contains__, _TOP_KINDS)),
            float(any(top in self._triggers.groups for top in tops)),
            float(any(not self.stage.graph.governors[top] for top in tops)),
            float(self._is_denied(on_path)),
        ]

    def _is_denied(self, on_path: set[int]) -> bool:
        """Whether a negation stands on the path, or right beside it in the parse."""
        steps = self.stage.graph.steps
        return any(token in on_path or not on_path.isdisjoint(steps[token]) for token in self._negations)


@lru_cache(maxsize=4096)
def _kinds_of(edge: str) -> tuple[str, ...]:
    return label_kinds(edge_label(edge))


@lru_cache(maxsize=4096)
def label_kinds(label: str) -> tuple[str, ...]:
    """Kinds of a dependency label, in any scheme: ``prep_by`` is an agent and a preposition."""
    exact = {kind for kind, labels in _LABEL_KINDS.items() if label in labels}
    base = label.replace(":", "_").split("_")[0]
    if not exact or base in ("prep", "prepc", "nmod", "obl"):
        exact |= {kind for kind, labels in _LABEL_KINDS.items() if base in labels or base.removesuffix("c") in labels}
    return tuple(kind for kind in _LABEL_KINDS if kind in exact)


def _top_kind(scene: Scene, token: int) -> str:
    if scene.participant_of(token) is not None:
        return "participant"
    if not scene.is_free(token):
        return "entity"
    pos = scene.stage.tokens[token].pos
    for kind, tags in (("verb", ("V", "AUX")), ("noun", ("N", "PROPN")), ("adjective", ("J", "ADJ"))):
        if pos.startswith(tags):
            return kind
    return ""
