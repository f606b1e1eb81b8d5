"""Every refusal names the rule and the spaces, in words a player understands; nothing changes."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from engine.drawn import ONE, THREE, TWO, game, play, refused, spaces, state, why
from qin.engine import Game, Placement, Reason, Refused, Seat, spaces_of

ROOM = """
    R . . . .
    . . . V .
    . . . . .
    """


def table() -> Game:
    return game(ROOM, hands=("RY YB BB", "YY RR YY", "RB RB RB"), piles=("RR", "", "BB", "YY"))


def tied() -> Game:
    """Seat 1 may lay no red tile on c1 and d1."""
    return game("R1 R1 . . R2 R2", hands=("RR RY", "BB"), piles=("", "RR", "", ""))


def majors() -> Game:
    return game(
        "R1 R1 R1 R1 R1 . . R2 R2 R2 R2 R2", hands=("RR RY", "BB"), piles=("", "RR", "", "")
    )


def over() -> Game:
    ended, _ = play(game("R . . . . .", hands=("RY YY", "BB"), reserves=(1, 9)), "Rb1Yc1")
    return ended


def placing(seat: Seat, placement: str, pile: int | None = None) -> Callable[[Game], object]:
    return lambda of: of.check(seat, Placement.parse(placement), pile)


class Case(NamedTuple):
    """Something that is refused."""

    made: Callable[[], Game]
    act: Callable[[Game], object]
    reason: Reason
    words: str
    """All that a player is told."""
    spaces: str = ""


CASES = {
    "placing after the end": Case(
        over, placing(TWO, "Bd1Be1"), Reason.GAME_OVER, "game-over: the game is over"
    ),
    "resigning after the end": Case(
        over, lambda of: of.withdraw(TWO), Reason.GAME_OVER, "game-over: the game is over"
    ),
    "placing on another's turn": Case(
        table,
        placing(TWO, "Yb1Yc1"),
        Reason.NOT_YOUR_TURN,
        "not-your-turn: it is seat 1's turn",
    ),
    "a tile one does not hold": Case(
        table,
        placing(ONE, "Rb1Rc1"),
        Reason.NOT_IN_HAND,
        "not-in-hand: RR is not in your hand; you hold RY YB BB",
    ),
    "two spaces apart": Case(
        table,
        placing(ONE, "Rb1Yc2"),
        Reason.NOT_ADJACENT,
        "not-adjacent: the two spaces of a tile must share an edge (b1 c2)",
        "b1 c2",
    ),
    "onto a village": Case(
        table,
        placing(ONE, "Rc2Yd2"),
        Reason.NOT_GRASSLAND,
        "not-grassland: a tile lies on two free grassland spaces (d2)",
        "d2",
    ),
    "beyond the board": Case(
        table,
        placing(ONE, "Re4Yf4"),
        Reason.NOT_GRASSLAND,
        "not-grassland: a tile lies on two free grassland spaces (e4 f4)",
        "e4 f4",
    ),
    "far from everything": Case(
        table,
        placing(ONE, "Rc3Yd3"),
        Reason.NO_CONTACT,
        "no-contact: a tile must share an edge with a province space or a start space (c3 d3)",
        "c3 d3",
    ),
    "two majors": Case(
        majors,
        placing(ONE, "Rf1Rg1"),
        Reason.JOINS_MAJORS,
        "joins-majors: two major provinces may never be joined (a1 b1 c1 d1 e1 h1 i1 j1 k1 l1)",
        "a1 b1 c1 d1 e1 h1 i1 j1 k1 l1",
    ),
    "a tie": Case(
        tied,
        placing(ONE, "Rc1Rd1"),
        Reason.TIED_JOIN,
        "tied-join: nobody would own the joined province: a tie for the most spaces (a1 b1 e1 f1)",
        "a1 b1 e1 f1",
    ),
    "an empty pile": Case(
        table,
        placing(ONE, "Rb1Yc1", 1),
        Reason.EMPTY_PILE,
        "empty-pile: there is no tile in pile 2; draw from 1 or 3 or 4",
    ),
    "passing with a tile that fits": Case(
        table,
        lambda of: of.pass_turn(),
        Reason.MUST_PLACE,
        "must-place: only a seat that can place no tile passes",
    ),
    "resigning twice": Case(
        lambda: table().withdraw(TWO)[0],
        lambda of: of.withdraw(TWO),
        Reason.OUT_OF_GAME,
        "out-of-game: seat 2 is not in the game",
    ),
    "resigning from another table": Case(
        table,
        lambda of: of.withdraw(Seat(3)),
        Reason.OUT_OF_GAME,
        "out-of-game: seat 4 is not in the game",
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_refusal_names_the_rule_and_the_spaces_and_nothing_changes(case: Case) -> None:
    refusing = case.made()
    before = state(refusing)
    with pytest.raises(Refused) as caught:
        case.act(refusing)
    assert caught.value.reason is case.reason
    assert str(caught.value) == case.words
    assert caught.value.spaces == tuple(spaces_of(spaces(case.spaces)))
    assert state(refusing) == before == state(case.made())


def test_every_reason_is_tested() -> None:
    assert {case.reason for case in CASES.values()} == set(Reason)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_game_goes_on_after_a_refusal(case: Case) -> None:
    refusing = case.made()
    with pytest.raises(Refused):
        case.act(refusing)
    assert list(refusing.legal) == list(case.made().legal)


# ---- the first that applies --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "seat", "placement", "pile", "reason"),
    [
        # each line mends the first thing that is wrong with the line above
        (over, THREE, "Ra1Rc9", 1, Reason.GAME_OVER),
        (table, TWO, "Ra1Rc9", 1, Reason.NOT_YOUR_TURN),
        (table, ONE, "Ra1Rc9", 1, Reason.NOT_IN_HAND),
        (table, ONE, "Ra1Yc9", 1, Reason.NOT_ADJACENT),
        (table, ONE, "Rc9Yd9", 1, Reason.NOT_GRASSLAND),
        (table, ONE, "Rc3Yd3", 1, Reason.NO_CONTACT),
        (majors, ONE, "Rf1Rg1", 0, Reason.JOINS_MAJORS),
        (tied, ONE, "Rc1Rd1", 0, Reason.TIED_JOIN),
        (table, ONE, "Rb1Yc1", 1, Reason.EMPTY_PILE),
    ],
    ids=lambda value: value.value if isinstance(value, Reason) else None,
)
def test_of_several_reasons_the_first_is_told(
    made: Callable[[], Game], seat: Seat, placement: str, pile: int, reason: Reason
) -> None:
    with pytest.raises(Refused) as caught:
        made().check(seat, Placement.parse(placement), pile)
    assert caught.value.reason is reason


def test_the_reasons_stand_in_the_order_in_which_they_are_looked_for() -> None:
    assert [reason.value for reason in Reason][:9] == [
        "game-over",
        "not-your-turn",
        "not-in-hand",
        "not-adjacent",
        "not-grassland",
        "no-contact",
        "joins-majors",
        "tied-join",
        "empty-pile",
    ]


def test_joined_majors_are_told_before_a_tied_join_of_the_upper_half() -> None:
    refusal = refused(
        """
        #  #  #  R1 R1 .  R2 R2 #  #  #
        Y1 Y1 Y1 Y1 Y1 .  Y2 Y2 Y2 Y2 Y2
        """,
        placement="Rf1Yf2",
    )
    assert why(refusal) == (Reason.JOINS_MAJORS, "a2 b2 c2 d2 e2 g2 h2 i2 j2 k2")


def test_joined_majors_are_told_before_a_tied_join_of_the_lower_half() -> None:
    refusal = refused(
        """
        Y1 Y1 Y1 Y1 Y1 .  Y2 Y2 Y2 Y2 Y2
        #  #  #  R1 R1 .  R2 R2 #  #  #
        """,
        placement="Yf1Rf2",
    )
    assert why(refusal) == (Reason.JOINS_MAJORS, "a1 b1 c1 d1 e1 g1 h1 i1 j1 k1")


def test_of_a_taken_and_a_free_space_only_the_taken_one_is_named() -> None:
    assert why(refused("R1 R1 . .", placement="Yb1Yc1")) == (Reason.NOT_GRASSLAND, "b1")
