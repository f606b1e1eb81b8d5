"""`qin bot check` finds out what is wrong with a bot; `qin bot new` writes one that is right."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from cli.served import ran
from needs import needs_linux

BROKEN = Path(__file__).parents[1] / "bots" / "broken"

PLAYS = "sits down and plays to the end"
LEGAL = "places legally"
TIME = "answers in time"
MEMORY = "stays within its memory"
ENDS = "ends with its game and leaves nothing behind"
SAME = "same seed, same choices"
SURVIVES = "survives a lost connection"


async def findings_of(tmp_path: Path, spec: str, *options: str) -> tuple[int, dict[str, str]]:
    """The exit code, and what was found wrong."""
    code, out, err = await ran(tmp_path, "bot", "check", spec, "--json", *options)
    assert not err
    found = json.loads(out)
    assert all(finding["passed"] is not None for finding in found)
    return code, {each["question"]: each["note"] for each in found if not each["passed"]}


async def test_a_new_bot_passes_the_check(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    code, out, _ = await ran(tmp_path, "bot", "new", str(file), "--class", "Tea")
    assert (code, out) == (0, f"{file} is written. Try it:\n  qin bot check {file}:Tea\n")
    code, out, err = await ran(tmp_path, "bot", "check", f"{file}:Tea:caution=0.8")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line[:4] for line in lines[:7]] == ["ok  "] * 7
    assert [line[6:].partition(":")[0] for line in lines[:7]] == [
        PLAYS,
        LEGAL,
        TIME,
        MEMORY,
        ENDS,
        SAME,
        SURVIVES,
    ]
    assert lines[-1] == f"{file}:Tea:caution=0.8 is ready to play."
    code, _, err = await ran(tmp_path, "bot", "new", str(file))
    assert code == 1
    assert "is there already" in err


@pytest.mark.parametrize("spec", ["random", "greedy", "lookahead:width=2,samples=1"])
async def test_the_bots_that_come_along_pass_the_check(tmp_path: Path, spec: str) -> None:
    assert await findings_of(tmp_path, spec, "--time", "30") == (0, {})


@needs_linux
@pytest.mark.parametrize(
    ("spec", "options", "wrong", "word"),
    [
        ("slow.py:SlowBot:seconds=3", ("--time", "1"), TIME, "its time ran out in two on bird"),
        ("crashing.py:CrashingBot", (), PLAYS, "ZeroDivisionError: a fault of mine (crashing.py,"),
        ("crashing.py:ExitingBot", (), PLAYS, "the bot failed: SystemExit: 3"),
        ("crashing.py:DyingBot", ("--time", "1"), PLAYS, "its process ended with exit code 3"),
        ("crashing.py:EarlyCrashingBot", (), PLAYS, "not today"),
        ("crashing.py:LateCrashingBot", (), ENDS, "after a game the bot failed: RuntimeError"),
        ("illegal.py:IllegalBot", (), LEGAL, "none of its options"),
        ("silent.py:SilentBot", ("--time", "1"), TIME, "its time ran out in two on bird"),
        ("silent.py:BusySilentBot", ("--time", "1"), TIME, "its time ran out in two on bird"),
        ("silent.py:SilentAtTheEndBot", (), ENDS, "it had to be ended"),
        ("silent.py:SilentAtFirstBot", ("--time", "1"), PLAYS, "it never came"),
        ("garbage.py:GarbageBot", (), PLAYS, "not in two on bird"),
        ("hungry.py:HungryBot", ("--memory", "300"), MEMORY, "of 300 MB"),
        ("fickle.py:FickleBot", (), SAME, "two games differ"),
        ("littering.py:LitteringBot", (), ENDS, "8 processes left"),
    ],
)
async def test_each_broken_bot_is_found_out(
    tmp_path: Path, spec: str, options: tuple[str, ...], wrong: str, word: str
) -> None:
    code, found = await findings_of(tmp_path, f"{BROKEN / spec}", *options)
    assert code == 1
    assert word in found[wrong], found


async def test_a_program_that_is_lost_without_its_connection_is_found_out(tmp_path: Path) -> None:
    command = f"exec:{sys.executable} {BROKEN / 'deaf.py'}"
    code, found = await findings_of(tmp_path, command, "--time", "3")
    assert code == 1
    assert found[SURVIVES] == "did not come back"
    assert SAME not in found


def test_every_broken_bot_has_its_line_here() -> None:
    text = Path(__file__).read_text("utf-8")
    for file in BROKEN.glob("*.py"):
        bots = re.findall(r"^class (\w+Bot)\(", file.read_text("utf-8"), re.MULTILINE)
        for spec in [f"{file.name}:{bot}" for bot in bots] or [file.name]:
            assert spec in text


async def test_a_program_that_ends_at_once_is_found_out(tmp_path: Path) -> None:
    command = f"exec:{sys.executable} -c pass"
    code, found = await findings_of(tmp_path, command, "--time", "2")
    assert code == 1
    assert PLAYS in found
    assert "ended 4 times before the series was over" in found[PLAYS]


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ("nosuch", "there is no bot 'nosuch'; the bots are champion, greedy, lookahead, random"),
        ("lookahead:width=many", "width is a whole number, not 'many'"),
        ("lookahead:depth=3", "has no parameter 'depth'; its parameters: width, samples"),
        ("./nosuch.py:Bot", "there is no file './nosuch.py'"),
        ("exec:", "exec: needs a command"),
        (f"{BROKEN / 'crashing.py'}:NosuchBot", "there is no class NosuchBot in"),
    ],
)
async def test_a_bot_that_is_none_is_one_line(tmp_path: Path, spec: str, word: str) -> None:
    code, out, err = await ran(tmp_path, "bot", "check", spec)
    assert code != 0
    assert not out
    assert word in err
    assert "Traceback" not in err
