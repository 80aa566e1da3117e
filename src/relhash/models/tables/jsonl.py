"""JSON Lines: every row with all it has, lists included."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from relhash.corpus.source import open_text
from relhash.errors import CorpusError
from relhash.models.tables.format import Row, TextTable


class JsonLines(TextTable):
    """One JSON object per line."""

    def lines(self, rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
        return (json.dumps(row, ensure_ascii=False) for row in rows)

    def read(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        try:
            with open_text(path) as lines:
                for number, line in enumerate(lines, 1):
                    if not line.strip():
                        continue
                    row = json.loads(line)
                    if not isinstance(row, dict):
                        raise CorpusError("this line is no JSON object", path=path, where=number)
                    yield number, row
        except (ValueError, OSError, EOFError) as error:
            raise CorpusError(f"not JSON Lines ({error})", path=path, remedy="give what predict wrote") from error
