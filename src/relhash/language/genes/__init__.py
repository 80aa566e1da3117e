"""The gene tagger: mentions of genes and proteins with a certainty each; a wing of the room."""
