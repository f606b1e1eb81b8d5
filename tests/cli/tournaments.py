"""Tournaments as processes, for tests."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

BOTS = ("greedy", "random", "lookahead:width=2,samples=1")
LONG = (*BOTS, "--games", 36, "--board", "bird,lion", "--seed", 21, "--name", "long")


def records(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text("utf-8") for path in (folder / "records").iterdir()}


def started(*arguments: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "qin.cli", "tournament", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )


def wait_for_games(folder: Path, games: int, process: subprocess.Popen[str]) -> None:
    """Until so many are in the file, or the process has ended."""
    path = folder / "results.jsonl"
    for _ in range(6000):
        if process.poll() is not None or (
            path.exists() and path.read_bytes().count(b"\n") >= games
        ):
            return
        time.sleep(0.01)
    raise AssertionError(f"no {games} games in a minute")
