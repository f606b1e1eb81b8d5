"""`qin tournament` as people and programs use it, with real processes."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bots.tournament.made import BROKEN, lines
from cli.tournaments import BOTS, LONG, records, started
from click.testing import Result

Qin = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]

# ---- a whole tournament ------------------------------------------------------------------------


def test_run_plays_and_tells_who_is_better(qin_process: Process, tmp_path: Path) -> None:
    done = qin_process(
        *("tournament", "run", "greedy", "random", "--games", 7, "--seed", 3),
        *("--board", "bird,lion", "--out", tmp_path / "t"),
    )
    assert done.returncode == 0, done.stderr
    assert "7 games become 8: 4 deals, each played 2 times with the seats rotated" in done.stderr
    assert "1  greedy" in done.stdout
    assert [line["game"] for line in lines(tmp_path / "t")] == list(range(1, 9))
    assert {line["board"] for line in lines(tmp_path / "t")} == {"bird", "lion"}
    written = sorted((tmp_path / "t" / "records").iterdir())
    checked = qin_process("record", "check", *written)
    assert checked.returncode == 0
    assert checked.stdout.count(": ok") == 8


def test_json_is_a_line_a_message(qin_process: Process, tmp_path: Path) -> None:
    done = qin_process(
        *("tournament", "run", "greedy", "random", "--games", 4, "--seed", 3),
        *("--out", tmp_path / "t", "--json"),
    )
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert (told[0]["event"], told[0]["games"], told[0]["seed"]) == ("begins", 4, 3)
    assert (told[-1]["event"], told[-1]["over"]) == ("result", True)
    assert [bot["bot"] for bot in told[-1]["standings"]] == ["greedy", "random"]
    again = qin_process("tournament", "report", tmp_path / "t", "--json")
    assert json.loads(again.stdout)["pairs"] == told[-1]["pairs"]


def test_report_writes_a_page_and_tables(qin: Qin, qin_process: Process, tmp_path: Path) -> None:
    qin_process("tournament", "run", "random", "random", "--games", 4, "--out", tmp_path / "t")
    result = qin("tournament", "report", tmp_path / "t")
    assert result.exit_code == 0
    names = [Path(line).name for line in result.stdout.splitlines()]
    assert names == ["report.html", "standings.csv", "pairs.csv"]
    assert all((tmp_path / "t" / name).stat().st_size for name in names)


@pytest.mark.parametrize("kind", ["swiss", "knockout"])
def test_rounds_follow_from_rounds(qin_process: Process, tmp_path: Path, kind: str) -> None:
    done = qin_process(
        *("tournament", "run", "random", "greedy", "random", "greedy", "--format", kind),
        *("--games", 12, "--seed", 3, "--out", tmp_path / "t"),
    )
    assert done.returncode == 0, done.stderr
    played = lines(tmp_path / "t")
    assert {line["round"] for line in played} == {1, 2}
    first, second = (
        {frozenset(line["seats"]) for line in played if line["round"] == number}
        for number in (1, 2)
    )
    assert not first & second
    if kind == "knockout":
        ((one, other),) = second
        assert {one.split("-")[0], other.split("-")[0]} == {"greedy"}


def test_the_sequential_test_ends_a_tournament(qin_process: Process, tmp_path: Path) -> None:
    done = qin_process(
        *("tournament", "run", "greedy", "random", "--games", 400, "--seed", 3),
        *("--sprt", "elo0=0,elo1=100", "--out", tmp_path / "t"),
    )
    assert done.returncode == 0, done.stderr
    assert "SPRT elo0=0 elo1=100: elo1 is accepted after" in done.stdout
    played = lines(tmp_path / "t")
    assert [line["game"] for line in played] == list(range(1, len(played) + 1))
    assert len(played) < 400
    assert len(records(tmp_path / "t")) == len(played)


def test_at_a_terminal_a_line_is_kept_up_to_date(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [
            *(sys.executable, "-m", "qin.cli", "tournament", "run", "lookahead", "greedy"),
            *("--games", "8", "--seed", "3", "--out", str(tmp_path / "t")),
        ],
        stdout=subprocess.PIPE,
        stderr=theirs,
        env={**os.environ, "COLUMNS": "200"},
    ) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how Linux says that nobody is there any more
            while part := os.read(ours, 4096):
                shown += part
        assert process.stdout is not None
        table = process.stdout.read().decode()
    os.close(ours)
    text = shown.decode()
    assert re.search(r"\r\x1b\[K[█·]{20} \d of 8 games, [\d.]+ a second, \d:\d\d left; ", text)
    assert text.endswith("\r\x1b[K"), "it is cleared away in the end"
    assert "1  lookahead" in table


# ---- the same games, however they are played ---------------------------------------------------


@pytest.mark.parametrize("players", [2, 3])
def test_over_grpc_and_in_process_the_results_are_the_same(
    qin_process: Process, tmp_path: Path, players: int
) -> None:
    """Four bots, two boards, other numbers of games at a time, another order of hashes."""
    ways = (
        ("process", ("--concurrency", 1), "1"),
        ("threads", ("--concurrency", 3), "2"),
        ("grpc", ("--over-grpc", "--concurrency", 2), "3"),
    )
    for name, options, hashes in ways:
        done = qin_process(
            *("tournament", "run", *BOTS, "greedy", "--games", 6, "--board", "bird,lion"),
            *("--players", players, "--seed", 9, "--name", "same", "--out", tmp_path / name),
            *options,
            PYTHONHASHSEED=hashes,
        )
        assert done.returncode == 0, done.stderr
    for name in ("threads", "grpc"):
        assert lines(tmp_path / name) == lines(tmp_path / "process")
        assert records(tmp_path / name) == records(tmp_path / "process")


def test_a_program_plays_over_grpc(qin_process: Process, tmp_path: Path) -> None:
    """Any program; this one is another `qin`, told by its environment where to play."""
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = qin_process(
        *("tournament", "run", "random", f"exec:{sys.executable} {program}", "--games", 2),
        *("--seed", 1, "--out", tmp_path / "t"),
    )
    assert done.returncode == 0, done.stderr
    for line in lines(tmp_path / "t"):
        assert line["faults"] == []
        assert [line["seats"][seat - 1] for seat in line["winners"]] == ["program.py"]
    assert "chatter" not in done.stdout + done.stderr


PROGRAM = """
import asyncio, os
from qin.bots import Spec
from qin.bots.seat import BotSeat
from qin.client import connect

