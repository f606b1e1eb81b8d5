"""Guards of the house: what no single part would notice."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs

HOUSE = Path(__file__).parent.parent
ROOTS = ("proto", "engine", "server", "client", "bots")
PACKAGES = [
    path.relative_to(HOUSE)
    for root in ROOTS
    for path in sorted((HOUSE / root / "qin").iterdir())
    if path.is_dir() and path.name != "__pycache__"
]
MODULES = [
    path.relative_to(HOUSE)
    for folder in (*ROOTS, "tests", "examples")
    for path in sorted((HOUSE / folder).rglob("*.py"))
    if not path.stem.endswith(("_pb2", "_pb2_grpc"))
]


@pytest.mark.parametrize("root", ROOTS)
def test_qin_is_a_namespace(root: str) -> None:
    """A qin/__init__.py in one root would hide the other four."""
    assert (HOUSE / root / "qin").is_dir()
    assert not list((HOUSE / root / "qin").glob("__init__.*"))


@pytest.mark.parametrize("package", PACKAGES, ids=str)
def test_every_package_is_typed(package: Path) -> None:
    assert (HOUSE / package / "py.typed").is_file()


def test_every_root_has_a_package() -> None:
    assert {package.parts[0] for package in PACKAGES} == set(ROOTS)


def test_the_stubs_are_up_to_date() -> None:
    command = [sys.executable, str(HOUSE / "proto" / "generate.py"), "--check"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_modules_fit_in_a_head(module: Path) -> None:
    assert len((HOUSE / module).read_text("utf-8").splitlines()) <= 400


def test_what_a_machine_lacks_is_skipped_by_name() -> None:
    lacking, there = needs("sh", "no-such-program"), needs("sh")
    assert lacking.args == (True,)
    assert "no-such-program" in lacking.kwargs["reason"]
    assert there.args == (False,)
