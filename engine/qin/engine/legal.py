"""The legal placements of a hand, as masks; a list is made only when somebody wants one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from qin.engine.placement import LegalPlacement, Placement
from qin.engine.spaces import ACROSS, DOWN, Mask, Space, nth_space, spaces_of
from qin.engine.tiles import Tile

Spread = tuple[Tile, Mask, Mask, Mask, Mask]
"""A tile, and for each of its four orientations the spaces where its upper or left half may lie:
across, down, and both again with the tile's second colour first (none for a tile of one colour).
"""

_TURNED_AND_STEP = ((False, ACROSS), (False, DOWN), (True, ACROSS), (True, DOWN))
"""What the four orientations of a spread mean."""


class Placements:
    """The distinct legal placements of a hand: sized, iterable, indexable, in a fixed order."""

    __slots__ = ("_size", "spreads")

    spreads: list[Spread]

    def __init__(self, spreads: list[Spread]) -> None:
        self.spreads = spreads
        self._size = -1

    def __len__(self) -> int:
        if self._size < 0:
            size = 0
            for _, across, down, turned_across, turned_down in self.spreads:
                size += across.bit_count() + down.bit_count()
                size += turned_across.bit_count() + turned_down.bit_count()
            self._size = size
        return self._size

    def __iter__(self) -> Iterator[LegalPlacement]:
        for tile, *orientations in self.spreads:
            for number, firsts in enumerate(orientations):
                for first in spaces_of(firsts):
                    yield _lay(tile, number, first)

    def __contains__(self, placement: object) -> bool:
        return isinstance(placement, Placement) and any(
            firsts >> placement.first & 1 and placement == _lay(tile, number, placement.first)
            for tile, *orientations in self.spreads
            for number, firsts in enumerate(orientations)
        )

    def __getitem__(self, index: int) -> LegalPlacement:
        rest = index if index >= 0 else index + len(self)
        for spread in self.spreads:
            for orientation in range(4):
                firsts = spread[orientation + 1]
                count = firsts.bit_count()
                if rest < count:
                    return _lay(spread[0], orientation, nth_space(firsts, rest))
                rest -= count
        raise IndexError(f"there are {len(self)} placements, there is no number {index}")

    def choice(self, rng: Random) -> LegalPlacement:
        """One of them, each as likely as any other.

        `random()` is the one method whose sequence Python promises to keep between its versions.
        """
        return self[int(rng.random() * len(self))]

    def __repr__(self) -> str:
        return f"<{len(self)} placements>"


def _lay(tile: Tile, orientation: int, first: Space) -> LegalPlacement:
    turned, step = _TURNED_AND_STEP[orientation]
    one, other = (tile.second, tile.first) if turned else (tile.first, tile.second)
    return LegalPlacement(Placement(one, first, other, Space(first + step)))
