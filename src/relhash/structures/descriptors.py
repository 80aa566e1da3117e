"""Descriptors: a row of plain facts about a candidate, none of which needs a label.

Counts come as ``log(1 + count)``, facts as 0 or 1. Without a parse all columns about the path are 0, so a row always
exists. The list is the one that helped most across corpora in our trials. Words inside entity names are no trigger words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import log1p

import numpy as np
from numpy.typing import NDArray

from relhash.corpus.document import Mention
from relhash.structures.candidates import Candidate, overlap
from relhash.structures.graph import Connection
from relhash.structures.scene import Scene, Stage, scenes
from relhash.structures.symbols import is_symbol

__all__ = ["COLUMNS", "Describer", "descriptors"]

STEM_GROUPS = {
    "binding": "bind bound interact associat coprecipitat co-precipitat immunoprecipitat coimmunoprecipit co-immunoprecipit "
    "dimer heterodimer homodimer oligomer attach recruit contact ligand complex coupl cross-link crosslink two-hybrid affinity",
    "activation": "activat stimulat induc enhanc promot upregulat up-regulat increas trigger potentiat transactivat elevat",
    "inhibition": "inhibit suppress repress block antagoni prevent reduc decreas downregulat down-regulat abolish inactivat "
    "attenuat impair neutraliz abrogat",
    "modification": "phosphorylat dephosphorylat autophosphorylat acetylat deacetylat methylat ubiquitin sumoyl cleav modif "
    "glycosylat hydroly degrad proteoly",
    "regulation": "regulat modulat mediat control affect influenc depend requir effect alter respons target",
    "part_of": "subunit component contain consist compris domain member compos constitut assembl include",
}
NEAR = 5
"""How many words before the first or after the last participant count as near."""

_NEGATIONS = frozenset(
    {"no", "not", "n't", "neither", "nor", "never", "without", "cannot", "fail", "failed", "fails", "lack", "lacks"}
)
_COORDINATIONS = frozenset({"and", "or", "nor", "&", "plus", "as"})
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_FOLLOWERS = {
    "hyphen": frozenset({"-", "–", "—", "/", "‐", ":", "·", "*", "."}),
    "parenthesis": _OPENING | _CLOSING,
    "and": frozenset({"and", "or", "&"}),
    "comma": frozenset({",", ";"}),
}
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

COLUMNS: tuple[str, ...] = (
    "log_entities", "log_entities_between", "log_words_between", "log_words_before", "log_words_after", "adjacent",
    "same_name", "nested", "shared_token", "parenthesis_between", "unclosed_parenthesis_between", "negation_between",
    "negation_near", "coordination_between", "comma_between",
    *(f"followed_by_{name}" for name in _FOLLOWERS),
    "has_path", "log_path_nodes", "log_path_entities", "log_steps_up", "log_steps_down",
    *(f"path_{name}" for name in _LABEL_KINDS),
    *(f"top_{name}" for name in _TOP_KINDS),
    "path_negation",
    *(f"{group}_{place}" for group in STEM_GROUPS for place in ("between", "path", "near", "closeness")),
)  # fmt: skip
"""Names of the columns, in order."""


def descriptors(candidates: Iterable[Candidate]) -> NDArray[np.float32]:
    """The descriptors of ``candidates``, a row each; :data:`COLUMNS` names the columns.

    >>> from relhash.corpus import Document, Mention
    >>> names = (Mention("T1", "protein", ((0, 3),), "Ras"), Mention("T2", "protein", ((10, 13),), "Raf"))
    >>> row = descriptors([Candidate(Document("d", "Ras binds Raf", mentions=names), 0, names, ("e1", "e2"))])[0]
    >>> [name for name, value in zip(COLUMNS, row) if value == 1]
    ['binding_between']
    """
    describe = Describer()
    rows = [describe(scene) for scene in scenes(candidates)]
    return np.array(rows, np.float32).reshape(len(rows), len(COLUMNS))


class Describer:
    """Makes the row of one scene after the other; keeps what the candidates of a sentence share."""

    def __init__(self) -> None:
        self._stage: Stage | None = None
        self._triggers: dict[int, tuple[int, ...]] = {}
        self._negations: list[int] = []

    def __call__(self, scene: Scene) -> list[float]:
        if scene.stage is not self._stage:
            self._prepare(scene.stage)
        first, last = scene.tokens[0][0], max(tokens[-1] for tokens in scene.tokens)
        inner = [label for labels in scene.between for label in labels]
        left, right = _gap(scene.tokens[0], scene.tokens[-1])
        on_path, path_columns = self._path(scene)
        return [
            *self._words(scene, inner, first, last),
            *path_columns,
            *self._trigger_words(scene.tokens, (left, right), (first, last), on_path),
        ]

    def _prepare(self, stage: Stage) -> None:
        self._stage = stage
        labels = stage.blinded[0]
        self._triggers = {token: groups for token, label in enumerate(labels) if (groups := stem_groups(label))}
        self._negations = [token for token, label in enumerate(labels) if label in _NEGATIONS]

    def _words(self, scene: Scene, inner: Sequence[str], first: int, last: int) -> list[float]:
        mentions = scene.candidate.mentions
        start, end = mentions[0], mentions[-1]
        opened = sum(label in _OPENING for label in inner)
        closed = sum(label in _CLOSING for label in inner)
        entities = sum(is_symbol(label) and label != "<NUMBER>" for label in inner)
        follower = inner[0] if inner else ""
        near = range(first - NEAR, last + NEAR + 1)
        return [
            log1p(len(scene.stage.mentions)),
            log1p(entities),
            log1p(len(inner)),
            log1p(first),
            log1p(len(scene.labels) - 1 - last),
            float(not inner),
            float(_same_name(start, end)),
            float(overlap(start, end)),
            float(not set(scene.tokens[0]).isdisjoint(scene.tokens[-1])),
            float(opened + closed > 0),
            float(opened != closed),
            float(any(label in _NEGATIONS for label in inner)),
            float(any(token in near for token in self._negations)),
            float(any(label in _COORDINATIONS for label in inner)),
            log1p(sum(label in (",", ";") for label in inner)),
            *(float(follower in signs) for signs in _FOLLOWERS.values()),
        ]

    def _path(self, scene: Scene) -> tuple[set[int], list[float]]:
        """Tokens on the path, and the columns about it."""
        found = scene.paths if scene.stage.is_parsed else []
        if not found or any(path.connection is not Connection.PATH for path in found):
            return set(), [0.0] * (5 + len(_LABEL_KINDS) + len(_TOP_KINDS) + 1)
        nodes = [token for path in found for token in path.tokens[1:-1]]
        edges = [edge for path in found for edge in path.edges]
        up = sum(edge[0] == "<" for edge in edges)
        kinds = {kind for edge in edges for kind in label_kinds(edge.strip("<>"))}
        tops = [
            path.tokens[next((i for i, edge in enumerate(path.edges) if edge[0] != "<"), len(path.edges))] for path in found
        ]
        top_kinds = {_top_kind(scene, top) for top in tops}
        around = {other for token in nodes for other in scene.stage.graph.steps[token]} | set(nodes)
        others = {scene.owners[token] for token in nodes if scene.owners[token] >= 0}
        return set(nodes), [
            1.0,
            log1p(len(nodes)),
            log1p(len(others)),
            log1p(up),
            log1p(len(edges) - up),
            *(float(kind in kinds) for kind in _LABEL_KINDS),
            *(float(kind in top_kinds) for kind in _TOP_KINDS),
            float(any(token in around for token in self._negations)),
        ]

    def _trigger_words(
        self, participants: Sequence[Sequence[int]], gap: tuple[int, int], extent: tuple[int, int], on_path: set[int]
    ) -> list[float]:
        columns = [0.0] * (4 * len(STEM_GROUPS))
        for token, groups in self._triggers.items():
            distance = min(abs(token - own) for tokens in participants for own in tokens)
            between = gap[0] < token < gap[1]
            near = extent[0] - NEAR <= token < extent[0] or extent[1] < token <= extent[1] + NEAR
            for group in groups:
                position = 4 * group
                if between:
                    columns[position] = 1.0
                if token in on_path:
                    columns[position + 1] = 1.0
                if near:
                    columns[position + 2] = 1.0
                columns[position + 3] = max(columns[position + 3], 1.0 / (1.0 + distance))
        return columns


@lru_cache(maxsize=65536)
def stem_groups(label: str) -> tuple[int, ...]:
    """Numbers of the stem groups a word belongs to.

    >>> [list(STEM_GROUPS)[number] for number in stem_groups("phosphorylates")]
    ['modification']
    """
    if is_symbol(label):
        return ()
    return tuple(number for number, stems in enumerate(_STEMS) if label.startswith(stems))


@lru_cache(maxsize=4096)
def label_kinds(label: str) -> tuple[str, ...]:
    """Kinds of a dependency label, in any scheme: ``prep_by`` is an agent and a preposition."""
    exact = {kind for kind, labels in _LABEL_KINDS.items() if label in labels}
    base = label.replace(":", "_").split("_")[0]
    if not exact or base in ("prep", "prepc", "nmod", "obl"):
        exact |= {kind for kind, labels in _LABEL_KINDS.items() if base in labels or base.removesuffix("c") in labels}
    return tuple(kind for kind in _LABEL_KINDS if kind in exact)


_STEMS = tuple(tuple(stems.split()) for stems in STEM_GROUPS.values())


def _gap(left: Sequence[int], right: Sequence[int]) -> tuple[int, int]:
    """The last token of the first participant before the second begins, and where that is."""
    return max((token for token in left if token <= right[0]), default=right[0]), right[0]


def _same_name(first: Mention, second: Mention) -> bool:
    return first.text.casefold() == second.text.casefold()


def _top_kind(scene: Scene, token: int) -> str:
    owner = scene.owners[token]
    if owner <= -2:
        return "participant"
    if owner >= 0:
        return "entity"
    pos = scene.stage.tokens[token].pos
    for kind, tags in (("verb", ("V", "AUX")), ("noun", ("N", "PROPN")), ("adjective", ("J", "ADJ"))):
        if pos.startswith(tags):
            return kind
    return ""
