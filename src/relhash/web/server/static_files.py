"""Style sheets and scripts of the page: read once from the package, so that no name from a client ever opens a file."""

from __future__ import annotations

import hashlib
from importlib.resources import files

from fastapi import APIRouter, HTTPException, Request
from fastapi.responses import Response

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
}


def static_routes() -> APIRouter:
    """GET /static/NAME for the files that are there now."""
    router = APIRouter()
    found: dict[str, tuple[bytes, str, str]] = {}
    for entry in files("relhash.web").joinpath("static").iterdir():
        suffix = "." + entry.name.rpartition(".")[2]
        if suffix in _TYPES:
            content = entry.read_bytes()
            found[entry.name] = content, _TYPES[suffix], f'"{hashlib.sha256(content).hexdigest()[:16]}"'

    @router.get("/static/{name}", include_in_schema=False)
    def static(name: str, request: Request) -> Response:
        if name not in found:
            raise HTTPException(404, "no such file")
        content, kind, tag = found[name]
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return router
