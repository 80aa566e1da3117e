"""Views by name: the sides from which a candidate can be looked at.

=====================  ==============================================================================================
``path``               words on the shortest dependency path
``path+edges``         the same with the dependencies walked, ``<E1> <nsubj binds prep_to> <E2>``
``path+context``       the words with what modifies them (negation, auxiliaries, particles, prepositions), and with what
                       governs both where one participant governs the other: *interaction between A and B*
``path+context+…``     ``path+context+descriptors``: the same followed by the descriptors as symbols;
                       see :mod:`relhash.structures.described_path`
``between``            the words between the participants
``window(b,a)``        the same with ``b`` words before the first and ``a`` words after the last
``role(r)``            the path from the trigger of an interaction to the participant in role ``r``
``interaction``        all participants of an interaction in one sequence; see :mod:`relhash.structures.interactions.roles`
``descriptors``        dense: a row of plain facts; see :mod:`relhash.structures.descriptors`
``clues``              dense: how likely the parts of an interaction are; see :mod:`relhash.structures.interactions.clues`
``contextual``         dense: what a sentence encoder says; see :mod:`relhash.structures.contextual`
=====================  ==============================================================================================

Sequences run in surface order of the participants, who appear as their role symbols; other entities appear as type symbols, a
mention of several words as one. Where a parse has no path, the flag ``<SHARED>`` or ``<DISCONNECTED>`` and the words
between take its place. With more than two participants the path runs from each to the next.

Views of your own are registered, or offered by an installed package as an entry point of the group ``relhash.views``: a
:class:`~relhash.structures.view.View`, or a function that makes one of the arguments in parentheses (strings).

>>> from relhash.structures.view import SequenceView
>>> VIEWS.register("names", SequenceView("names", lambda scene: [mention.text for mention in scene.candidate.mentions]))
>>> view("names").needs_parse, view("window(3,5)").name, view("descriptors").is_dense
(False, 'window(3,5)', True)
"""

from __future__ import annotations

import re
from collections.abc import Callable

from relhash.errors import ParameterError
from relhash.registry import Registry
from relhash.structures.contextual import ContextualView
from relhash.structures.described_path import DESCRIBED_PATH
from relhash.structures.descriptors import DescriptorView
from relhash.structures.path_views import PATH, PATH_WITH_CONTEXT, PATH_WITH_EDGES
from relhash.structures.view import SequenceView, View
from relhash.structures.word_views import BETWEEN, window

_NAME = re.compile(r"([^()]+)(?:\(([^()]*)\))?")


# the wing of interactions is imported when one of its views is asked for: pairs do without
def _role(*arguments: str) -> View:
    from relhash.structures.interactions.roles import role_view

    return role_view(*arguments)


def _interaction(*arguments: str) -> View:
    from relhash.structures.interactions.roles import INTERACTION_VIEW

    return _without_arguments(INTERACTION_VIEW, arguments)


def _clues(*arguments: str) -> View:
    from relhash.structures.interactions.clues import CLUES_VIEW

    return _without_arguments(CLUES_VIEW, arguments)


VIEWS: Registry[View | Callable[..., View]] = Registry(
    "view",
    "relhash.views",
    {
        "path": PATH, "path+edges": PATH_WITH_EDGES, "path+context": PATH_WITH_CONTEXT,
        "path+context+descriptors": DESCRIBED_PATH, "between": BETWEEN, "window": window,
        "role": _role, "interaction": _interaction, "descriptors": DescriptorView(), "contextual": ContextualView(),
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