async def main():
    os.write(1, b"chatter")
    os.write(2, b"chatter")
    async with connect(os.environ["QIN_SERVER"], token=os.environ["QIN_TOKEN"]) as client:
        table = client.table(os.environ["QIN_TABLE"])
        await BotSeat(table, Spec.parse("greedy").load_python(), os.environ["QIN_SEED"]).play()

asyncio.run(main())
"""


WATCHES = """
import asyncio, os
from qin.client import connect

async def main():
    async with connect(os.environ["QIN_SERVER"], token=os.environ["QIN_TOKEN"]) as client:
        async for _ in client.table(os.environ["QIN_TABLE"]).watch():
            pass

asyncio.run(main())
"""


def test_anybody_can_look_on_over_grpc(qin_process: Process, tmp_path: Path) -> None:
    process = started("run", *LONG, "--over-grpc", "--out", tmp_path / "t")
    try:
        assert process.stderr is not None
        found = re.search(r"qin tables 'qin://(\S+)'", process.stderr.readline())
        assert found
        playing: list[dict[str, Any]] = []
        while not playing and process.poll() is None:
            (server,) = json.loads(qin_process("tables", found[1], "--json").stdout)
            playing = [table for table in server["tables"] if table["state"] == "playing"]
        assert set(playing[0]["seats"]) <= {"greedy", "random", "lookahead"}
    finally:
        process.kill()
        process.communicate(timeout=60)


@pytest.mark.parametrize(
    ("text", "reason"), [("import sys; sys.exit(4)", "crash"), (WATCHES, "time")]
)
def test_a_program_at_fault_forfeits(
    qin_process: Process, tmp_path: Path, text: str, reason: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(text)
    done = qin_process(
        *("tournament", "run", "greedy", f"exec:{sys.executable} {program}", "--games", 2),
        *("--seed", 1, "--time", 0.5, "--out", tmp_path / "t"),
    )
    assert done.returncode == 0, done.stderr
    for line in lines(tmp_path / "t"):
        assert [fault["reason"] for fault in line["faults"]] == [reason]
        assert [line["seats"][seat - 1] for seat in line["winners"]] == ["greedy"]
        assert line["ending"] == "forfeit"


def test_bots_at_fault_over_grpc(qin_process: Process, tmp_path: Path) -> None:
    specs = {
        "crashing.py:CrashingBot": "crash",
        "crashing.py:DyingBot": "crash",
        "illegal.py:IllegalBot": "illegal",
        "silent.py:SilentBot": "silence",
        "slow.py:SlowBot:seconds=1.4": "time",
    }
    done = qin_process(
        *("tournament", "run", "greedy", *(BROKEN / spec for spec in specs)),
        *("--format", "gauntlet", "--games", 10, "--time", 1, "--seed", 1),
        *("--out", tmp_path / "t", "--over-grpc"),
    )
    assert done.returncode == 0, done.stderr
    reasons = {spec.split(":")[1]: reason for spec, reason in specs.items()}
    for line in lines(tmp_path / "t"):
        (fault,) = line["faults"]
        assert fault["reason"] == reasons[line["seats"][fault["seat"] - 1]]
        assert line["ending"] == "forfeit"
        assert [line["seats"][seat - 1] for seat in line["winners"]] == ["greedy"]
    checked = qin_process("record", "check", *sorted((tmp_path / "t" / "records").iterdir()))
    assert checked.returncode == 0, checked.stderr


def test_bots_at_fault_forfeit_at_the_same_ply_either_way(
    qin_process: Process, tmp_path: Path
) -> None:
    """For the same reasons, and the others play on to the same end."""
    specs = ("crashing.py:CrashingBot", "crashing.py:LateCrashingBot", "garbage.py:GarbageBot")
    for name, options in (("process", ()), ("grpc", ("--over-grpc",))):
        done = qin_process(
            *("tournament", "run", "greedy", "random", *(BROKEN / spec for spec in specs)),
            *("--players", 4, "--games", 8, "--faults", 0, "--seed", 2, "--name", "same"),
            *("--out", tmp_path / name, *options),
        )
        assert done.returncode == 0, done.stderr
    assert lines(tmp_path / "grpc") == lines(tmp_path / "process")
    assert records(tmp_path / "grpc") == records(tmp_path / "process")
    reasons = {
        (line["seats"][fault["seat"] - 1], fault["reason"])
        for line in lines(tmp_path / "process")
        for fault in line["faults"]
    }
    assert reasons == {
        ("CrashingBot", "crash"),
        ("LateCrashingBot", "crash"),
        ("GarbageBot", "illegal"),
    }


# ---- what is wrong is told before any game -----------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("greedy", "gredy"), "there is no bot 'gredy'"),
        (("greedy",), "a table of 2 needs 2 bots or more, here are 1"),
        (("greedy", "random", "--players", 3), "a table of 3 needs 3 bots or more"),
        (("greedy", "random", "--board", "brid"), "there is no board and no file 'brid'"),
        (("greedy", "random", "--board", "bird,bird"), "the board 'bird' stands twice"),
        (("greedy", "random", "random", "--sprt", "elo0=0,elo1=9"), "--sprt compares two bots"),
        (("greedy", "random", "--sprt", "elo0=9,elo1=0"), "elo0 must be less than elo1"),
        (("greedy", "random", "--sprt", "elo0=9"), "elo1 is missing"),
        (("greedy", "random", "--sprt", "elo0=9,elo1=x"), "'elo1=x' is not NAME=NUMBER"),
        (("greedy", "random", "--sprt", "elo0=0,elo1=9,elo1=8"), "elo1 stands twice"),
        (("greedy", "random", "--sprt", "elo0=0,elo1=inf"), "lie between -1000 and 1000"),
        (("greedy", "random", "--sprt", "elo0=-200000,elo1=0"), "lie between -1000 and 1000"),
        (("greedy", "random", "--sprt", "elo0=0,elo1=9,alpha=nan"), "alpha and beta lie between"),
        (("greedy", "random", "--sprt", "elo0=0,elo1=9", "--format", "swiss"), "--sprt goes with"),
        (("greedy", "random", "--time", 0), "--time is 0.01 to 86400 seconds, not 0.0"),
        (("greedy", "random", "--time", "inf"), "--time is 0.01 to 86400 seconds, not inf"),
        (("greedy", "random", "--memory", 1), "--memory is 128 to 1048576 megabytes, not 1"),
        (("greedy", "random", "--memory", 10**14), "--memory is 128 to 1048576 megabytes"),
        (("greedy", "random", "--games", 10**10), "a tournament has 1 to 1000000 games"),
        (("greedy", "random", "--rounds", 3), "--rounds is for --format swiss"),
        (("greedy", "random", "--rounds", 9999, "--format", "swiss"), "--rounds is 1 to 1000"),
        (("greedy", "exec:no-such-program x"), "there is no program 'no-such-program' to start"),
        (("greedy", "lookahead:depth=3"), "has no parameter 'depth'"),
        (("greedy", "./nowhere.py:Bot"), "there is no file './nowhere.py'"),
    ],
)
def test_bad_settings_are_told_before_any_game(
    qin: Qin, tmp_path: Path, arguments: tuple[object, ...], problem: str
) -> None:
    result = qin("tournament", "run", *arguments, "--out", tmp_path / "t")
    assert result.exit_code != 0
    assert problem in str(result.exception) + result.stderr
    assert not (tmp_path / "t").exists()


def test_a_folder_with_another_tournament_is_refused(qin_process: Process, tmp_path: Path) -> None:
    run = ("tournament", "run", "random", "random", "--games", 2, "--out", tmp_path / "t")
    assert qin_process(*run).returncode == 0
    before = records(tmp_path / "t")
    again = qin_process(*run)
    assert again.returncode == 1
    assert again.stderr.count("\n") == 1
    assert f"{tmp_path / 't'}: holds a tournament already" in again.stderr
    assert records(tmp_path / "t") == before


@pytest.mark.parametrize("command", ["resume", "report"])
def test_a_folder_without_a_tournament(qin_process: Process, tmp_path: Path, command: str) -> None:
    done = qin_process("tournament", command, tmp_path)
    assert done.returncode == 1
    assert "there is no tournament here; `qin tournament run` begins one" in done.stderr
