"""Observations: what a seat sees, as planes of the board's size with numbers from 0 to 1.

They are made from a `View` alone, which holds nothing hidden, so they cannot tell anything hidden.
Seats are counted from the viewer: 0 is the seat itself, 1 the next clockwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray
from qin.bots.rl.grids import grid_of
from qin.engine import PAGODAS, Colour, Position, Seat, Tile, View
from qin.engine.realm import MAJOR_SIZE
from qin.engine.tiles import ALL_TILES, HAND_SIZE, TILES_OF_A_KIND, count_tiles

Plane = NDArray[np.float32] | NDArray[np.uint8] | float
"""A number for each space, or one number for all of them."""


@cache
def plane_names(players: int) -> tuple[str, ...]:
    """The planes in their order; docs/rl.md says what they hold."""
    by_seat = ("province", "holder", "pagodas", "tiles")
    return (
        *("free", "village", "red", "yellow", "blue", "size"),
        *(f"{what}-{seat}" for what in by_seat for seat in range(players)),
        *(f"{what}-{tile}" for what in ("hand", "unseen") for tile in Tile),
        *("piles", "turn"),
    )


def planes_of(view: View) -> NDArray[np.float32]:
    """What a seat sees, in the shape (planes, rows, columns)."""
    board, players = view.position.board, view.position.players
    if view.seat is None:
        raise ValueError("observations are made from a seat's view, not from a spectator's")
    clockwise = [Seat((view.seat + step) % players) for step in range(players)]
    planes = np.empty((len(plane_names(players)), board.height, board.width), np.float32)
    values = (*_on_the_board(view.position, clockwise), *_beside_the_board(view, clockwise))
    for plane, value in zip(planes, values, strict=True):
        plane[...] = value
    return planes


def _on_the_board(position: Position, clockwise: list[Seat]) -> Iterator[Plane]:
    board = position.board
    owned, sized = [0] * position.players, [0] * (MAJOR_SIZE + 1)
    for realm in position.realms:
        for province in realm.provinces:
            owned[province.owner] |= province.spaces
            # Beyond five spaces the rules do not ask how large a province is.
            sized[min(province.size, MAJOR_SIZE)] |= province.spaces
    villages = [0] * position.players
    for village, holder in zip(board.villages, position.holders, strict=True):
        if holder is not None:
            villages[holder] |= village

    yield grid_of(position.free, board)
    yield grid_of(board.village_spaces, board)
    for colour in Colour:
        yield grid_of(position.realms[colour].spaces, board)
    size = np.zeros((board.height, board.width), np.float32)
    for spaces, mask in enumerate(sized):
        size += grid_of(mask, board) * np.float32(spaces / MAJOR_SIZE)
    yield size
    for seat in clockwise:
        yield grid_of(owned[seat], board)
    for seat in clockwise:
        yield grid_of(villages[seat], board)


def _beside_the_board(view: View, clockwise: list[Seat]) -> Iterator[Plane]:
    players = len(clockwise)
    for seat in clockwise:
        yield view.position.reserves[seat] / PAGODAS[players]
    for seat in clockwise:
        yield view.hand_sizes[seat] / HAND_SIZE
    for held in count_tiles(view.hand):
        yield held / HAND_SIZE
    for hidden in view.unseen:
        yield hidden / TILES_OF_A_KIND
    yield sum(view.pile_sizes) / (len(ALL_TILES) - players * HAND_SIZE)
    yield float(view.outcome is None and view.turn == view.seat)
