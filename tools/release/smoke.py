"""Does an installed RelHash work? Run by the Python of a clean environment, outside the checkout; prints what it tried."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import relhash

CHECKOUT = Path(__file__).resolve().parents[2]
TEXT = "RAF1 binds to MEK1 in resting cells. TNF does not activate IL2."


def main() -> None:
    home = Path(relhash.__file__).resolve()
    assert not home.is_relative_to(CHECKOUT), f"{home} is the checkout, not an installed package"
    assert relhash.__version__ == sys.argv[1], relhash.__version__
    Path("text.txt").write_text(TEXT, encoding="utf-8")
    run("--version")
    run("info")
    run("inspect", "text.txt")
    run("predict", "ppi", "text.txt", "-o", "rows.tsv")
    rows = Path("rows.tsv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 2, rows
    assert "RAF1" in rows[1], rows
    run("fit", "--adapt", "text.txt", "-o", "m.relhash", "--expect", "0.5", "-q")
    run("predict", "m.relhash", "text.txt", "-o", "own.jsonl")
    run("explain", "ppi", "text.txt", "-o", "why.html")
    assert Path("why.html").stat().st_size > 1000
    left = sorted(path.name for path in Path().iterdir() if path.name.endswith((".kept", ".tmp")))
    assert not left, left
    print("smoke test: all is well")


def run(*arguments: str) -> None:
    command = Path(sys.executable).with_name("relhash")
    done = subprocess.run([str(command), *arguments], capture_output=True, text=True, check=False)
    print(f"$ relhash {' '.join(arguments)}: {done.returncode}")
    if done.returncode:
        sys.exit(done.stdout + done.stderr)


if __name__ == "__main__":
    main()
