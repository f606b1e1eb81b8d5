"""The rules, chapter "Order, and the last pagoda", with the rulings R5 to R8."""

# ruff: noqa: N802 - rulings keep their names

import pytest
from engine.drawn import ONE, THREE, TWO, after, drawing, spaces
from qin.engine import Colour, Connected, Founded, Major

# ---- R5 ----------------------------------------------------------------------------------------


def test_R5_provinces_are_settled_before_villages() -> None:
    """Both could place their last pagoda: seat 1, the active one, on the village, and seat 2 on
    its province, which comes first."""
    played = after(
        """
        Y2 Y2 Y2 Y2 .  .  R1 R1
        #  #  #  #  #  V  #  #
        """,
        placement="Ye1Rf1",
        seat=1,
        reserves=(1, 1),
    )
    assert played.drawing == drawing(
        """
        Y2 Y2 Y2 Y2 Y2 R1 R1 R1
        #  #  #  #  #  V  #  #
        """
    )
    assert played.reserves == (1, 0)
    assert played.position.finisher == TWO


@pytest.mark.parametrize(
    ("before", "placement", "then"),
    [
        ("R . . Y2 Y2 / # V V # #", "Rb1Yc1", "R1 R1 Y2 Y2 Y2\n# V V # #"),
        ("Y2 Y2 . . R / # # V V #", "Yc1Rd1", "Y2 Y2 Y2 R1 R1\n# # V V #"),
    ],
)
def test_R5_both_colours_are_settled_before_villages(
    before: str, placement: str, then: str
) -> None:
    """One colour alone would take the village; both together tie."""
    assert after(before, placement=placement).shows(then)


def test_R5_a_village_sees_the_provinces_after_the_tile() -> None:
    """Seat 1's new province alone would connect first; seat 2's major leads at once."""
    played = after(
        """
        R  .  .  Y2 Y2 Y2 Y2
        #  V  V  #  #  #  #
        """,
        placement="Rb1Yc1",
    )
    assert played.shows(
        """
        R1 R1 Y2 Y2 Y2 Y2 Y2
        #  V2 V2 #  #  #  #
        """
    )
    assert [event for event in played.caused if isinstance(event, Connected)] == [
        Connected(TWO, spaces("b2 c2"))
    ]


# ---- R6 ----------------------------------------------------------------------------------------


def test_R6_in_a_join_pagodas_go_home_before_any_is_placed() -> None:
    """With one left, seat 1 joins two of its own: a pagoda moves, and none is placed."""
    played = after("R1 R1 . . R1 R1", placement="Rc1Rd1", reserves=(1, 10))
    assert played.shows("R1 R1 R1 R1 R1 R1")
    assert played.reserves == (1, 10)
    assert played.position.finisher is None


def test_R6_pagodas_of_one_colour_go_home_before_those_of_the_other_are_placed() -> None:
    """One red pagoda goes home and a yellow one is placed: with one left nobody has won."""
    played = after(
        """
        #  #  R1 #  #
        #  #  R1 #  #
        R1 R1 .  R1 R1
        #  Y  .  #  #
        """,
        placement="Rc3Yc4",
        reserves=(1, 10),
    )
    assert played.shows(
        """
        #  #  R1 #  #
        #  #  R1 #  #
        R1 R1 R1 R1 R1
        #  Y1 Y1 #  #
        """
    )
    assert played.reserves == (1, 10)
    assert played.position.finisher is None


def test_R6_it_does_not_matter_which_colour_comes_first_on_the_tile() -> None:
    played = after(
        """
        #  Y  .  #  #
        R1 R1 .  R1 R1
        #  #  R1 #  #
        #  #  R1 #  #
        """,
        placement="Yc1Rc2",
        reserves=(1, 10),
    )
    assert played.reserves == (1, 10)
    assert played.position.finisher is None


