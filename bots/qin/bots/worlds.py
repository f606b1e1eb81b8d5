"""The forward model: what the hidden tiles may be, drawn at random from what a view leaves open."""

from __future__ import annotations

from random import Random

from qin.engine import Game, Tile, View


def imagine(view: View, rng: Random) -> Game:
    """A complete game that agrees with all that the view tells; each as likely as any other.

    The tiles that the viewer has not seen are dealt anew to the other hands and to the piles.
    """
    unseen = iter(_shuffled(view.unseen, rng))
    hands = tuple(
        view.hand if seat == view.seat else tuple(next(unseen) for _ in range(size))
        for seat, size in enumerate(view.hand_sizes)
    )
    piles = tuple(tuple(next(unseen) for _ in range(size)) for size in view.pile_sizes)
    return Game(view.position, hands, piles, view.turn, view.ply, view.out, view.outcome)


def _shuffled(counts: tuple[int, ...], rng: Random) -> list[Tile]:
    tiles = [tile for tile in Tile for _ in range(counts[tile.number])]
    # Fisher-Yates by hand: of Random's methods only `random()` is promised never to change.
    for last in range(len(tiles) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        tiles[last], tiles[other] = tiles[other], tiles[last]
    return tiles
