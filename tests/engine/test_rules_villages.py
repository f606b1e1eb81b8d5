"""The rules, chapter "A turn", step 2: villages, with the rulings R3 and R4."""

# ruff: noqa: N802 - rulings keep their names

from engine.drawn import ONE, after, spaces
from qin.engine import Colour, Connected, Expanded, Founded

# ---- connecting --------------------------------------------------------------------------------


def test_a_province_beside_an_empty_village_connects_it() -> None:
    played = after(
        """
        R . V
        # . #
        """,
        placement="Rb1Yb2",
    )
    assert played.shows(
        """
        R1 R1 V1
        #  Y  #
        """
    )
    assert played.reserves == (22, 24)
    assert played.caused == [
        Founded(ONE, Colour.RED, spaces("a1 b1"), 1),
        Connected(ONE, spaces("c1")),
    ]


def test_an_expanding_province_connects_a_village() -> None:
    played = after("R1 R1 . . V", placement="Rc1Rd1")
    assert played.shows("R1 R1 R1 R1 V1")


def test_the_owner_of_the_province_connects_whoever_placed_the_tile() -> None:
    played = after("R1 R1 . . V", placement="Rc1Rd1", seat=2)
    assert played.shows("R1 R1 R1 R1 V1")
    assert played.reserves == (22, 24)
    assert played.caused == [
        Expanded(ONE, Colour.RED, spaces("a1 b1 c1 d1")),
        Connected(ONE, spaces("e1")),
    ]


def test_a_single_space_connects_nothing() -> None:
    played = after("R . . V", placement="Yb1Bc1")
    assert played.shows("R Y B V")


def test_a_province_that_meets_a_village_at_a_corner_does_not_share_an_edge() -> None:
    played = after(
        """
        R . .
        # # V
        """,
        placement="Rb1Yc1",
    )
    assert played.shows(
        """
        R1 R1 Y
        #  #  V
        """
    )


def test_one_tile_connects_several_villages() -> None:
    played = after(
        """
        # V # #
        R . . V
        # # V #
        """,
        placement="Rb2Rc2",
    )
    assert played.shows(
        """
        #  V1 #  #
        R1 R1 R1 V1
        #  #  V1 #
        """
    )
    assert played.reserves == (20, 24)


def test_one_tile_connects_villages_for_two_players() -> None:
    played = after(
        """
        #  #  #  V  #  #
        R1 R1 .  .  Y2 Y2
        #  #  V  #  #  #
        """,
        placement="Rc2Yd2",
    )
    assert played.shows(
        """
        #  #  #  V2 #  #
        R1 R1 R1 Y2 Y2 Y2
        #  #  V1 #  #  #
        """
    )


def test_a_village_beside_no_changed_province_stays_as_it_is() -> None:
    played = after("V2 . . R . . V", placement="Re1Yf1")
    assert played.shows("V2 . . R1 R1 Y V")


# ---- R3: what a village is ---------------------------------------------------------------------


def test_R3_a_group_of_village_squares_counts_as_one_village() -> None:
    played = after("R1 R1 . . V V", placement="Rc1Rd1")
    assert played.shows("R1 R1 R1 R1 V1 V1")
    assert played.reserves == (22, 24)


def test_R3_a_village_holds_one_pagoda_however_many_squares_it_has() -> None:
    played = after(
        """
        R . V V
        # . # V
        """,
        placement="Rb1Yb2",
    )
    assert played.shows(
        """
        R1 R1 V1 V1
        #  Y  #  V1
        """
    )
    assert played.reserves == (22, 24)


def test_R3_squares_that_meet_at_a_corner_are_two_villages() -> None:
    played = after(
        """
        R . V #
        # . # V
        """,
        placement="Rb1Yb2",
    )
    assert played.shows(
        """
        R1 R1 V1 #
        #  Y  #  V
        """
    )


def test_R3_provinces_beside_any_square_count_for_the_whole_village() -> None:
    """Seat 1 comes to have one province beside each square, seat 2 has one beside the right one."""
    played = after(
        """
        R1 R1 V2 V2 Y2 Y2
        #  #  #  .  .  #
        """,
        placement="Bd2Be2",
    )
    assert played.shows(
        """
        R1 R1 V1 V1 Y2 Y2
        #  #  #  B1 B1 #
        """
    )


# ---- counting pagodas --------------------------------------------------------------------------


def test_a_small_province_counts_one() -> None:
    """A second small province of seat 1 makes two against one."""
    played = after(
        """
        R1 R1 V2 Y2 Y2
        #  .  .  #  #
        """,
        placement="Bb2Bc2",
    )
    assert played.shows(
        """
        R1 R1 V1 Y2 Y2
        #  B1 B1 #  #
        """
    )


def test_a_province_of_four_still_counts_one() -> None:
    played = after("Y2 Y2 V2 R1 R1 R1 . .", placement="Rg1Yh1")
    assert played.shows("Y2 Y2 V2 R1 R1 R1 R1 Y")


def test_a_major_province_counts_two() -> None:
    played = after("Y2 Y2 V2 R1 R1 R1 R1 . .", placement="Rh1Ri1")
    assert played.shows("Y2 Y2 V1 R1 R1 R1 R1 R1 R1")
    assert played.reserves == (21, 23)


def test_a_major_province_founded_at_once_counts_two() -> None:
    played = after(
        """
        # R  #  #
        R .  .  R
        # V2 #  #
        # Y2 Y2 #
        """,
        placement="Rb2Rc2",
    )
    assert played.shows(
        """
        #  R1 #  #
        R1 R1 R1 R1
        #  V1 #  #
        #  Y2 Y2 #
        """
    )


def test_a_major_province_defends_with_two() -> None:
    played = after("Y2 Y2 Y2 Y2 Y2 V2 R1 R1 R1 R1 . .", placement="Rk1Rl1")
    assert played.shows("Y2 Y2 Y2 Y2 Y2 V2 R1 R1 R1 R1 R1 R1")


def test_a_province_counts_once_even_if_it_touches_two_squares() -> None:
    """Seat 1's new province touches both squares; counted twice it would beat seat 2's one."""
    played = after(
        """
        Y2 V2 V2 .
        Y2 .  .  .
        """,
        placement="Rb2Rc2",
    )
    assert played.shows(
        """
        Y2 V2 V2 .
        Y2 R1 R1 .
        """
    )


def test_a_province_counts_once_even_if_it_touches_a_square_from_two_sides() -> None:
    played = after(
        """
        Y2 V2 R1
        Y2 .  R1
        #  .  #
        """,
        placement="Rb2Rb3",
    )
    assert played.shows(
        """
        Y2 V2 R1
        Y2 R1 R1
        #  R1 #
        """
    )


def test_the_pagoda_on_the_village_itself_does_not_count() -> None:
    """With the pagoda on the village seat 2 would have two as well, and keep it."""
    played = after(
        """
        #  .  .  #
        R1 V2 B2 B2
        R1 #  #  #
        """,
        placement="Yb1Yc1",
    )
    assert played.shows(
        """
        #  Y1 Y1 #
        R1 V1 B2 B2
        R1 #  #  #
        """
    )
