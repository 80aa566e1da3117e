"""Meaning graphs (AMR) in the place of parses: read, aligned with their sentences, and put into documents."""
