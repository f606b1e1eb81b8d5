"""`qin tournament` stopped at any moment, by Ctrl-C or kill -9, and resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from bots.tournament.made import BROKEN, lines
from cli.tournaments import LONG, records, started, wait_for_games

Process = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "t"
    process = started("run", *LONG, "--out", folder)
    _, told = process.communicate(timeout=110)
    assert process.returncode == 0, told
    return folder


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
@pytest.mark.parametrize("way", [(), ("--over-grpc",)], ids=["in process", "over gRPC"])
def test_interrupted_at_any_moment_it_goes_on_to_the_same_end(
    tmp_path: Path, uninterrupted: Path, how: signal.Signals, way: tuple[str, ...]
) -> None:
    folder = tmp_path / "t"
    rng = Random(f"{how}/{way}")
    arguments: list[object] = ["run", *LONG, "--out", folder, *way]
    interrupted = 0
    for stop in range(3):
        process = started(*arguments)
        wait_for_games(folder, 2 + 8 * stop + int(rng.random() * 6), process)
        time.sleep(rng.random() * 0.2)
        if how is signal.SIGINT:
            os.killpg(process.pid, how)  # as a terminal does: everybody in front hears it
        else:
            process.kill()
        _, told = process.communicate(timeout=60)
        if how is signal.SIGINT and process.returncode != 0:
            assert process.returncode == 130, told
            assert told.splitlines()[-1] == f"stopped; go on with: qin tournament resume {folder}"
        assert "Traceback" not in told
        interrupted += process.returncode != 0
        arguments = ["resume", folder]
    assert interrupted
    process = started(*arguments)
    _, told = process.communicate(timeout=110)
    assert process.returncode == 0, told
    assert lines(folder) == lines(uninterrupted)
    assert records(folder) == records(uninterrupted)


def test_nothing_is_left_running_after_kill_9(tmp_path: Path) -> None:
    """Not even the process of a bot that thinks for ever."""
    busy = f"{BROKEN / 'silent.py'}:BusySilentBot"
    (tmp_path / "tmp").mkdir()
    process = started(
        *("run", busy, "greedy", "--games", 4, "--time", 600, "--out", tmp_path / "t"),
        TMPDIR=str(tmp_path / "tmp"),
    )
    session = process.pid
    for _ in range(600):
        time.sleep(0.05)
        if len(_session(session)) >= 2:
            break
    process.kill()
    process.communicate(timeout=60)
    for _ in range(600):
        if not _session(session):
            break
        time.sleep(0.05)
    assert not _session(session), "still there"
    assert not list((tmp_path / "tmp").iterdir()), "nor do files stay behind"


def _session(leader: int) -> list[int]:
    """All processes of a session, but those that have ended."""
    listed = subprocess.run(
        ["ps", "-o", "pid=,stat=", "--sid", str(leader)],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    rows = [row.split() for row in listed.splitlines()]
    return [int(pid) for pid, state, *_ in rows if not state.startswith("Z")]


def test_a_finished_tournament_is_told_again(qin_process: Process, tmp_path: Path) -> None:
    run = qin_process(
        *("tournament", "run", "greedy", "random", "--games", 2, "--out", tmp_path / "t")
    )
    again = qin_process("tournament", "resume", tmp_path / "t")
    assert again.returncode == 0, again.stderr
    assert again.stdout == run.stdout
