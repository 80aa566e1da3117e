"""From parsed sentences to relation candidates and the arrays that later rooms compute on."""

from relhash.structures.paths import PathSet, StructureSet

__all__ = ["PathSet", "StructureSet"]
