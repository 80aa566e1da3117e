"""Views by name: the sides from which a candidate can be looked at.

=====================  ==============================================================================================
``path``               words on the shortest dependency path
``path+edges``         the same with the dependencies walked, ``<E1> <nsubj binds prep_to> <E2>``
``path+pairs``         the same with a word and the dependency walked to it as one token
``path+context``       the words with what modifies them (negation, auxiliaries, particles, prepositions), and with what
                       governs both where one participant governs the other: *interaction between A and B*
``path+context+…``     ``path+context+descriptors``: the same followed by the descriptors as symbols
``between``            the words between the participants
``window(b,a)``        the same with ``b`` words before the first and ``a`` words after the last
``role(r)``            the path from the trigger of an interaction to the participant in role ``r``
``interaction``        all participants of an interaction in one sequence; see :mod:`relhash.candidates.statements.roles`
``descriptors``        dense: a row of plain facts; see :mod:`relhash.candidates.descriptors`
``clues``              dense: how likely the parts of an interaction are; see :mod:`relhash.candidates.statements.links`
``encoder``            dense: what the shipped transformer says; see :mod:`relhash.candidates.encoded`
=====================  ==============================================================================================

Sequences run in surface order of the participants, who appear as their role symbols; other entities appear as type symbols, a
mention of several words as one. Where a parse has no path, the flag ``<SHARED>`` or ``<DISCONNECTED>`` and the words
between take its place. With more than two participants the path runs from each to the next.

Views of your own are registered, or offered by an installed package as an entry point of the group ``relhash.views``: a
:class:`~relhash.candidates.view.View`, or a function that makes one of the arguments in parentheses (strings).

>>> from relhash.candidates.view import SequenceView
>>> VIEWS.register("names", SequenceView("names", lambda scene: [mention.text for mention in scene.candidate.mentions]))
>>> view("names").needs_parse, view("window(3,5)").name, view("descriptors").is_dense
(False, 'window(3,5)', True)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import expm1
from typing import NamedTuple

from relhash.biomed.cues import NEGATIONS
from relhash.candidates.descriptors import COLUMNS, DescriptorView, described, is_fact
from relhash.candidates.encoded import EncoderView
from relhash.candidates.graph import Connection, DependencyPath
from relhash.candidates.scene import Scene, windowed
from relhash.candidates.symbols import PAIRED, edge_down, edge_label, is_symbol, leads_down, leads_up
from relhash.candidates.view import SequenceView, View, tokens_and_edges_on, tokens_on, walk
from relhash.errors import ParameterError
from relhash.registry import Registry


def _between(scene: Scene) -> list[str]:
    sequence = scene.symbols[:1]
    for number in range(len(scene.tokens) - 1):
        sequence += scene.between[number]
        sequence.append(scene.symbols[number + 1])
    return sequence


BETWEEN = SequenceView("between", _between)


def window(*arguments: str) -> SequenceView:
    """The words between with ``before`` words before the first participant and ``after`` words after the last."""
    if len(arguments) != 2 or not all(argument.isdecimal() for argument in arguments):
        raise ParameterError("window takes two numbers of words, as in window(3,3)")
    before, after = map(int, arguments)

    def sequence(scene: Scene) -> list[str]:
        first, last = scene.tokens[0][0], max(tokens[-1] for tokens in scene.tokens)
        left = scene.shown(range(first - 1, -1, -1), before)
        right = scene.shown(range(last + 1, len(scene.stage.tokens)), after)
        return left[::-1] + _between(scene) + right

    return SequenceView(f"window({before},{after})", sequence)


_MODIFIERS = frozenset({"neg", "aux", "auxpass", "aux:pass", "prt", "compound:prt", "prep", "case", "preconj", "agent"})
_MODIFYING_EDGES = frozenset(map(edge_down, _MODIFIERS))
_EDGES_TO_NEGATIONS = frozenset(map(edge_down, ("det", "advmod")))


class InContext(NamedTuple):
    """A token of the sentence; or, with a ``word``, a preposition or conjunction that stands before it and that a collapsed
    dependency has swallowed. ``is_above`` marks what governs the whole path."""

    token: int
    word: str = ""
    is_above: bool = False

    def shown(self, scene: Scene) -> str:
        """How it shows in a sequence of ``scene``."""
        return self.word or scene.shown_as(self.token)


def in_context(scene: Scene, path: DependencyPath) -> list[InContext]:
    """A path between its two ends, which are left out, in the order of the walk; modifiers stand on their side of a word.

    *Ras did not bind to the domain of Raf* has the path *bind domain*; with its context it reads *did not bind to domain of*.
    """
    start, end = path.tokens[0], path.tokens[-1]
    on_path = set(path.tokens)
    found = list(_above(scene, start, on_path)) if all(map(leads_down, path.edges)) else []
    found += _with_modifiers(scene, start, on_path, show=False)
    before = start
    for stop in walk(scene, path):
        found += _swallowed(stop.edge, before if leads_up(stop.edge) else stop.token)
        found += _with_modifiers(scene, stop.token, on_path, show=not stop.inside and stop.token != end)
        before = stop.token
    if all(map(leads_up, path.edges)):
        found += _above(scene, end, on_path)
    return found


def _with_modifiers(scene: Scene, token: int, on_path: set[int], *, show: bool) -> list[InContext]:
    modifiers = [
        other
        for other, edge in scene.stage.graph.steps[token].items()  # from left to right
        if other not in on_path
        and (edge in _MODIFYING_EDGES or (edge in _EDGES_TO_NEGATIONS and scene.shown_as(other) in NEGATIONS))
    ]
    if not modifiers:
        return [InContext(token)] if show else []
    left = [InContext(other) for other in modifiers if other < token]
    right = [InContext(other) for other in modifiers if other > token]
    return [*left, InContext(token), *right] if show else [*left, *right]


def _above(scene: Scene, token: int, on_path: set[int]) -> Iterator[InContext]:
    """What governs a participant that itself governs the other: of *interaction between A and B*, the interaction."""
    for other, edge in scene.stage.graph.steps[token].items():
        if leads_up(edge) and other not in on_path:
            yield InContext(other, is_above=True)
            yield from (item._replace(is_above=True) for item in _swallowed(edge, token))


def _swallowed(edge: str, dependent: int) -> list[InContext]:
    """The words that a collapsed dependency stands for: ``prep_on_behalf_of`` for *on behalf of*."""
    return [InContext(dependent, word) for word in _words_of(edge)]


@lru_cache(maxsize=4096)
def _words_of(edge: str) -> tuple[str, ...]:
    label = edge_label(edge)
    if label == "agent":
        return ("by",)
    if label.startswith(("prep_", "prepc_", "conj_", "nmod:", "obl:")):
        word = label.replace(":", "_").split("_", 1)[1]
        if word not in ("poss", "tmod", "npmod"):
            return tuple(word.split("_"))
    return ()


def _path(scene: Scene) -> list[str]:
    return _along(scene, tokens_on)


def _with_edges(scene: Scene) -> list[str]:
    return _along(scene, tokens_and_edges_on)


def _in_pairs(scene: Scene) -> list[str]:
    """Each word with the edge walked to it as one token, so that words match only where their edges are equal."""
    pairs: list[str] = []
    for token in _with_edges(scene):
        is_edge = is_symbol(token) and leads_up(token) != leads_down(token)
        edge = pairs.pop() if pairs and pairs[-1].endswith(PAIRED) else ""
        pairs.append(("↑" if leads_up(token) else "↓") + edge_label(token) + PAIRED if is_edge else edge + token)
    return pairs


def _with_context(scene: Scene) -> list[str]:
    return _along(scene, lambda scene, path: [item.shown(scene) for item in in_context(scene, path)])


def _along(scene: Scene, inner: Callable[[Scene, DependencyPath], list[str]]) -> list[str]:
    """Participants with, between each and the next, what ``inner`` makes of the path, or a flag and the words between."""
    sequence = scene.symbols[:1]
    for number, path in enumerate(scene.paths):
        if path.connection is Connection.PATH:
            sequence += windowed(inner(scene, path), scene.warn_of_window)
        else:
            sequence += [*tokens_on(scene, path), *scene.between[number]]
        sequence.append(scene.symbols[number + 1])
    return sequence


PATH = SequenceView("path", _path, needs_parse=True)
PATH_WITH_EDGES = SequenceView("path+edges", _with_edges, needs_parse=True)
PATH_IN_PAIRS = SequenceView("path+pairs", _in_pairs, needs_parse=True)
PATH_WITH_CONTEXT = SequenceView("path+context", _with_context, needs_parse=True)


PARTS = 4
"""Levels of a number between 0 and 1."""

_KINDS = tuple((column, is_fact(column), column.startswith("log_")) for column in COLUMNS)


def descriptor_symbols(row: Sequence[float]) -> Iterator[str]:
    """The symbols of one row of descriptors. Counts have levels of 1, 2–3, 4–7, 8–15, …

    >>> row = [0.0] * len(COLUMNS)
    >>> row[COLUMNS.index("adjacent")] = 1.0
    >>> row[COLUMNS.index("log_words_between")] = 1.79  # five words
    >>> list(descriptor_symbols(row))
    ['<log_words_between=3>', '<adjacent>']
    """
    for value, (column, is_a_fact, is_count) in zip(row, _KINDS, strict=True):
        if not value:
            continue
        if is_a_fact:
            yield f"<{column}>"
        elif level := round(expm1(value)).bit_length() if is_count else round(PARTS * value):
            yield f"<{column}={level}>"


def _described(scene: Scene) -> list[str]:
    return [*_with_context(scene), *descriptor_symbols(described(scene))]


DESCRIBED_PATH = SequenceView("path+context+descriptors", _described, needs_parse=True)
_NAME = re.compile(r"([^()]+)(?:\(([^()]*)\))?")


# the wing of interactions is imported when one of its views is asked for: pairs do without
def _role(*arguments: str) -> View:
    from relhash.candidates.statements.roles import role_view

    return role_view(*arguments)


def _interaction(*arguments: str) -> View:
    from relhash.candidates.statements.roles import INTERACTION_VIEW

    return _without_arguments(INTERACTION_VIEW, arguments)


def _clues(*arguments: str) -> View:
    from relhash.candidates.statements.links import CLUES_VIEW

    return _without_arguments(CLUES_VIEW, arguments)


VIEWS: Registry[View | Callable[..., View]] = Registry(
    "view",
    "relhash.views",
    {
        "path": PATH, "path+edges": PATH_WITH_EDGES, "path+pairs": PATH_IN_PAIRS, "path+context": PATH_WITH_CONTEXT,
        "path+context+descriptors": DESCRIBED_PATH, "between": BETWEEN, "window": window,
        "role": _role, "interaction": _interaction, "descriptors": DescriptorView(), "encoder": EncoderView(),
        "clues": _clues,
    },
)  # fmt: skip


def view(name: str) -> View:
    """The view called ``name``, with its parameters in parentheses: ``"path+edges"``, ``"window(3,5)"``."""
    match = _NAME.fullmatch(name.replace(" ", ""))
    if match is None or match[1] not in VIEWS:
        raise ParameterError(f"unknown view {name!r}; there are {', '.join(VIEWS)}")
    arguments = match[2].split(",") if match[2] else []
    found = VIEWS[match[1]]
    try:
        return _without_arguments(found, arguments) if isinstance(found, View) else found(*arguments)
    except ParameterError as error:
        raise ParameterError(f"unknown view {name!r}: {error}; there are {', '.join(VIEWS)}") from error


def sequence_view(name: str) -> SequenceView:
    """The view called ``name``, which has to be one of sequences."""
    found = view(name)
    if not isinstance(found, SequenceView):
        raise ParameterError(f"view {name!r} has no sequences of tokens")
    return found


def _without_arguments(found: View, arguments: object) -> View:
    if arguments:
        raise ParameterError(f"view {found.name!r} takes nothing in parentheses")
    return found
