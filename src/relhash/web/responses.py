"""JSON that any text survives: halves of surrogate pairs too, which UTF-8 cannot hold."""

from __future__ import annotations

import json
from typing import Any

from fastapi.responses import JSONResponse


class PlainJSON(JSONResponse):
    """JSON in ASCII, without NaN."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode("ascii")
