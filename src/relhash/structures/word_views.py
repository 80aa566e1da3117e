"""Views that need no parse: the words between the participants, and some around them."""

from __future__ import annotations

from relhash.errors import ParameterError
from relhash.structures.scene import Scene
from relhash.structures.view import SequenceView


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
