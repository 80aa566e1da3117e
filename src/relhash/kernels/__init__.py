"""Similarity of relation structures."""
