"""A tile that is held over the board: which, where, and how it is turned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from qin.engine import Board, Mask, Placement, Position, Space, Tile
from qin.engine.spaces import ACROSS, DOWN, column_of, row_of, space_at


class Facing(IntEnum):
    """Where the second half lies, seen from the first; in the order of turning."""

    RIGHT = 0
    BELOW = 1
    LEFT = 2
    ABOVE = 3

    @property
    def step(self) -> tuple[int, int]:
        """To the right, and down."""
        return ((1, 0), (0, 1), (-1, 0), (0, -1))[self]


@dataclass(frozen=True, slots=True)
class Held:
    """Both halves always lie on the board, though not always where they may."""

    tile: Tile
    at: Space
    """Where the first half is: what the cursor moves."""
    facing: Facing = Facing.RIGHT

    @classmethod
    def of(cls, placement: Placement) -> Held:
        """The tile as it lies in a placement."""
        tile = placement.tile
        across = placement.second - placement.first == ACROSS
        if tile.first is placement.first_colour:
            return cls(tile, placement.first, Facing.RIGHT if across else Facing.BELOW)
        return cls(tile, placement.second, Facing.LEFT if across else Facing.ABOVE)

    @property
    def other(self) -> Space:
        """Where the second half is."""
        right, down = self.facing.step
        return space_at(column_of(self.at) + right, row_of(self.at) + down)

    @property
    def placement(self) -> Placement:
        one, first = self.tile.first, self.at
        other, second = self.tile.second, self.other
        if first < second:
            return Placement(one, first, other, second)
        return Placement(other, second, one, first)

    def with_tile(self, tile: Tile) -> Held:
        return replace(self, tile=tile)

    def put(self, board: Board, at: Space) -> Held:
        """With the first half at a space, or as near to it as the board's edge allows."""
        right, down = self.facing.step
        column = _within(column_of(at), right, board.width)
        row = _within(row_of(at), down, board.height)
        return replace(self, at=space_at(column, row))

    def moved(self, board: Board, right: int, down: int) -> Held:
        column = min(max(column_of(self.at) + right, 0), board.width - 1)
        row = min(max(row_of(self.at) + down, 0), board.height - 1)
        return self.put(board, space_at(column, row))

    def turned(self, board: Board, quarters: int = 1) -> Held:
        """Clockwise around the first half; at an edge it makes room for the second."""
        facing = Facing((self.facing + quarters) % len(Facing))
        return replace(self, facing=facing).put(board, self.at)


def _within(first: int, step: int, size: int) -> int:
    """So that neither the first nor the second half is off the board."""
    return min(max(first, -min(step, 0)), size - 1 - max(step, 0))


def spots_for(position: Position, tile: Tile, facing: Facing) -> Mask:
    """Where the first half of a tile may lie that faces so."""
    backwards = facing in (Facing.LEFT, Facing.ABOVE)
    step = ACROSS if facing in (Facing.RIGHT, Facing.LEFT) else DOWN
    colours = (tile.second, tile.first) if backwards else (tile.first, tile.second)
    spots = 0
    for firsts, one, other, way in position.placements([tile]).spreads:
        if (one, other, way) == (*colours, step):
            spots |= firsts
    return spots << step if backwards else spots


def distance(one: Space, other: Space) -> int:
    """How many steps it is from one space to another."""
    return abs(column_of(one) - column_of(other)) + abs(row_of(one) - row_of(other))
