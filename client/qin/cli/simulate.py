"""`qin simulate`: random games with nothing but the engine."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter

import click
from qin.cli.failure import Failure
from qin.cli.options import PLAYERS, board_option, json_option, seed_option
from qin.cli.playout import chance, random_moves, random_record, random_start
from qin.engine import Board
from qin.engine.words import counted, printable


@click.command(short_help="Play random games, and measure.")
@board_option
@click.option("--players", type=PLAYERS, default=2, show_default=True, help="Seats at the table.")
@click.option(
    "--games", type=click.IntRange(min=1), default=100, show_default=True, help="How many games."
)
@seed_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Write the records to DIR/000001.qin and so on.",
)
@json_option
def simulate(
    board: Board,
    players: int,
    games: int,
    seed: int,
    out: Path | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Play random games and tell how fast that was.

    Every seat places any of its tiles in any legal way. A game depends on the
    seed and its number alone, so more games begin with the same ones.

    \b
    Example:
      qin simulate --board lion --players 3 --games 1000
      qin simulate --seed 7 --games 20 --out games
    """
    if out is not None:
        _prepare(out)
    began = perf_counter()
    plies = sum(
        _play(board, players, seed, number)
        if out is None
        else _write(board, players, seed, number, out)
        for number in range(1, games + 1)
    )
    seconds = perf_counter() - began
    speed = {"games_per_second": games / seconds, "plies_per_second": plies / seconds}
    if as_json:
        click.echo(
            json.dumps({"games": games, "plies": plies, "seconds": seconds, **speed, "seed": seed})
        )
        return
    click.echo(f"{counted(games, 'random game')} of {players} players on {board.name}, seed {seed}")
    click.echo(f"{counted(plies, 'ply', 'plies')} in {seconds:,.2f} seconds")
    click.echo(
        f"{speed['games_per_second']:,.0f} games a second,"
        f" {speed['plies_per_second']:,.0f} plies a second"
    )
    if out is not None:
        click.echo(f"{counted(games, 'record')} in {printable(str(out))}")


def _play(board: Board, players: int, seed: int, number: int) -> int:
    rng = chance(seed, number)
    game = random_start(board, players, rng)
    for after, _ in random_moves(game, rng):
        game = after
    return game.ply


def _write(board: Board, players: int, seed: int, number: int, out: Path) -> int:
    rng = chance(seed, number)
    record = random_record(random_start(board, players, rng), rng)
    with (out / _file_name(number)).open("x", encoding="utf-8", newline="\n") as file:
        file.write(str(record))
    # Random players never resign: every token is a placement or a pass.
    return sum(map(len, record.rounds))


def _file_name(number: int) -> str:
    return f"{number:06}.qin"


def _prepare(out: Path) -> None:
    """Make the folder, or see that it holds no records that ours would mix with."""
    try:
        out.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise Failure(f"{out}: this is not a folder; name another one for the records") from None
    present = sorted(out.glob("*.qin"))
    if present:
        raise Failure(
            f"{out}: holds records already, such as {present[0].name};"
            " name a new folder, or empty this one"
        )
