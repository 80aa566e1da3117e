"""Tables that people fill in or export: a wing of the corpus room.

``reader`` cuts a file into ``rows`` (those of Excel by ``workbook``), asks ``columns`` by their ``headings`` what each cell
means, ``places`` where its entities stand, and ``labels`` what was said of them. Tables of texts go to ``text``. ``output``
writes relations as rows.
"""
