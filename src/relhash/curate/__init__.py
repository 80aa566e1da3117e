"""The page on which people teach a model by answers, and the same predictions over HTTP. Needs the extra ``web``."""
