"""constraints.txt: every package that the core install brings, pinned, with the sha256 of the file that pip would take.

    python tools/release/lock.py dist/relhash-0.3.0-py3-none-any.whl

It asks pip itself (``pip install --dry-run --report``) and writes names, versions and hashes only, no address. The hashes are
those of the files for this Python and this kind of machine, which the head of the file names.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = ROOT / "constraints.txt"


def main() -> None:
    wheel = Path(sys.argv[1])
    CONSTRAINTS.write_text(locked(pip_report(wheel)), encoding="utf-8")
    print(f"{CONSTRAINTS.name}: {CONSTRAINTS.read_text(encoding='utf-8').count('--hash')} packages")


def pip_report(wheel: Path) -> dict[str, Any]:
    """What pip would install into an empty environment."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--dry-run",
             "--ignore-installed", "--report", str(report), str(wheel)],
            check=True,
        )  # fmt: skip
        return json.loads(report.read_text(encoding="utf-8"))


def locked(report: dict[str, Any]) -> str:
    """The report as a file of constraints; relhash itself is not in it."""
    where = f"CPython {platform.python_version()} on {platform.system()} {platform.machine()}"
    lines = [
        f"# What `pip install relhash` brings, for {where}; made by tools/release/lock.py (make release).",
        "# pip install --require-hashes -r constraints.txt && pip install --no-deps relhash",
    ]
    for item in sorted(report["install"], key=lambda one: one["metadata"]["name"].lower()):
        name, version = item["metadata"]["name"], item["metadata"]["version"]
        if name != "relhash":
            lines.append(f"{name}=={version} --hash=sha256:{item['download_info']['archive_info']['hashes']['sha256']}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
