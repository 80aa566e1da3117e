"""A release, made and tried: sdist, wheel, locked constraints, bill of materials, and a run from a clean environment.

    make release

Everything ends in ``dist``. The wheel is built from the sdist, so what is missing there is missing everywhere. Then an
environment outside the checkout gets the packages of constraints.txt, hashes checked, and the wheel; ``relhash demo`` and
``tools/release/smoke.py`` run there. ``--keep-constraints`` leaves constraints.txt as it is, to release what was locked before.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
DIST = ROOT / "dist"


def main() -> None:
    version = _version()
    shutil.rmtree(DIST, ignore_errors=True)
    _run(sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT))
    (wheel,) = DIST.glob("*.whl")
    (sdist,) = DIST.glob("*.tar.gz")
    assert f"-{version}-" in wheel.name, wheel
    if "--keep-constraints" not in sys.argv:
        _run(sys.executable, str(HERE / "lock.py"), str(wheel))
    shutil.copy(ROOT / "constraints.txt", DIST)
    _try(wheel, version)
    shutil.copy(ROOT / "packaging" / "licences.tsv", DIST)
    _run(sys.executable, str(HERE / "sbom.py"), str(DIST / f"relhash-{version}.cdx.json"))
    for file in sorted(DIST.iterdir()):
        print(f"{file.stat().st_size / 1e6:8.2f} MB  {file.name}")
    print(f"released {version}: {wheel.name}, {sdist.name}")


def _try(wheel: Path, version: str) -> None:
    """Install and run it where nothing of the checkout can be seen."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        venv.create(place / "venv", with_pip=True)
        python = place / "venv" / "bin" / "python"
        own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        own |= {"XDG_CACHE_HOME": str(place / "cache"), "OMP_NUM_THREADS": "1"}
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run(*install, "--require-hashes", "-r", str(ROOT / "constraints.txt"), cwd=place, env=own)
        _run(*install, "--no-deps", str(wheel), cwd=place, env=own)
        _run(str(python), "-m", "pip", "check", cwd=place, env=own)
        _run(str(python), str(HERE / "licences.py"), cwd=place, env=own)  # here everything that it names is installed
        _run(str(python.with_name("relhash")), "demo", cwd=place, env=own)
        _run(str(python), str(HERE / "smoke.py"), version, cwd=place, env=own)


def _version() -> str:
    found = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def _run(*command: str, **options: object) -> None:
    print("$", " ".join(Path(one).name if one.startswith("/") else one for one in command), flush=True)
    subprocess.run(command, check=True, **options)  # type: ignore[call-overload]


if __name__ == "__main__":
    main()
