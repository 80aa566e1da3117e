"""The bill of materials of a release, as CycloneDX 1.5 JSON: packages with version, licence and hash, and shipped resources.

python tools/release/sbom.py dist/relhash-0.3.0.cdx.json
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from licences import ROOT, licence_of, packages

RESOURCES = ROOT / "src" / "relhash" / "resources"


def main() -> None:
    output = Path(sys.argv[1])
    made = bill()
    output.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{output.name}: {len(made['components'])} components")


def bill() -> dict[str, Any]:
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert version is not None
    own = f"pkg:pypi/relhash@{version[1]}"
    libraries = [_library(name, pinned) for name, pinned in packages().items()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library", "bom-ref": own, "name": "relhash", "version": version[1], "purl": own,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": [*libraries, *map(_resource, sorted(path for path in RESOURCES.rglob("*") if _ships(path)))],
        "dependencies": [{"ref": own, "dependsOn": [one["bom-ref"] for one in libraries]}],
    }  # fmt: skip


def _library(name: str, version: str) -> dict[str, Any]:
    purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
    line = re.search(rf"^{re.escape(name)}==.*sha256:([0-9a-f]{{64}})", _constraints(), re.MULTILINE)
    component: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}
    if line is not None:
        component["hashes"] = [{"alg": "SHA-256", "content": line[1]}]
    return component | {"licenses": [{"license": {"name": licence_of(name)}}]}


def _resource(path: Path) -> dict[str, Any]:
    name = path.relative_to(RESOURCES.parent).as_posix()
    content = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"type": "data", "bom-ref": name, "name": name, "hashes": [{"alg": "SHA-256", "content": content}]}


def _ships(path: Path) -> bool:
    return path.is_file() and path.suffix not in (".py", ".pyc")


def _constraints() -> str:
    return (ROOT / "constraints.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    main()
