"""Answers and annotations that come from other programs or go to them: a wing of the web room."""
