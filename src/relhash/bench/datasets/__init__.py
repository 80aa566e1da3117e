"""The data sets of the protocols, prepared once for many runs."""
