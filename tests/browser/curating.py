"""``relhash curate`` in a process of its own, and a browser in front of it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from relhash.resources import resource_path
from tests.browser.test_report_page import CHROMIUM, QUIETLY

HOSTILE = {
    "<img src=x onerror=alert(1)>": "<script>alert(2)</script> RAF1 binds to MEK1 <img src=x onerror=alert(3)> in cells.",
    "../../etc/passwd?a=b#c": "</script><script>alert(4)</script> We show that RAF1 binds BRAF and MEK1 in vivo.",
    "bidi": "We show that RAF1 \u202e binds \u2066MEK1\u2069 in \u200bcells.",
    "ansi": "We show that RAF1 binds to MEK1 in red cells \x1b[31mhere. \x1b]0;title\x07 RAF1 binds MEK1.",
    'quotes" onload="alert(5)': "RAF1' onmouseover='alert(6) binds MEK1 {{7*7}} ${7*7} in cells.",
    "line\u2028end": "RAF1 interacts with MEK1\u2028in cells; 𝛼-RAF1 \U0001f9ec binds to MEK1.",
}
"""Documents that try to be read as something else than text: ids and words."""


def write_text(path: Path, n: int = 15) -> None:
    """Demo abstracts and the hostile documents as JSON Lines."""
    abstracts = resource_path("demo", "raw_abstracts.txt").read_text(encoding="utf-8").splitlines()[:n]
    documents = {f"demo {number}": text for number, text in enumerate(abstracts, 1)} | HOSTILE
    lines = (json.dumps({"id": identifier, "text": text}) for identifier, text in documents.items())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


class Curating:
    """A server that can be killed and started again on the same port and database."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.address = folder, ""
        # a socket that never listens keeps the port from others while no server has it; ours may take it (SO_REUSEADDR)
        self._place = socket.socket()
        self._place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._place.bind(("127.0.0.1", 0))
        self._process: subprocess.Popen[str] | None = None
        self._problems: list[str] = []

    def start(self) -> None:
        program = "from relhash.cli.main import main; main()"
        command = [sys.executable, "-c", program, "curate", "ppi", "text.jsonl", "--db", "answers.sqlite"]
        self._process = subprocess.Popen(
            [*command, "--port", str(self._place.getsockname()[1]), "--curator", "anna", "--quiet"],
            cwd=self.folder,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        threading.Thread(target=self._problems.extend, args=(self._process.stderr,), daemon=True).start()
        self.address = self._process.stdout.readline().strip().rstrip("/")
        assert self.address.startswith("http://127.0.0.1:"), "".join(self._problems)

    def end(self) -> None:
        self.kill()
        self._place.close()

    def kill(self) -> None:
        """As ``kill -9``."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    @property
    def problems(self) -> str:
        """What the server wrote on standard error."""
        return "".join(self._problems)


@contextmanager
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIETLY], timeout=300_000)
        yield browser
        browser.close()


class Watched:
    """A page of a browser; what scripts, the console or the page's policy complain of is kept."""

    def __init__(self, browser: Any, **context: Any) -> None:
        self.complaints: list[str] = []
        self.context = browser.new_context(**context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(60_000)  # a busy machine is slow, not wrong
        self.page.on("console", lambda one: self.complaints.append(f"{one.type}: {one.text}"))
        self.page.on("pageerror", lambda one: self.complaints.append(f"error: {one}"))
        self.page.on("dialog", self._dialog)

    def _dialog(self, dialog: Any) -> None:
        self.complaints.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def close(self) -> None:
        self.context.close()

    @property
    def overflow(self) -> int:
        return int(self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))
