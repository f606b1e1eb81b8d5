"""Games at some moments of their lives, for tests of what agents are shown."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.strategies import Setup
from qin.engine import Game, Seat


def moments_of(setup: Setup) -> Iterator[Game]:
    """Some moments of a random game, the first and the last one among them."""
    games = [setup.start(), *(step.after for step in setup.play())]
    yield from games[::9]
    yield games[-1]


def permuted(game: Game, seat: Seat, rng: Random) -> Game:
    """The same game to a seat: what it cannot see is shuffled among other hands and piles."""
    parts = [*game.hands, *game.piles]
    hidden = [tile for number, tiles in enumerate(parts) if number != seat for tile in tiles]
    rng.shuffle(hidden)
    dealt = [
        tiles if number == seat else tuple(hidden.pop() for _ in tiles)
        for number, tiles in enumerate(parts)
    ]
    hands, piles = tuple(dealt[: game.players]), tuple(dealt[game.players :])
    return Game(game.position, hands, piles, game.turn, game.ply, game.out, game.outcome)
