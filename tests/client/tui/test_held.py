"""A tile that is held over the board: moving, turning, edges."""

from __future__ import annotations

from itertools import product

import pytest
from qin.client.tui.held import Facing, Held
from qin.engine import Board, Placement, Tile, parse_space
from qin.engine.spaces import column_of, row_of

BIRD = Board.named("bird")


@pytest.mark.parametrize(
    ("facing", "placement"),
    [
        (Facing.RIGHT, "Rc4Yd4"),
        (Facing.BELOW, "Rc4Yc5"),
        (Facing.LEFT, "Yb4Rc4"),
        (Facing.ABOVE, "Yc3Rc4"),
    ],
)
def test_each_way_of_facing_is_a_placement_and_back(facing: Facing, placement: str) -> None:
    held = Held(Tile.RY, parse_space("c4"), facing)
    assert str(held.placement) == placement
    assert Held.of(Placement.parse(placement)) == held


def test_turning_goes_round_the_first_half_clockwise() -> None:
    held = Held(Tile.RY, parse_space("c4"))
    turned = [held.turned(BIRD, quarters).facing for quarters in range(5)]
    assert turned == [Facing.RIGHT, Facing.BELOW, Facing.LEFT, Facing.ABOVE, Facing.RIGHT]
    assert held.turned(BIRD, -1).facing is Facing.ABOVE
    assert all(held.turned(BIRD, quarters).at == held.at for quarters in range(4))


def test_neither_half_ever_leaves_the_board() -> None:
    for facing, start in product(Facing, ("a1", "m1", "a13", "m13", "g7")):
        held = Held(Tile.YB, parse_space(start), facing).put(BIRD, parse_space(start))
        for right, down in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            for _ in range(15):
                held = held.moved(BIRD, right, down).turned(BIRD, 1).turned(BIRD, -1)
                for space in (held.at, held.other):
                    assert 0 <= column_of(space) < BIRD.width
                    assert 0 <= row_of(space) < BIRD.height


def test_at_an_edge_a_turned_tile_makes_room() -> None:
    held = Held(Tile.RY, parse_space("m4"), Facing.BELOW)
    assert str(held.turned(BIRD, -1).placement) == "Rl4Ym4"
