"""The gene tagger: mentions of genes and proteins with a certainty each; a wing of the room."""

VERSION = "1.0.2"
"""Of the program, beside the weights: raised whenever it finds other mentions, or other certainties, with the same weights."""
