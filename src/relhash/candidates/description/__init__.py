"""What the columns of the descriptors say: one file per kind of fact, each with its ``COLUMNS`` and a class that fills them.

Such a class is made once for a sentence and called for every candidate in it.
"""
