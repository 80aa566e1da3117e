"""The first call of a compiled function compiles it: no deadline a test can know."""

from hypothesis import settings

settings.register_profile("compiled", deadline=None)
settings.load_profile("compiled")
