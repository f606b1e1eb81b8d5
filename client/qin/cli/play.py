"""`qin play`: the game in the terminal; without a terminal, a game of bots told move by move."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from qin.bots import Spec
from qin.cli.home import LocalHome
from qin.cli.house import house_specs
from qin.cli.options import PLAYERS, board_option, seed_option
from qin.cli.pipe import tell_a_game
from qin.cli.plain import is_dumb, line_by_line
from qin.cli.servers import ADDRESS, password_options, the_password
from qin.cli.terminal import (
    data_folder,
    is_terminal,
    lan_servers,
    terminal_stage,
    theme_options,
    user_name,
)
from qin.client.address import Address
from qin.client.tui.home import Wishes
from qin.client.tui.journey import Journey
from qin.client.tui.keeping import SeatKeeper
from qin.client.tui.stage import Stage
from qin.client.tui.tutorial import run_tutorial
from qin.engine import Board, name_problem

OPPONENTS = ("greedy", "lookahead", "champion", "random")
"""The bots that the lobby offers."""


@click.command(short_help="Play a game here, or with others.")
@click.argument("server", type=ADDRESS, required=False)
@board_option
@click.option("--seats", type=PLAYERS, default=2, show_default=True, help="Seats at the table.")
@click.option(
    "--bots",
    default="greedy",
    show_default=True,
    metavar="SPEC,…",
    help="The bots to play against; `qin bot list` names some.",
)
@click.option("--name", show_default="your user name", help="What you are called at the table.")
@seed_option
@click.option("--tutorial", is_flag=True, help="Learn the game first, in a few minutes.")
@click.option(
    "--plain",
    is_flag=True,
    help="Line by line, for screen readers; what is typed may also come from a pipe.",
)
@theme_options
@password_options
def play(
    server: Address | None,
    board: Board,
    seats: int,
    bots: str,
    name: str | None,
    seed: int,
    tutorial: bool,  # noqa: FBT001
    plain: bool,  # noqa: FBT001
    ascii_only: bool,  # noqa: FBT001
    palette: str,
    password: str,
    password_file: Path | None,
) -> None:
    """Play Qin: against bots on this machine, or with friends.

    Shows what can be played here and on the LAN; one key starts a game. With a
    SERVER it goes there: HOST, HOST:PORT or the whole qin:// line that a friend
    passed on.

    Without a terminal, bots play a game by themselves, told move by move; the
    same --seed gives the same game.

    \b
    Example:
      qin play
      qin play --board lion --seats 3 --bots greedy,lookahead
      qin play 'qin://192.168.1.5:50713/k3v9x2?pin=…'
    """
    specs = house_specs(bots) or [Spec.parse("greedy")]
    if problem := name_problem(name) if name is not None else None:
        raise click.BadParameter(problem, param_hint="--name")
    if not (plain or is_terminal()):
        if server is not None or tutorial:
            raise click.UsageError("this needs a terminal; --plain does it line by line without")
        tell_a_game(board, seats, specs, seed)
        return
    data = data_folder()
    wishes = Wishes(
        name=name or user_name(),
        board=board,
        seats=seats,
        bots=tuple(spec.text for spec in specs),
        password=the_password(password, password_file),
    )
    home = LocalHome(data, OPPONENTS, f"{wishes.name}'s game")
    keeper = SeatKeeper(data / "seats.json")
    if plain or is_dumb():
        lines = line_by_line(home, keeper, wishes, server, tutorial=tutorial)
        if not asyncio.run(lines) and not is_terminal():
            tell_a_game(board, seats, specs, seed)  # the pipe was empty, and is only curious
        return
    journey = Journey(home, keeper, lan_servers, wishes, server)

    async def teach_and_play(stage: Stage) -> None:
        if tutorial:
            await run_tutorial(stage)
        await journey.run(stage)

    asyncio.run(terminal_stage(palette, ascii_only=ascii_only).run(teach_and_play))
