"""Answers that people give: asked for, read from files, learned from, and what they say of a table."""
