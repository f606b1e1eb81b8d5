"""How large a board is drawn, and which part of one that does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from qin.engine import Board, Space
from qin.engine.spaces import column_of, row_of, space_at

LABEL_WIDTH = 3
"""Before each row: its number, and a blank."""
HEADER_HEIGHT = 1


class Scale(NamedTuple):
    """The size of one space in characters."""

    width: int
    height: int


SCALES = (Scale(3, 1), Scale(5, 2), Scale(7, 3))


@dataclass(frozen=True, slots=True)
class Cut:
    """The part of a board that is shown, and how large."""

    scale: Scale
    left: int
    """The first column that is shown, from 0."""
    top: int
    columns: int
    rows: int

    @property
    def width(self) -> int:
        return LABEL_WIDTH + self.columns * self.scale.width

    @property
    def height(self) -> int:
        return HEADER_HEIGHT + self.rows * self.scale.height

    def space_under(self, x: int, y: int) -> Space | None:
        """The space that is drawn at a place, from the upper left corner of what is drawn."""
        column = (x - LABEL_WIDTH) // self.scale.width
        row = (y - HEADER_HEIGHT) // self.scale.height
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        return space_at(self.left + column, self.top + row)

    def place_of(self, space: Space) -> tuple[int, int] | None:
        """Where the letter of a space is drawn, as x and y."""
        column, row = column_of(space) - self.left, row_of(space) - self.top
        if not (0 <= column < self.columns and 0 <= row < self.rows):
            return None
        width, height = self.scale
        x = LABEL_WIDTH + column * width + width // 2
        return x, HEADER_HEIGHT + row * height + (height - 1) // 2


def size_of(board: Board, scale: Scale) -> tuple[int, int]:
    """The columns and lines that a whole board takes."""
    return (
        LABEL_WIDTH + board.width * scale.width,
        HEADER_HEIGHT + board.height * scale.height,
    )


def scale_for(board: Board, width: int, height: int) -> Scale:
    """The largest scale in which the whole board fits; the smallest if none does."""
    fitting = [
        scale
        for scale in SCALES
        if size_of(board, scale)[0] <= width and size_of(board, scale)[1] <= height
    ]
    return fitting[-1] if fitting else SCALES[0]


def cut_for(
    board: Board, width: int, height: int, cursor: Space | None = None, before: Cut | None = None
) -> Cut:
    """What is shown in a room. A part moves no further than it must to keep the cursor within,
    with a space to spare."""
    scale = scale_for(board, width, height)
    columns = max(1, min(board.width, (width - LABEL_WIDTH) // scale.width))
    rows = max(1, min(board.height, (height - HEADER_HEIGHT) // scale.height))
    column = board.width // 2 if cursor is None else column_of(cursor)
    row = board.height // 2 if cursor is None else row_of(cursor)
    known = before if before and before.scale == scale else None
    left = known.left if known else column - columns // 2
    top = known.top if known else row - rows // 2
    return Cut(
        scale,
        _kept_in(left, column, columns, board.width),
        _kept_in(top, row, rows, board.height),
        columns,
        rows,
    )


def _kept_in(first: int, wanted: int, shown: int, whole: int) -> int:
    """The first of `shown` out of `whole`, near `first`, so that `wanted` is shown."""
    spare = 1 if shown > 2 else 0
    first = min(max(first, wanted + spare - shown + 1), wanted - spare)
    return min(max(first, 0), whole - shown)
