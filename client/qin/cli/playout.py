"""Random games: what `simulate` measures and `play` shows."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from qin.engine import (
    Board,
    Deal,
    Event,
    FirstSeat,
    Game,
    Record,
    Recorder,
    distinct_names,
    first_seat,
)


def chance(seed: int, number: int) -> Random:
    """The chance of one game, which depends on the seed and the game's number alone."""
    return Random(f"{seed}/{number}")


def random_names(players: int) -> tuple[str, ...]:
    return distinct_names(["random"] * players)


def random_start(board: Board, players: int, rng: Random) -> Game:
    """A new game: first the lot for who starts, then the deal."""
    first = first_seat(FirstSeat.LOT, players, rng)
    return Game.start(board, Deal.shuffled(players, rng), first)


def random_moves(game: Game, rng: Random) -> Iterator[tuple[Game, list[Event]]]:
    """The game after each move, with its events, up to the end. Drawn is from the fullest pile."""
    while game.outcome is None:
        if game.must_pass:
            game, events = game.pass_turn()
        else:
            game, events = game.place(game.legal.choice(rng))
        yield game, events


def random_record(game: Game, rng: Random) -> Record:
    """The record of a game played to its end."""
    recorder = Recorder(game, random_names(game.players))
    for after, events in random_moves(game, rng):
        recorder.note(game.turn, events)
        game = after
    return recorder.record(game)
