"""The rows of a table: presets, baselines, plain rivals and rows with a prior, behind one contract."""
