"""`qin play --plain`: a game against a bot, typed by a pipe and on a dumb terminal."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

from cli.pseudo import on_terminal
from cli.served import environment


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


def test_a_game_against_a_bot_on_a_dumb_terminal(tmp_path: Path) -> None:
    with on_terminal(tmp_path, "play", "--name", "ann", TERM="dumb") as command:
        command.until("help for the rest.")
        command.send("new\n")
        for _ in range(3):
            command.until("It is your turn.")
            command.send("hint 1\n")
            told = command.until("Type place 1")
            best = re.search(r"1\. (\w+), ", told)
            assert best
            command.send(f"{best[1]}\n")
            command.until(f"ann places {best[1]}")
        command.send("quit\n")
        command.until("Type go on for bird, with greedy (here, table ")
        command.send("go on\n")
        command.until("Seat 1, you: ann")
        command.send("resign\n")
        written = command.until("You lose this one.")
        command.send("quit\n")
        command.until("This is the lobby")
        command.send("quit\n")
        assert command.ended() == 0
        assert "\x1b" not in written + command.written


def test_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    with on_terminal(tmp_path, "play", "--plain", "--name", "ann") as command:
        command.until("help for the rest.")
        command.process.send_signal(signal.SIGINT)
        assert command.ended() == 130
        assert "Traceback" not in command.written
