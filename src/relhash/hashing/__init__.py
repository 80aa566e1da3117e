"""Bits that generalise: nearly-unsupervised hashcodes."""
