"""Tables that people fill in or export: a wing of the corpus room.

``reader`` takes the rows of a file from ``sheets``, asks ``columns`` what each cell means and ``labels`` what was said of a
pair, and finds the two entities in the text. ``output`` writes relations as rows.
"""