def test_R6_pagodas_of_another_players_join_come_home_first() -> None:
    """Seat 1's red province is absorbed while it founds a yellow one with its last pagoda."""
    played = after(
        """
        R2 R2 R2 .  R1 R1
        #  #  Y  .  #  #
        """,
        placement="Rd1Yd2",
        reserves=(1, 10),
    )
    assert played.shows(
        """
        R2 R2 R2 R2 R2 R2
        #  #  Y1 Y1 #  #
        """
    )
    assert played.reserves == (1, 9)


def test_R6_pagodas_of_villages_go_home_before_any_is_placed_on_a_village() -> None:
    """Seat 1 connects one village and loses another: with one left it has not won."""
    played = after(
        """
        #  #  V  #  #  #  #  #  #  #  #
        R1 R1 .  .  Y2 Y2 Y2 Y2 V1 B1 B1
        """,
        placement="Rc2Yd2",
        reserves=(1, 10),
    )
    assert played.shows(
        """
        #  #  V1 #  #  #  #  #  #  #  #
        R1 R1 R1 Y2 Y2 Y2 Y2 Y2 V2 B1 B1
        """
    )
    assert played.reserves == (1, 8)
    assert played.position.finisher is None


def test_R6_a_pagoda_of_a_village_does_not_come_home_for_the_provinces() -> None:
    """The two steps are apart: seat 1 places its last one before it would lose the village."""
    played = after(
        """
        #  #  Y2 #  #  #
        #  #  Y2 #  #  #
        #  #  Y2 #  #  #
        #  #  Y2 #  #  #
        #  #  Y2 #  #  #
        R  .  .  V1 B1 B1
        """,
        placement="Rb6Yc6",
        reserves=(1, 10),
    )
    assert played.drawing == drawing(
        """
        #  #  Y2 #  #  #
        #  #  Y2 #  #  #
        #  #  Y2 #  #  #
        #  #  Y2 #  #  #
        #  #  Y2 #  #  #
        R1 R1 Y2 V1 B1 B1
        """
    )
    assert played.reserves == (0, 10)
    assert played.position.finisher == ONE


# ---- R7 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seat", "reserves", "pagodas"), [(1, (0, 1), (2, 1)), (2, (1, 0), (1, 2))]
)
def test_R7_the_active_player_places_first(
    seat: int, reserves: tuple[int, ...], pagodas: tuple[int, int]
) -> None:
    """One tile makes two provinces major; nothing happens after the first last pagoda."""
    played = after("R1 R1 R1 R1 . . Y2 Y2 Y2 Y2", placement="Re1Yf1", seat=seat, reserves=(1, 1))
    assert played.reserves == reserves
    assert (played.pagodas_at("a1"), played.pagodas_at("j1")) == pagodas
    assert [type(event) for event in played.caused].count(Major) == 1


@pytest.mark.parametrize(
    ("seat", "finisher", "reserves"),
    [(1, ONE, (0, 5, 1)), (2, THREE, (1, 5, 0)), (3, THREE, (1, 5, 0))],
)
def test_R7_then_the_others_place_clockwise(
    seat: int, finisher: int, reserves: tuple[int, ...]
) -> None:
    """Seat 3 comes after seat 2, and seat 1 after seat 3."""
    played = after(
        "R1 R1 R1 R1 . . Y3 Y3 Y3 Y3",
        placement="Re1Yf1",
        seat=seat,
        players=3,
        reserves=(1, 5, 1),
    )
    assert played.position.finisher == finisher
    assert played.reserves == reserves


@pytest.mark.parametrize(
    ("seat", "then", "reserves"),
    [
        (1, "V1 R1 R1 R1 / # Y2 Y2 Y2 / # V # #", (0, 1)),
        (2, "V R1 R1 R1 / # Y2 Y2 Y2 / # V2 # #", (1, 0)),
    ],
)
def test_R7_the_active_player_takes_villages_first(
    seat: int, then: str, reserves: tuple[int, ...]
) -> None:
    played = after(
        """
        V  .  R1 R1
        #  .  Y2 Y2
        #  V  #  #
        """,
        placement="Rb1Yb2",
        seat=seat,
        reserves=(1, 1),
    )
    assert played.drawing == drawing(then.replace(" / ", "\n"))
    assert played.reserves == reserves


