"""The legal placements of a hand, as masks; a list is made only when somebody wants one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from qin.engine.placement import LegalPlacement, Placement
from qin.engine.spaces import Mask, Space, Step, nth_space, spaces_of
from qin.engine.tiles import Colour

Spread = tuple[Mask, Colour, Colour, Step]
"""A tile in one of its orientations: where its upper or left half may lie, the colour of this half
and of the other, and the step from the one to the other."""


class Placements:
    """The distinct legal placements of a hand: sized, iterable, indexable, in a fixed order."""

    __slots__ = ("_counts", "_size", "spreads")

    spreads: list[Spread]

    def __init__(self, spreads: list[Spread]) -> None:
        self.spreads = spreads
        self._counts = [spread[0].bit_count() for spread in spreads]
        self._size = sum(self._counts)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[LegalPlacement]:
        for firsts, one, other, step in self.spreads:
            for first in spaces_of(firsts):
                yield LegalPlacement(Placement(one, first, other, Space(first + step)))

    def __contains__(self, placement: object) -> bool:
        return isinstance(placement, Placement) and self.find(placement) is not None

    def find(self, placement: Placement) -> LegalPlacement | None:
        """The same placement, if it is one of these."""
        colours, first = (placement.first_colour, placement.second_colour), placement.first
        step = placement.second - first
        for firsts, one, other, apart in self.spreads:
            if firsts >> first & 1 and apart == step and (one, other) == colours:
                return LegalPlacement(placement)
        return None

    def __getitem__(self, index: int) -> LegalPlacement:
        rest = index if index >= 0 else index + self._size
        if 0 <= rest < self._size:
            for number, count in enumerate(self._counts):
                if rest < count:
                    firsts, one, other, step = self.spreads[number]
                    first = nth_space(firsts, rest)
                    return LegalPlacement(Placement(one, first, other, Space(first + step)))
                rest -= count
        raise IndexError(f"there are {self._size} placements, there is no number {index}")

    def choice(self, rng: Random) -> LegalPlacement:
        """One of them, each as likely as any other.

        `random()` is the one method whose sequence Python promises to keep between its versions.
        """
        return self[int(rng.random() * self._size)]

    def __repr__(self) -> str:
        return f"<{len(self)} placements>"
