"""Parameters as scikit-learn has them (``get_params``, ``set_params``, ``clone``, a ``repr``), without importing it.

A model that only predicts has kernels but fits nothing, and importing scikit-learn takes longer than predicting.
"""

from __future__ import annotations

import inspect
from typing import Any, Self

from relhash.errors import ParameterError


class Parameters:
    """An object whose parameters are the arguments of its ``__init__``, kept under the same names.

    >>> class Circle(Parameters):
    ...     def __init__(self, radius=1.0, colour="red"):
    ...         self.radius, self.colour = radius, colour
    >>> Circle(2.0).set_params(colour="blue")
    Circle(colour='blue', radius=2.0)
    """

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name; with ``deep`` also those of parameters that have some (``similarity__threshold``)."""
        found: dict[str, Any] = {}
        for name in _names(type(self)):
            value = found[name] = getattr(self, name)
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                found |= {f"{name}__{inner}": own for inner, own in value.get_params().items()}
        return found

    def set_params(self, **parameters: Any) -> Self:
        """The same object with other parameters."""
        for name, value in parameters.items():
            own, _, inner = name.partition("__")
            if own not in _names(type(self)):
                known = ", ".join(_names(type(self)))
                raise ParameterError(f"{type(self).__name__} has no parameter {own!r}; it has {known}")
            if inner:
                getattr(self, own).set_params(**{inner: value})
            else:
                setattr(self, own, value)
        return self

    def __repr__(self) -> str:
        """The parameters that are not the usual ones."""
        usual = inspect.signature(type(self)).parameters
        given = (f"{name}={getattr(self, name)!r}" for name in _names(type(self)) if _differs(getattr(self, name), usual[name]))
        return f"{type(self).__name__}({', '.join(given)})"


def _names(kind: type) -> tuple[str, ...]:
    return tuple(sorted(inspect.signature(kind).parameters))


def _differs(value: Any, parameter: inspect.Parameter) -> bool:
    return value is not parameter.default and repr(value) != repr(parameter.default)
