"""`qin play`, as far as there is one yet: random players, and the game told move by move."""

from __future__ import annotations

import click
from qin.cli.options import PLAYERS, board_option, seed_option
from qin.cli.playout import chance, random_moves, random_names, random_start
from qin.cli.table import drawn, seats_and_piles
from qin.engine import Board
from qin.engine.words import listed, tell_all, tell_outcome


@click.command(short_help="Play a game here.")
@board_option
@click.option("--seats", type=PLAYERS, default=2, show_default=True, help="Seats at the table.")
@seed_option
def play(board: Board, seats: int, seed: int) -> None:
    """Watch random players play a game, told move by move.

    You cannot play from the keyboard yet: the terminal client is still to
    come. Until then all seats are taken by players who place at random.

    \b
    Example:
      qin play --board lion --seats 3
      qin play --seed 7
    """
    rng = chance(seed, 1)
    names = random_names(seats)
    game = random_start(board, seats, rng)
    click.echo(f"{listed(names)} play on {board.name}, seed {seed}. {names[game.turn]} starts.\n")
    for after, events in random_moves(game, rng):
        game = after
        click.echo(f"{game.ply:>3}  {tell_all(events, names)}")
    click.echo(f"\n{drawn(game.position)}\n\n{seats_and_piles(game, names)}")
    if game.outcome:
        click.echo(f"\nThe game is over, {tell_outcome(game.outcome, names)}.")
