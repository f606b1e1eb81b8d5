"""`qin play --plain`: a game against a bot, typed by a pipe and on a dumb terminal."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

from cli.served import environment
from cli.terminals import on_terminal


def play_by_pipe(home: Path, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "qin.cli", "play", "--plain", "--name", "ann", "--seed", "7"],
        input=typed,
        env=environment(home, TERM="xterm"),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def test_what_is_typed_may_come_from_a_pipe(tmp_path: Path) -> None:
    ran = play_by_pipe(tmp_path, "board lion\nquit\n")
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("This is the lobby of Qin, and you are ann.\n")
    assert "Type new for a game here on lion with 2 seats: you and greedy.\n" in ran.stdout
    assert ran.stdout.endswith("Goodbye.\n")
    assert ran.stderr == ""


def test_a_pipe_without_a_word_gets_a_game_of_bots(tmp_path: Path) -> None:
    ran = play_by_pipe(tmp_path, "")
    assert ran.returncode == 0, ran.stderr
    assert "play on bird, seed 7." in ran.stdout
    assert "The game is over, " in ran.stdout


async def test_a_game_against_a_bot_on_a_dumb_terminal(tmp_path: Path) -> None:
    async with on_terminal(
        tmp_path, "play", "--name", "ann", TERM="dumb", columns=200, rows=200
    ) as terminal:
        for typed, told in (
            ("", "help for the rest."),
            ("new", "It is your turn."),
            ("hint 1", "1 placement. Type place 1 for the first one."),
            ("place 1", "greedy places"),
            ("quit", "Type go on for bird, with greedy (here, table "),
            ("go on", "Seat 1, you: ann, 2"),
            ("resign", "You lose this one."),
            ("quit", "This is the lobby"),
        ):
            if typed:
                terminal.type(f"{typed}\n")
            await terminal.until(told)
        terminal.type("quit\n")
        assert await terminal.ended() == 0
        assert "Goodbye." in terminal.text


async def test_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    async with on_terminal(tmp_path, "play", "--plain", "--name", "ann") as terminal:
        await terminal.until("help for the rest.")
        terminal.signal(signal.SIGINT)
        assert await terminal.ended() == 130
        assert "Traceback" not in terminal.text
