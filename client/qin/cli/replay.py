"""`qin replay`: step through a recorded game in the terminal."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click
from qin.cli.files import FILE, blamed_on, read_text
from qin.cli.moments import Moment, moments_of
from qin.cli.plain import is_dumb
from qin.cli.table import drawn, seats_and_piles
from qin.cli.terminal import is_terminal, terminal_theme, theme_options
from qin.client.tui.replay_model import ReplayModel, Step
from qin.client.tui.replay_screen import ReplayScreen
from qin.client.tui.stage import Stage
from qin.client.tui.theme import Theme
from qin.engine import parse_record
from qin.engine.words import listed, printable, tell_all


@click.command(short_help="Step through a recorded game.")
@click.argument("path", metavar="FILE", type=FILE)
@theme_options
def replay(path: Path, ascii_only: bool, palette: str) -> None:  # noqa: FBT001
    """Step through a recorded game: arrows step, p plays, g jumps, F1 helps.

    Without a terminal it prints the moves line by line. A FILE - is standard
    input.

    \b
    Example:
      qin replay games/000001.qin
      qin replay games/000001.qin | less
    """
    with blamed_on(path):
        moments = moments_of(parse_record(read_text(path)))
    if is_terminal() and not is_dumb():
        asyncio.run(_show(moments, terminal_theme(palette, ascii_only=ascii_only)))
    else:
        _print(moments)


async def _show(moments: list[Moment], look: Theme) -> None:
    record = moments[0].record
    steps = [Step(moment.game, moment.events) for moment in moments]
    model = ReplayModel(record.seats, record.board.name, steps)

    async def play(stage: Stage) -> None:
        await stage.show(ReplayScreen(stage, model))

    await Stage(look).run(play)


def _print(moments: list[Moment]) -> None:
    record = moments[0].record
    names = [printable(name) for name in record.seats]
    first = names[moments[0].game.turn]
    click.echo(f"{listed(names)} on {printable(record.board.name)}. {first} starts.\n")
    for number, moment in enumerate(moments):
        if moment.events:
            click.echo(f"{number:>3}  {tell_all(moment.events, names)}")
    end = moments[-1].game
    click.echo(f"\n{drawn(end.position)}\n\n{seats_and_piles(end, names)}")
