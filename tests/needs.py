"""Tests that need a program of the machine say so: `@needs("node", "npm")`."""

from __future__ import annotations

import sys
from shutil import which

import pytest


def needs(*programs: str) -> pytest.MarkDecorator:
    """A mark that skips a test, with the reason, where one of the programs is missing."""
    missing = [program for program in programs if which(program) is None]
    return pytest.mark.skipif(bool(missing), reason=f"needs {', '.join(missing)}, not found here")


needs_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux tells of other processes' memory"
)
