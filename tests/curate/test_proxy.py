"""The server behind nginx, with the very lines that the documentation shows."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from relhash.curate import serving
from relhash.curate.application import ServerSettings, create_application
from relhash.curate.guard import Limits
from relhash.curate.serving import listen

PAGE = Path(__file__).parents[2] / "docs" / "server.md"
CONFIG = """daemon off; pid {place}/pid; error_log {place}/error.log;
events {{}}
http {{ access_log off; client_body_temp_path {place}/a; proxy_temp_path {place}/b; fastcgi_temp_path {place}/c;
uwsgi_temp_path {place}/d; scgi_temp_path {place}/e; server {{ listen 127.0.0.1:{port}; {snippet} }} }}"""


@pytest.fixture
def proxied(teaching: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    if (nginx := shutil.which("nginx")) is None:
        pytest.skip("nginx is not installed")
    servers: list[uvicorn.Server] = []
    own = uvicorn.Server
    monkeypatch.setattr(uvicorn, "Server", lambda config: servers.append(own(config)) or servers[-1])
    settings = ServerSettings(names=("relhash.example.org",), root="/relhash", limits=Limits(rate=0.001, burst=4))
    behind, free = listen("127.0.0.1", 0), listen("127.0.0.1", 0)
    port = free.getsockname()[1]
    free.close()
    given = re.search(r"```nginx\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert given is not None
    snippet = given[1].replace("8000", str(behind.getsockname()[1]))
    (tmp_path / "nginx.conf").write_text(CONFIG.format(place=tmp_path, port=port, snippet=snippet))
    application = create_application(teaching.model, settings=settings)
    thread = threading.Thread(target=serving.run, args=(application, behind), kwargs={"behind_proxy": True}, daemon=True)
    thread.start()
    proxy = subprocess.Popen([nginx, "-c", str(tmp_path / "nginx.conf")], stderr=subprocess.DEVNULL)
    for _ in range(600):
        if servers and servers[0].started and (tmp_path / "pid").exists():
            break
        time.sleep(0.05)
    name = {"Host": "relhash.example.org"}
    with httpx.Client(base_url=f"http://127.0.0.1:{port}/relhash", headers=name, timeout=60) as client:
        yield client
    proxy.terminate()
    proxy.wait(60)
    servers[0].should_exit = True
    thread.join(60)


def test_the_server_behind_a_proxy(proxied: httpx.Client) -> None:
    assert proxied.get("/").headers["location"] == "/relhash/api"
    page = proxied.get("/api").text
    assert 'href="/relhash/static/base.css"' in page
    assert proxied.get("/static/base.css").status_code == 200
    assert proxied.get("/api/openapi.json").json()["servers"] == [{"url": "/relhash"}]
    assert proxied.get("/health").status_code == 429  # that was the fifth request of this address


def test_a_name_that_is_not_trusted_is_refused(proxied: httpx.Client) -> None:
    assert proxied.get("/health", headers={"Host": "elsewhere.example.org"}).status_code == 421
