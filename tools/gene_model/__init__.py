"""What ``tools/train_genes.py`` is made of: corpora, features as arrays, groups of words, the fit."""
