"""The deal: who holds what, and how the piles lie. The only chance in the game."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from qin.engine.tiles import ALL_TILES, HAND_SIZE, PILES, TILES_OF_A_KIND, Tile, count_tiles


class Deal(NamedTuple):
    """Hands and piles before the first turn; the first tile of a pile is drawn first."""

    hands: tuple[tuple[Tile, ...], ...]
    piles: tuple[tuple[Tile, ...], ...]

    @classmethod
    def of(cls, tiles: Sequence[Tile], players: int) -> Deal:
        """Deal tiles in this order: one at a time round the seats, the rest round the piles."""
        dealt = players * HAND_SIZE
        return cls(
            tuple(tuple(tiles[seat:dealt:players]) for seat in range(players)),
            tuple(tuple(tiles[dealt + pile :: PILES]) for pile in range(PILES)),
        )

    @classmethod
    def shuffled(cls, players: int, rng: Random) -> Deal:
        """Shuffle and deal."""
        tiles = list(ALL_TILES)
        # Fisher-Yates by hand: of Random's methods only `random()` is promised never to change.
        for last in range(len(tiles) - 1, 0, -1):
            other = int(rng.random() * (last + 1))
            tiles[last], tiles[other] = tiles[other], tiles[last]
        return cls.of(tiles, players)


def deal_problem(deal: Deal, players: int) -> tuple[str, str] | None:
    """What is wrong with a deal, if anything: whether it is in its "Hands" or "Piles", and what."""
    if [len(hand) for hand in deal.hands] != [HAND_SIZE] * players:
        return "Hands", f"each of {players} seats is dealt {HAND_SIZE} tiles"
    expected = [len(pile) for pile in Deal.of(ALL_TILES, players).piles]
    if [len(pile) for pile in deal.piles] != expected:
        sizes = " ".join(map(str, expected))
        return "Piles", f"the rest lies in {PILES} piles of {sizes} tiles"
    dealt = count_tiles(tile for tiles in (*deal.hands, *deal.piles) for tile in tiles)
    for tile in Tile:
        if dealt[tile.number] != TILES_OF_A_KIND:
            return "Piles", (
                f"hands and piles hold {dealt[tile.number]} tiles {tile},"
                f" the game has {TILES_OF_A_KIND}"
            )
    return None
