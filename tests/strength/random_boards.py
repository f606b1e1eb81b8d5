"""Boards that no bot has seen: drawn by lot, the same for everybody."""

from __future__ import annotations

from functools import cache
from random import Random

from qin.engine import Board


@cache
def random_board(number: int) -> Board:
    """From 10 to 15 spaces wide and high, with villages, water and three start spaces."""
    rng = Random(f"strength/board/{number}")
    width, height = (10 + int(rng.random() * 6) for _ in range(2))
    rows = [["."] * width for _ in range(height)]

    def scatter(cell: str, how_many: int) -> None:
        for _ in range(how_many):
            row, column = int(rng.random() * height), int(rng.random() * width)
            rows[row][column] = cell
            if rng.random() < 0.3 and column + 1 < width:
                rows[row][column + 1] = cell

    scatter("V", width * height // 16)
    scatter("~", int(rng.random() * width * height / 10))
    # The start spaces stand apart in the middle, with grassland around each.
    for place, cell in enumerate("RYB"):
        row, column = height // 2, width // 2 + 3 * place - 3
        for near in range(-1, 2):
            rows[row + near][column] = rows[row][column + near] = "."
        rows[row][column] = cell
    return Board.parse("/".join(map("".join, rows)), name=f"random-{number}")
