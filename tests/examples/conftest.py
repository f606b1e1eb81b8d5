"""The Node example with its packages, installed once into a copy."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def node_example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """examples/node as it lies beside proto/, with everything that package.json asks for."""
    house = tmp_path_factory.mktemp("house")
    contract = shutil.ignore_patterns("*.py", "*.pyi", "__pycache__")
    shutil.copytree(HOUSE / "proto", house / "proto", ignore=contract)
    example = house / "examples" / "node"
    shutil.copytree(HOUSE / "examples" / "node", example, ignore=lambda *_: {"node_modules"})
    npm = shutil.which("npm")
    assert npm
    command = [npm, "install", "--no-audit", "--no-fund", "--prefer-offline"]
    ran = subprocess.run(
        command, cwd=example, capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return example
