"""Pictures of the screens for the README: the real client, played by keys at a real server.

The deal is fixed and both play by hints, so the same pictures come out until a screen changes.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

from client.tui.homes import TestHome, announcing
from client.tui.terminals import Terminal, performing
from qin.client import Address, Client, Table, connect
from qin.client.discover import Found
from qin.client.tui import lobby_screen
from qin.client.tui.effects import best_first
from qin.client.tui.home import Wishes
from qin.client.tui.journey import Journey
from qin.client.tui.keeping import SeatKeeper
from qin.client.tui.stage import Stage
from qin.client.tui.table_screen import TableScreen
from qin.client.tui.tutorial import run_tutorial
from qin.engine import Board, Deal
from qin.engine.tiles import format_tiles
from qin.server.options import Options
from qin.server.server import running
from qin.v1.lobby_pb2 import GivenDeal
from screenshots.svg import svg

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SEED = 7
TURNS = 13
"""After so many of one's own turns the board is worth a picture."""
CALLED = "k3v9x2"
"""What a table is called in pictures; its real name is drawn by lot."""


class Album:
    """Where the pictures go."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def take(self, terminal: Terminal, name: str, title: str, *tables: str) -> None:
        screen = terminal.screen
        for row, line in enumerate(screen.display):
            for table in tables:
                for place, letter in enumerate(CALLED if table in line else ""):
                    column = line.index(table) + place
                    screen.buffer[row][column] = screen.buffer[row][column]._replace(data=letter)
        path = self._folder / f"{name}.svg"
        path.write_text(svg(screen, title), "utf-8")
        print(path)  # noqa: T201 - a script tells what it wrote


@asynccontextmanager
async def a_table(client: Client, board: str, *, seed: int = SEED) -> AsyncIterator[Table]:
    """A table with a deal that is always the same."""
    deal = Deal.shuffled(2, Random(seed))
    hands, piles = ("/".join(map(format_tiles, tiles)) for tiles in (deal.hands, deal.piles))
    given = GivenDeal(hands=hands, piles=piles, first=1)
    yield await client.create(board=board, deals=[given])


async def lobby(album: Album, folder: Path, where: Address) -> None:
    async with (
        connect(where) as client,
        a_table(client, "lion") as table,
    ):
        await table.join("bob")
        found = Found("bob's game", where, "1", 1, 1, needs_password=False)
        wishes = Wishes("ann", Board.named("bird"), 2, ("greedy",))
        keeper = SeatKeeper(folder / "seats.json")
        journey = Journey(TestHome(folder), keeper, announcing(found), wishes)
        async with performing(journey.run) as terminal:
            await terminal.until("bob's game", "New game")
            album.take(terminal, "lobby", "The lobby", table.table_id)


async def table_and_result(album: Album, where: Address) -> None:
    async with (
        connect(where) as ann,
        connect(where) as bob,
        a_table(ann, "bird") as table,
    ):
        await table.join("ann")
        playing = asyncio.create_task(opponent(bob.table(table.table_id)))
        screens: list[TableScreen] = []

        async def play(stage: Stage) -> None:
            screens.append(TableScreen(stage, ann, table, owner=True))
            await stage.show(screens[0])

        async with performing(play) as terminal:
            await terminal.until("All seats are taken")
            terminal.press("s")
            turn = 0
            while await _my_turn(terminal):
                turn += 1
                view = screens[0].model.view
                terminal.press("?")
                await terminal.until("hint 1 of", " ok: ")
                if turn == TURNS:
                    album.take(terminal, "table", "A game at the table", table.table_id)
                terminal.press("enter")
                await terminal.until(lambda before=view: screens[0].model.view is not before)  # type: ignore[misc]
            await terminal.until("save record", "the series is over")
            album.take(terminal, "result", "The result", table.table_id)
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def opponent(table: Table) -> None:
    """Takes the best placement as a hint would, and stays when the game is over."""
    await table.join("bob")
    async with aclosing(table.watch()) as updates:
        async for _, state in updates:
            view = state.view
            if state.my_turn and view is not None and view.seat is not None:
                best, *_ = best_first(view.position, view.seat, view.legal)
                await table.place(best.placement)


async def _my_turn(terminal: Terminal) -> bool:
    """Wait for one's turn, or for the end; what was drawn for the last turn is neither."""
    await terminal.until(
        lambda: "YOUR TURN" in terminal.text or "game is over" in terminal.text, gone="hint 1 of"
    )
    return "YOUR TURN" in terminal.text


async def tutorial(album: Album) -> None:
    async with performing(run_tutorial) as terminal:
        await terminal.until("step 1 of")
        terminal.press(*"nnnnn")
        await terminal.until("step 6 of", "Join")
        terminal.press("?")
        await terminal.until("hint 1 of")
        album.take(terminal, "tutorial", "A step of the tutorial")


async def make(folder: Path) -> None:
    album = Album(folder)
    # Tables that somebody plays at on this machine are none of the README's business.
    nowhere = patch.object(lobby_screen, "HERE", Address("127.0.0.1", 1))
    with tempfile.TemporaryDirectory() as data, nowhere:
        async with running(Options(port=0, allow_deals=True)) as server:
            where = Address("127.0.0.1", server.port)
            await lobby(album, Path(data), where)
            await table_and_result(album, where)
    await tutorial(album)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PICTURES, help="the folder for the pictures")
    asyncio.run(make(parser.parse_args().out))


if __name__ == "__main__":
    main()
