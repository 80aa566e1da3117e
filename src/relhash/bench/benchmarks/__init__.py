"""Benchmarks with a shape of their own: raw text, sheets of labels, answers, negation, the language pipeline."""
