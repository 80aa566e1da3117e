"""Imports what models need of scipy, without numpy's tests and its translator of Fortran: a third of the time.

scipy takes everything that numpy names, and numpy loads these two parts when they are asked for. For the import something
empty stands in their place; later they are loaded as ever. Imported for its effect, before everything that imports scipy.
"""

import sys
from types import ModuleType

import numpy

_STAND_INS = [name for name in ("f2py", "testing") if not {"scipy.special", f"numpy.{name}"} & sys.modules.keys()]
vars(numpy).update({name: ModuleType(name) for name in _STAND_INS})
try:
    import scipy.sparse
    import scipy.special  # noqa: F401
finally:
    for _name in _STAND_INS:
        del vars(numpy)[_name]
