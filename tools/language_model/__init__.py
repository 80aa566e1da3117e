"""What `tools/train_language_model.py` is made of: the tokenizer, the reading of treebanks and IOB files, the two trainings."""
