"""The `qin` command under test: within this process, and as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from qin.cli.main import cli

RECORDS = Path(__file__).parent.parent / "conformance" / "records"


@pytest.fixture
def qin() -> Callable[..., Result]:
    """Run a command here; stdout and stderr are kept apart."""

    def run(*arguments: object, stdin: str | bytes | None = None, color: bool = False) -> Result:
        return CliRunner().invoke(
            cli, [str(argument) for argument in arguments], input=stdin, color=color
        )

    return run


@pytest.fixture
def qin_process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a command in a process of its own."""

    def run(
        *arguments: object, stdout: int = subprocess.PIPE, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "qin.cli", *map(str, arguments)],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
            text=True,
            encoding="utf-8",
            check=False,
            timeout=60,
        )

    return run


@pytest.fixture
def golden() -> Path:
    """A whole game of two players on bird."""
    return RECORDS / "01-bird-2-last-pagoda.qin"


@pytest.fixture(params=sorted(RECORDS.glob("*.qin")), ids=lambda path: path.stem)
def each_golden(request: pytest.FixtureRequest) -> Path:
    """Every golden record in turn."""
    path = request.param
    assert isinstance(path, Path)
    return path
