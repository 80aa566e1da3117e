"""Interactions: a trigger that gives the type, and participants in roles."""