def test_R7_nothing_happens_after_the_last_pagoda_not_even_the_villages() -> None:
    played = after(
        """
        R . V
        # . #
        """,
        placement="Rb1Yb2",
        reserves=(1, 10),
    )
    assert played.drawing == drawing(
        """
        R1 R1 V
        #  Y  #
        """
    )
    assert played.reserves == (0, 10)
    assert played.caused == [Founded(ONE, Colour.RED, spaces("a1 b1"), 1)]


def test_R7_a_village_that_was_to_be_conquered_later_stands_empty() -> None:
    """Seat 3's pagoda has gone home (R6), and seat 2's no longer comes."""
    played = after(
        """
        #  #  V  #  #  #  #  #  #  #  #
        R1 R1 .  .  Y2 Y2 Y2 Y2 V3 B3 B3
        """,
        placement="Rc2Yd2",
        players=3,
        reserves=(1, 10, 10),
    )
    assert played.drawing == drawing(
        """
        #  #  V1 #  #  #  #  #  #  #  #
        R1 R1 R1 Y2 Y2 Y2 Y2 Y2 V  B3 B3
        """
    )
    assert played.reserves == (0, 9, 11)


def test_R7_the_last_pagoda_goes_to_one_of_two_villages() -> None:
    played = after(
        """
        R . V
        # . #
        # V #
        """,
        placement="Rb1Rb2",
        reserves=(2, 10),
    )
    assert played.reserves == (0, 10)
    assert sorted(map(str, played.position.holders)) == ["0", "None"]


def test_R7_of_two_provinces_founded_at_once_the_last_pagoda_stands_on_one() -> None:
    played = after("R . . Y", placement="Rb1Yc1", reserves=(1, 10))
    assert played.reserves == (0, 10)
    founded = [event.pagodas for event in played.caused if isinstance(event, Founded)]
    assert founded == [1, 0], "the second province is told, too, but nobody can build on it"
    assert played.pagodas_at("a1") + played.pagodas_at("d1") == 1


# ---- R8 ----------------------------------------------------------------------------------------


def test_R8_the_last_pagoda_may_be_placed_on_another_players_turn() -> None:
    played = after("R1 R1 R1 R1 . .", placement="Re1Yf1", seat=2, reserves=(1, 10))
    assert played.reserves == (0, 10)
    assert played.position.finisher == ONE


def test_R8_it_may_be_placed_on_a_village_on_another_players_turn() -> None:
    played = after("R1 R1 . . V", placement="Rc1Yd1", seat=2, reserves=(1, 10))
    assert played.position.finisher is None
    played = after("R1 R1 . . V", placement="Rc1Rd1", seat=2, reserves=(1, 10))
    assert played.drawing == "R1 R1 R1 R1 V1"
    assert played.position.finisher == ONE


def test_R8_with_one_left_a_double_pagoda_needs_only_that_one() -> None:
    played = after(
        """
        . R . .
        R . . R
        """,
        placement="Rb2Rc2",
        reserves=(1, 5),
    )
    assert played.reserves == (0, 5)
    assert played.position.finisher == ONE
    assert played.caused == [Founded(ONE, Colour.RED, spaces("b1 a2 b2 c2 d2"), 1)]


def test_R8_with_two_left_a_double_pagoda_takes_both() -> None:
    played = after(
        """
        . R . .
        R . . R
        """,
        placement="Rb2Rc2",
        reserves=(2, 5),
    )
    assert played.reserves == (0, 5)
    assert played.pagodas_at("b2") == 2
