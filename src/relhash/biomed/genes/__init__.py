"""The taggers of names: mentions with a type and a certainty each; a wing of the room."""

VERSION = "2.0.0"
"""Of the program, beside the weights: raised whenever it finds other mentions, or other certainties, with the same weights."""
