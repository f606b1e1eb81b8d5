"""A game of bots in this process, told move by move: what a pipe sees of `qin play`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click
from qin.bots import Bot, Spec
from qin.bots.arena import ask
from qin.cli.playout import chance, random_start
from qin.cli.table import drawn, seats_and_piles
from qin.engine import Board, Event, Game, Seat, distinct_names, view_of
from qin.engine.words import listed, tell_all, tell_outcome


def tell_a_game(board: Board, seats: int, specs: Sequence[Spec], seed: int) -> None:
    """Let bots play, those that are named in turn, and print the game as it is played."""
    seated = [specs[seat % len(specs)] for seat in range(seats)]
    bots = [spec.load_python()(f"{seed}/{seat}") for seat, spec in enumerate(seated)]
    names = distinct_names([spec.name for spec in seated])
    game = random_start(board, seats, chance(seed, 1))
    click.echo(f"{listed(names)} play on {board.name}, seed {seed}. {names[game.turn]} starts.\n")
    for after, events in _moves(game, bots):
        game = after
        click.echo(f"{game.ply:>3}  {tell_all(events, names)}")
    click.echo(f"\n{drawn(game.position)}\n\n{seats_and_piles(game, names)}")
    if game.outcome:
        click.echo(f"\nThe game is over, {tell_outcome(game.outcome, names)}.")


def _moves(game: Game, bots: Sequence[Bot]) -> Iterator[tuple[Game, list[Event]]]:
    for seat, bot in enumerate(bots):
        bot.game_starts(view_of(game, Seat(seat)))
    while game.outcome is None:
        if game.must_pass:
            game, events = game.pass_turn()
        else:
            game, events = game.place(ask(bots[game.turn], view_of(game, game.turn)).placement)
        yield game, events
