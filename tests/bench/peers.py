"""Random playouts of the peers, the way their own documentation plays a random game.

Runs in the benchmark's own environment and speaks lines: a name and a number of seconds in,
plies a second out.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable

import chess
from catanatron import Color, Game, RandomPlayer


def python_chess(rng: random.Random) -> int:
    """One random game; tells its plies. Every legal move is worked out at every ply."""
    board = chess.Board()
    while not board.is_game_over():
        board.push(rng.choice(list(board.legal_moves)))
    return board.ply()


def catanatron(players: int) -> Callable[[random.Random], int]:
    def playout(rng: random.Random) -> int:
        """One random game; it works out all playable actions at every tick itself."""
        colours = list(Color)[:players]
        game = Game([RandomPlayer(colour) for colour in colours], seed=rng.randrange(1 << 30))
        game.play()
        return len(game.state.actions)

    return playout


def rate(playout: Callable[[random.Random], int], seconds: float) -> float:
    rng = random.Random(1)
    plies, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        plies += playout(rng)
    return plies / elapsed


PLAYOUTS = {
    "python-chess": python_chess,
    "Catanatron of 2": catanatron(2),
    "Catanatron of 4": catanatron(4),
}

for line in sys.stdin:
    name, _, seconds = line.rpartition(" ")
    print(rate(PLAYOUTS[name], float(seconds)), flush=True)
