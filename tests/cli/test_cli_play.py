"""`qin play`: without a terminal a game of bots in words, with one a full screen."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.terminals import QIN, SHELL, on_terminal
from click.testing import Result
from qin.engine import Board, Placement, Position, Seat
from qin.engine.words import listed

Qin = Callable[..., Result]

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_pipe_sees_a_whole_game_of_bots(qin: Qin, seats: int) -> None:
    arguments = ("--board", "lion", "--seats", seats, "--seed", 7, "--bots", "greedy,random")
    result = qin("play", *arguments)
    assert result.exit_code == 0
    opening, moves, *_, outcome = result.stdout.split("\n\n")
    names = ["greedy", "random", "greedy-2", "random-2"][:seats]
    assert opening.startswith(f"{listed(names)} play on lion, seed 7. ")
    position = Position.start(Board.named("lion"), seats)
    for number, line in enumerate(moves.splitlines(), start=1):
        assert line.split()[0] == str(number)
        if placed := re.search(r"(\S+) places (\w+)", line):
            legal = position.check(Placement.parse(placed[2]))
            position, _ = position.place(Seat(names.index(placed[1])), legal)
    assert outcome.strip().endswith((" wins.", "share the victory."))
    assert qin("play", *arguments).stdout == result.stdout
    assert qin("play", *arguments[:-4], "--seed", 8).stdout != result.stdout


def test_what_cannot_be_is_said_in_one_line(qin: Qin) -> None:
    for arguments, problem in (
        (("--bots", "nosuch"), "nosuch"),
        (("--name", "a/b"), "a name has no /"),
        (("ftp://x",), "is not for Qin"),
        (("--seats", 5), "5 is not in the range"),
        (("127.0.0.1:1/abc",), "this needs a terminal; --plain does it line by line"),
        (("--tutorial",), "this needs a terminal; --plain does it line by line"),
    ):
        result = qin("play", *arguments)
        assert result.exit_code != 0
        assert problem in str(result.stderr) + str(result.exception)


@posix
async def test_on_a_terminal_one_key_starts_a_game_with_a_bot_of_its_own(tmp_path: Path) -> None:
    async with on_terminal(tmp_path, "play", "--name", "ann") as terminal:
        await terminal.until("New game", "you and greedy", "you are ann")
        terminal.type("n")
        await terminal.until("YOUR TURN", "greedy")
        terminal.type("?\r")
        await terminal.until("ann places", "greedy places", "YOUR TURN")
        terminal.type("\x03")
        assert await terminal.ended() == 0
        assert terminal.is_sane
    async with on_terminal(tmp_path, "play", "--name", "ann") as terminal:
        await terminal.until("Go on       bird, with greedy (here, table ")
        terminal.type("g")
        await terminal.until("YOUR TURN")
        terminal.type("?\r")
        await terminal.until("ann places", "greedy places", "YOUR TURN")
        terminal.type("q")
        await terminal.until("New game")
        terminal.type("q")
        assert await terminal.ended() == 0
        assert terminal.is_sane


@posix
async def test_a_friend_joins_with_the_line_that_the_host_sees(tmp_path: Path) -> None:
    async with on_terminal(tmp_path / "ann", "play", "--name", "ann", columns=160) as host:
        await host.until("New game")
        host.type("h")
        await host.until("Pass this on to your friends", "qin play 'qin://")
        line = re.search(r"qin play '(qin://\S+)'", host.text)
        assert line
        address = re.sub(r"//[^:]+:", "//127.0.0.1:", line[1])
        assert "pin=" in address
        async with on_terminal(tmp_path / "bob", "play", address, "--name", "bob") as friend:
            await friend.until("bob  you", "The owner of the table starts.")
            await host.until("All seats are taken. s starts.")
            host.type("s")
            await friend.until("Your tiles", "ann")
            watching = on_terminal(tmp_path / "cho", "watch", address)
            async with watching as spectator:
                await spectator.until("looking on", "ann", "bob", "F1 help  q quit")
                spectator.type("q")
                assert await spectator.ended() == 0


@posix
async def test_nobody_at_an_address_is_told_in_the_lobby(tmp_path: Path) -> None:
    async with on_terminal(tmp_path, "play", "127.0.0.1:1/abc") as terminal:
        await terminal.until("nobody answers at 127.0.0.1:1", "New game")
        terminal.type("q")
        assert await terminal.ended() == 0


@posix
async def test_watching_nobody_fails_in_one_line(tmp_path: Path) -> None:
    async with on_terminal(tmp_path, "watch", "127.0.0.1:1/abc") as terminal:
        assert await terminal.ended() == 1
        assert "nobody answers at 127.0.0.1:1" in terminal.text


@posix
async def test_ctrl_z_gives_the_terminal_back_and_fg_takes_it_up_again(tmp_path: Path) -> None:
    async with on_terminal(tmp_path, command=SHELL, PS1="ready> ") as terminal:
        await terminal.until("ready>")
        terminal.type(f"{shlex.join(QIN)} play --name ann\r")
        await terminal.until("New game", "you are ann")
        terminal.type("\x1a")
        await terminal.until("Stopped")
        assert terminal.is_sane
        terminal.type("printf '\\033[2J\\033[H'; stty -a\r")
        await terminal.until(" icanon ", " echo ")  # it reads lines and shows what is typed
        assert "New game" not in terminal.text
        terminal.type("fg\r")
        await terminal.until("New game", "you are ann")
        terminal.type("q")
        await terminal.until("ready>")
        assert terminal.is_sane


@posix
@pytest.mark.parametrize("number", [15, 1])
async def test_being_ended_from_outside_leaves_the_terminal_sane(
    tmp_path: Path, number: int
) -> None:
    async with on_terminal(tmp_path, "play") as terminal:
        await terminal.until("New game")
        terminal.signal(number)
        await terminal.ended()
        assert terminal.is_sane
