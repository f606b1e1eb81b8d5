"""Random playouts with all legal placements worked out at each ply, beside two peers.

One process plays at a time, in turns of a second or so, so that all of them meet the same machine;
what counts are the ratios of the medians.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from qin.engine import Board, Deal, Game, LegalPlacement, Position, Seat

PEERS = ("python-chess", "Catanatron of 2", "Catanatron of 4")
Rate = Callable[[float], float]


def playouts(board: Board, players: int) -> Rate:
    """Plies a second over whole random games."""

    def rate(seconds: float) -> float:
        rng = Random(1)
        plies, start = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - start) < seconds:
            game = Game.start(board, Deal.shuffled(players, rng))
            while game.outcome is None:
                legal = game.legal
                game, _ = game.place(legal.choice(rng)) if legal else game.pass_turn()
            plies += game.ply
        return plies / elapsed

    return rate


def applying(board: Board) -> Rate:
    """Placements applied a second to positions that are kept, as a search does it."""
    rng = Random(1)
    known: list[tuple[Position, Seat, LegalPlacement]] = []
    while len(known) < 2000:
        game = Game.start(board, Deal.shuffled(2, rng))
        while game.outcome is None and game.legal:
            placement = game.legal.choice(rng)
            known.append((game.position, game.turn, placement))
            game, _ = game.place(placement)

    def rate(seconds: float) -> float:
        applied, start = 0, time.perf_counter()
        while (elapsed := time.perf_counter() - start) < seconds:
            for position, seat, placement in known:
                position.place(seat, placement)
            applied += len(known)
        return applied / elapsed

    return rate


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peer-python", required=True, help="the Python that has the peers")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of one turn")
    parser.add_argument("--rounds", type=int, default=5, help="turns that each of them gets")
    options = parser.parse_args()

    bird, lion = Board.named("bird"), Board.named("lion")
    ours: dict[str, Rate] = {
        f"qin, {board.name}, {players} players": playouts(board, players)
        for board in (bird, lion)
        for players in (2, 3, 4)
    }
    ours["qin, placements applied"] = applying(bird)
    rates: dict[str, list[float]] = {name: [] for name in (*PEERS, *ours)}
    peer = subprocess.Popen(
        [options.peer_python, Path(__file__).with_name("peers.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with peer:
        assert peer.stdin
        assert peer.stdout
        for _ in range(options.rounds):
            for name in PEERS:
                peer.stdin.write(f"{name} {options.seconds}\n")
                peer.stdin.flush()
                rates[name].append(float(peer.stdout.readline()))
            for name, rate in ours.items():
                rates[name].append(rate(options.seconds))
        peer.stdin.close()

    medians = {name: statistics.median(values) for name, values in rates.items()}
    print(f"{'plies a second, in one run':32} {'median':>9}  " + "  ".join(f"x {p}" for p in PEERS))
    for name, median in medians.items():
        ratios = "  ".join(f"{median / medians[peer]:{len(peer) + 2}.2f}" for peer in PEERS)
        print(f"{name:32} {median:9,.0f}  {ratios}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
