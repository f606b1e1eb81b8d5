"""Actions are placements as numbers, one for one, and the mask is what the rules allow."""

from __future__ import annotations

import numpy as np
import pytest
from bots.moments import moments_of
from engine.strategies import Setup, boards, setups
from hypothesis import given
from qin.bots.rl import ActionEncoding
from qin.engine import Board, Colour, Placement, board_names, view_of


@given(boards())
def test_every_action_is_one_placement_and_back(board: Board) -> None:
    encoding = ActionEncoding(board)
    placements = [encoding.decode(action) for action in range(encoding.size)]
    assert len(set(placements)) == encoding.size == np.prod(encoding.shape)
    assert [encoding.encode(placement) for placement in placements] == list(range(encoding.size))


@given(setups())
def test_the_mask_is_exactly_the_legal_placements(setup: Setup) -> None:
    encoding = ActionEncoding(setup.board)
    for game in moments_of(setup):
        mask = encoding.mask(view_of(game, game.turn).legal)
        assert mask.dtype == np.int8
        assert mask.shape == (encoding.size,)
        assert set(mask.tolist()) <= {0, 1}
        allowed = mask.nonzero()[0].tolist()
        assert allowed == sorted(map(encoding.encode, game.legal))
        assert {encoding.decode(action) for action in allowed} == set(game.legal)


@pytest.mark.parametrize("name", board_names())
@pytest.mark.parametrize(
    ("text", "action"),
    [("Ra1Rb1", 0), ("Ra1Ra2", 169), ("Ra1Yb1", 338), ("Rc4Yd4", 379), ("Bm12Bm13", 3028)],
)
def test_the_numbers_stay_what_they_are(name: str, text: str, action: int) -> None:
    """Agents that were trained yesterday mean the same today."""
    encoding = ActionEncoding(Board.named(name))
    assert encoding.encode(Placement.parse(text)) == action
    assert encoding.decode(action) == Placement.parse(text)


def test_an_action_is_a_flat_index() -> None:
    encoding = ActionEncoding(Board.parse("R...V/....."))
    cell = (Colour.BLUE, Colour.YELLOW, 1, 0, 3)
    assert encoding.decode(int(np.ravel_multi_index(cell, encoding.shape))) == Placement.parse(
        "Bd1Yd2"
    )


@pytest.mark.parametrize("action", [-1, 3042])
def test_a_number_beyond_the_actions_is_told(action: int) -> None:
    with pytest.raises(ValueError, match="there are 0 to 3041"):
        ActionEncoding(Board.named("bird")).decode(action)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Ra1Rc1", "its spaces do not share an edge"),
        ("Rn1Ro1", "n1 is off the board"),
        ("Ra14Rb14", "a14 is off the board"),
    ],
)
def test_what_is_no_action_is_told(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        ActionEncoding(Board.named("bird")).encode(Placement.parse(text))
