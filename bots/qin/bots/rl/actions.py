"""Actions: every placement on a board as a number, and back.

An action is the place of a cell in an array of the shape

    (first colour, second colour, direction, row, column) = (3, 3, 2, height, width)

in C order, the column running fastest. Colours are red 0, yellow 1, blue 2; the first colour lies
on the space of that row and column, the second one step across (0, to the right) or down (1). The
numbers hang on nothing but the size of the board. Some name what no game allows, such as a step
off the board; they stay, so that `mask.reshape(encoding.shape)` has a meaning for every cell.

The pile to draw from is no part of an action: piles are shuffled and hidden, so none is better than
another, and the engine draws from the fullest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from qin.bots.rl.grids import grid_of
from qin.engine import Board, Colour, Placement, Placements, Space
from qin.engine.spaces import ACROSS, DOWN, column_of, format_space, row_of, space_at

_STEPS = (ACROSS, DOWN)


@dataclass(frozen=True, slots=True)
class ActionEncoding:
    """The actions of a board."""

    board: Board

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """What an action is a flat index into."""
        return len(Colour), len(Colour), len(_STEPS), self.board.height, self.board.width

    @property
    def size(self) -> int:
        """How many actions there are."""
        return len(Colour) ** 2 * len(_STEPS) * self.board.height * self.board.width

    def encode(self, placement: Placement) -> int:
        """The action of a placement, whose first space must lie on the board."""
        first_colour, first, second_colour, second = placement
        column, row = column_of(first), row_of(first)
        if not placement.adjacent:
            raise ValueError(f"{placement} is no action: its spaces do not share an edge")
        if column >= self.board.width or row >= self.board.height:
            raise ValueError(f"{placement} is no action: {format_space(first)} is off the board")
        direction = _STEPS.index(second - first)
        cell = (first_colour * len(Colour) + second_colour) * len(_STEPS) + direction
        return (cell * self.board.height + row) * self.board.width + column

    def decode(self, action: int) -> Placement:
        """The placement of an action, which need not be legal."""
        if not 0 <= action < self.size:
            raise ValueError(f"{action} is no action: there are 0 to {self.size - 1}")
        rest, column = divmod(action, self.board.width)
        rest, row = divmod(rest, self.board.height)
        rest, direction = divmod(rest, len(_STEPS))
        first_colour, second_colour = divmod(rest, len(Colour))
        first = space_at(column, row)
        second = Space(first + _STEPS[direction])
        return Placement(Colour(first_colour), first, Colour(second_colour), second)

    def mask(self, placements: Placements) -> NDArray[np.int8]:
        """One number for each action: 1 for these placements, 0 for all others."""
        mask = np.zeros(self.shape, np.int8)
        for firsts, one, other, step in placements.spreads:
            mask[one, other, _STEPS.index(step)] = grid_of(firsts, self.board)
        return mask.reshape(-1)
