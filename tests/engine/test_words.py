"""Events in the rulebook's words."""

from __future__ import annotations

import pytest
from qin.engine import (
    Colour,
    Connected,
    Conquered,
    Drawn,
    Ended,
    Ending,
    Event,
    Expanded,
    Founded,
    Joined,
    Major,
    Mask,
    Passed,
    Placed,
    Placement,
    Seat,
    Tile,
    Withdrew,
    parse_space,
)
from qin.engine.words import listed, tell, tell_all

ANN, BOB, CHO = Seat(0), Seat(1), Seat(2)
NAMES = ("ann", "bob", "cho")
RED = Colour.RED


def at(*spaces: str) -> Mask:
    return sum(1 << parse_space(space) for space in spaces)


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (Placed(ANN, Placement.parse("Rc4Yd4")), "ann places Rc4Yd4"),
        (Founded(ANN, RED, at("c4", "d4"), 1), "ann founds a red province at c4 d4: 1 pagoda"),
        (Founded(BOB, RED, at("a1", "b1"), 2), "bob founds a red province at a1 b1: 2 pagodas"),
        (Expanded(BOB, RED, at("a1", "b1")), "the red province of bob expands to a1 b1"),
        (
            Major(BOB, RED, at("a1", "b1")),
            "the red province of bob becomes a major province: 1 pagoda more",
        ),
        (
            Joined(ANN, RED, at("a1"), 0, (0, 1, 2)),
            "red provinces join into a major province of ann at a1: 1 of bob and 2 of cho go home",
        ),
        (
            Joined(ANN, RED, at("a1", "b1"), 0, (0, 0, 0)),
            "red provinces join into a major province of ann at a1 b1",
        ),
        (Connected(CHO, at("e1", "f1")), "cho connects the village at e1 f1: 1 pagoda"),
        (
            Conquered(CHO, ANN, at("e1")),
            "cho conquers the village at e1: 1 pagoda, and that of ann goes home",
        ),
        (Drawn(ANN, 2, Tile.RY), "ann draws RY from pile 3"),
        (Drawn(ANN, 0, None), "ann draws a tile from pile 1"),
        (Passed(BOB), "bob passes: none of the tiles can be placed"),
        (Withdrew(BOB, forfeit=False), "bob resigns"),
        (Withdrew(BOB, forfeit=True), "bob forfeits"),
        (Ended(Ending.LAST_PAGODA, (ANN,)), "the game is over, a last pagoda is placed: ann wins"),
        (
            Ended(Ending.BOARD_FULL, (ANN, CHO)),
            "the game is over, the board is full: ann and cho share the victory",
        ),
    ],
)
def test_each_event(event: Event, told: str) -> None:
    assert tell(event, NAMES) == told


def test_joining_tells_who_builds_and_whose_pagodas_go_home() -> None:
    told = tell(Joined(BOB, RED, at("a1", "b1"), 1, (1, 0, 0)), NAMES)
    assert told.endswith(" province of bob at a1 b1: 1 pagoda more, 1 of ann goes home")


def test_a_move_in_one_line_names_a_player_once() -> None:
    events: list[Event] = [
        Placed(ANN, Placement.parse("Rc4Yd4")),
        Founded(ANN, RED, at("c4", "d4"), 1),
        Expanded(BOB, RED, at("a1", "b1")),
        Drawn(ANN, 0, Tile.YY),
    ]
    assert tell_all(events, NAMES) == (
        "ann places Rc4Yd4; founds a red province at c4 d4: 1 pagoda;"
        " the red province of bob expands to a1 b1; ann draws YY from pile 1"
    )


def test_lists_of_names() -> None:
    assert [listed(NAMES[:count]) for count in (1, 2, 3)] == [
        "ann",
        "ann and bob",
        "ann, bob and cho",
    ]
