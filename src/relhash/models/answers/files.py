"""Answers from files, put to the candidates of the text that they are about."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from relhash.errors import CorpusError
from relhash.models.answers.answer import Answered, read_answers
from relhash.models.answers.teaching import Teaching


def answers_on(teaching: Teaching, paths: Iterable[Path]) -> list[Answered]:
    """The answers of the files; of a question that several files answer, the last file counts.

    An answer about a candidate that the text does not have, or whose names are others there, is an error: the file belongs to
    another text, or to another model.
    """
    found: dict[str, Answered] = {}
    remedy = "give the text and the model for which relhash review wrote it"
    for path in paths:
        for one in read_answers(path):
            row = teaching.row_of.get(one.key)
            if row is None:
                raise CorpusError(
                    f"an answer about {one.key!r}, which the text does not have", path=path, where=one.where, remedy=remedy
                )
            names = [mention.text for mention in teaching.candidates[row].mentions]
            if one.entities and not {" ".join(name.split()) for name in one.entities} <= {" ".join(n.split()) for n in names}:
                raise CorpusError(
                    f"an answer about {' and '.join(one.entities)}, where the text has {' and '.join(names)}",
                    path=path,
                    where=one.where,
                    remedy=remedy,
                )
            found[one.key] = one
    return list(found.values())
