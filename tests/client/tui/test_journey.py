"""From the lobby to a table and back, key by key, with real servers and bots."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from client.tui.homes import TestHome, announcing, nobody
from client.tui.terminals import Terminal, performing
from qin.client import Address, connect
from qin.client.discover import Found
from qin.client.tui import lobby_screen
from qin.client.tui.home import Announcements, Wishes
from qin.client.tui.journey import Journey
from qin.client.tui.keeping import SeatKeeper
from qin.engine import Board
from qin.server.options import Options
from qin.server.server import running
from server.players import until

WISHES = Wishes("ann", Board.named("bird"), 2, ("greedy",))


@pytest.fixture(autouse=True)
def _no_server_of_somebody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_screen, "HERE", Address("127.0.0.1", 1))


@asynccontextmanager
async def in_lobby(
    folder: Path,
    *,
    wishes: Wishes = WISHES,
    announcements: Announcements = nobody,
    server: Address | None = None,
    home: TestHome | None = None,
    **terminal: Any,
) -> AsyncIterator[Terminal]:
    keeper = SeatKeeper(folder / "seats.json")
    journey = Journey(home or TestHome(folder), keeper, announcements, wishes, server)
    async with performing(journey.run, **terminal) as seen:
        yield seen


@asynccontextmanager
async def served() -> AsyncIterator[Address]:
    async with running(Options(port=0)) as server:
        yield Address("127.0.0.1", server.port)


async def test_one_key_starts_a_game_and_the_seat_survives_quitting(tmp_path: Path) -> None:
    async with in_lobby(tmp_path) as terminal:
        await terminal.until("New game", "on bird, 2 players: you and greedy", "looking …")
        terminal.press("n")
        await terminal.until("greedy", "YOUR TURN")
        terminal.press("?", "enter")
        await terminal.until("ann places", "YOUR TURN")
        text = terminal.text
        terminal.press("q")
        await terminal.until("Go on       bird, with greedy (here, table ")
    async with in_lobby(tmp_path) as terminal:
        await terminal.until("Go on       bird, with greedy (here, table ")
        terminal.press("g")
        await terminal.until("YOUR TURN", "ann places", "greedy places")  # the log is there again
        assert [line[:42] for line in terminal.lines[2:15]] != []
        assert terminal.lines[0] == text.splitlines()[0]
        assert "(" in "".join(line[:42] for line in terminal.lines[2:15])  # and the last move
        terminal.press(":")
        terminal.type("resign")
        await terminal.until("You lose this one.")
        terminal.press("q")
        await terminal.until("New game", gone="Go on")
    assert SeatKeeper(tmp_path / "seats.json").seats() == []


async def test_a_killed_process_leaves_a_kept_seat_that_tells_what_it_is(tmp_path: Path) -> None:
    keeper = SeatKeeper(tmp_path / "seats.json")
    async with in_lobby(tmp_path) as terminal:
        await terminal.until("New game")
        terminal.press("n")
        await terminal.until("YOUR TURN")
        kept = keeper.seats()  # all that is there if nothing can be written any more
    assert [(seat.board, seat.players) for seat in kept] == [("bird", "with greedy")]


async def test_what_a_new_game_is_like_is_chosen_with_keys(tmp_path: Path) -> None:
    async with in_lobby(tmp_path) as terminal:
        await terminal.until("New game")
        terminal.press("b", "s", "o")
        await terminal.until("on lion, 3 players: you and random and random")
        terminal.press("o")
        await terminal.until("you and greedy and random")
        terminal.press("s", "s", "b", "o", "m")
        await terminal.until("your name: ann")
        terminal.type("a")
        await terminal.until("you are anna", "on bird, 2 players: you and greedy")
        terminal.press("n")
        await terminal.until("anna (you)", "YOUR TURN")


async def test_hosting_shows_the_line_to_pass_on_and_a_friend_joins_with_it(tmp_path: Path) -> None:
    async with in_lobby(tmp_path) as terminal:
        await terminal.until("New game")
        terminal.press("h")
        await terminal.until("Pass this on to your friends", "qin play 'qin://127.0.0.1:")
        line = next(line for line in terminal.lines if "qin://" in line)
        where = Address.parse(line.split("'")[1])
        friend = replace(WISHES, name="bob")
        async with in_lobby(tmp_path / "bob", wishes=friend, server=where) as other:
            await other.until("At the table", "bob  you", "The owner of the table starts.")
            await terminal.until("All seats are taken. s starts.")
            terminal.press("s")
            await other.until("Your tiles")
            await terminal.until("Your tiles")
            other.press("'")
            other.type("hello")
            await terminal.until("bob: hello")


async def test_the_owner_seats_and_removes_bots(tmp_path: Path) -> None:
    async with in_lobby(tmp_path, wishes=replace(WISHES, seats=3)) as terminal:
        await terminal.until("New game")
        terminal.press("h")
        await terminal.until("2 seats are free.")
        terminal.press("b")
        await terminal.until("1 seat is free.", "greedy  bot")
        terminal.press("b")
        await terminal.until("All seats are taken.", "random  bot")
        terminal.press("down", "x")
        await terminal.until("1 seat is free.")
        terminal.press("up", "x")
        await terminal.until("that is your own seat")
        terminal.press("s")
        await terminal.until("seat 2 is still free")


async def test_tables_of_the_lan_are_listed_joined_and_left(tmp_path: Path) -> None:
    async with served() as where, connect(where) as bob:
        table = await bob.create(board="lion", seats=3)
        await table.join("bob")
        found = Found("bob's laptop", where, "1", 1, 1, needs_password=False)
        async with in_lobby(tmp_path, announcements=announcing(found)) as terminal:
            await terminal.until("bob's laptop", table.table_id, "lion", "bob, free, free")
            terminal.press("up")
            await terminal.until("(Enter joins)")
            terminal.press("enter")
            await terminal.until("At the table", "ann  you", "1 seat is free.")
            terminal.press("q")
            await terminal.until("bob, free, free", gone="Go on")


async def test_a_game_that_is_on_is_watched(tmp_path: Path) -> None:
    async with served() as where, connect(where) as bob, connect(where) as cho:
        table = await bob.create(board="lion")
        await table.join("bob")
        await cho.table(table.table_id).join("cho")
        await table.start()
        found = Found("bob's laptop", where, "1", 1, 0, needs_password=False)
        async with in_lobby(tmp_path, announcements=announcing(found)) as terminal:
            await terminal.until("playing", "bob, cho")
            terminal.press("w")
            await terminal.until("looking on", "is to move")
            terminal.press("q")
            await terminal.until("bob, cho", gone="Go on")


async def test_a_server_without_a_table_leads_to_its_only_open_one(tmp_path: Path) -> None:
    async with served() as where, connect(where) as bob:
        table = await bob.create(board="bird")
        async with in_lobby(tmp_path) as terminal:
            await terminal.until("New game")
            terminal.press("a")
            await terminal.until("address:")
            terminal.type(where.target)
            await terminal.until("At the table", f"table {table.table_id}")


async def test_what_goes_wrong_is_told_in_the_lobby(tmp_path: Path) -> None:
    home = TestHome(tmp_path)
    home.problem = "the disk is full"
    async with in_lobby(tmp_path, home=home) as terminal:
        await terminal.until("New game")
        terminal.press("n")
        await terminal.until("the disk is full")
        terminal.press("g")
        await terminal.until("there is no game that you left")
        terminal.press("w")
        await terminal.until("there is no table to watch")
        terminal.press("a")
        terminal.type("ftp://x")
        await terminal.until("ftp:// is not for Qin")
        terminal.press("a")
        terminal.type("127.0.0.1:1/abc")
        await terminal.until("nobody answers at 127.0.0.1:1")
        terminal.press("?")
        await terminal.until("Qin: the lobby")
        terminal.press("escape")
        await terminal.until("New game", gone="Qin: the lobby")
        terminal.press("q")
        await until(lambda: not terminal.stage.app.is_running)


async def test_a_kept_seat_whose_table_is_gone_is_forgotten(tmp_path: Path) -> None:
    async with in_lobby(tmp_path) as terminal:
        await terminal.until("New game")
        terminal.press("n")
        await terminal.until("Your tiles")
        terminal.press("q")
        await terminal.until("Go on")
        (tmp_path / "play.db").unlink()
        terminal.press("g")
        await terminal.until("there is no table", gone="Go on")


async def test_a_rematch_against_a_bot(tmp_path: Path) -> None:
    async with in_lobby(tmp_path) as terminal:
        await terminal.until("New game")
        terminal.press("n")
        await terminal.until("Your tiles")
        terminal.press(":")
        terminal.type("resign")
        await terminal.until("You lose this one.")
        terminal.press("r")
        await terminal.until("Your tiles")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (120, 40), (64, 18)])
async def test_the_lobby_fits(tmp_path: Path, columns: int, rows: int) -> None:
    async with in_lobby(tmp_path, columns=columns, rows=rows) as terminal:
        await terminal.until("New game", "Host", "Tutorial", "Address", "q quit")
        assert terminal.lines[0].endswith("you are ann")
