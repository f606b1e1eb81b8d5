"""Joins that are not allowed, and what a tie is: R1 and R2."""

# ruff: noqa: N802 - rulings keep their names

from engine.drawn import after, refused, why
from qin.engine import Reason

# ---- joins that are not allowed ----------------------------------------------------------------


def test_a_tie_for_the_most_spaces_forbids_a_join() -> None:
    refusal = refused(
        """
        R1 R1 .  R2 R2
        #  #  .  #  #
        """,
        placement="Rc1Yc2",
    )
    assert why(refusal) == (Reason.TIED_JOIN, "a1 b1 d1 e1")


def test_a_tie_forbids_a_join_by_the_two_spaces_of_a_one_coloured_tile() -> None:
    assert why(refused("R1 R1 . . R2 R2", placement="Rc1Rd1")) == (
        Reason.TIED_JOIN,
        "a1 b1 e1 f1",
    )


def test_a_tie_of_totals_forbids_a_join() -> None:
    """Two and two against four."""
    refusal = refused(
        """
        #  #  R1 #  #  #  #
        #  #  R1 #  #  #  #
        R1 R1 .  R2 R2 R2 R2
        #  #  .  #  #  #  #
        """,
        placement="Rc3Yc4",
    )
    assert why(refusal) == (Reason.TIED_JOIN, "c1 c2 a3 b3 d3 e3 f3 g3")


def test_a_forbidden_join_by_the_upper_half_forbids_the_tile() -> None:
    refusal = refused(
        """
        R1 R1 .  R2 R2
        B  #  .  Y1 Y1
        """,
        placement="Rc1Yc2",
    )
    assert why(refusal) == (Reason.TIED_JOIN, "a1 b1 d1 e1")


def test_a_forbidden_join_by_the_lower_half_forbids_the_tile() -> None:
    refusal = refused(
        """
        B  #  .  Y1 Y1
        R1 R1 .  R2 R2
        """,
        placement="Yc1Rc2",
    )
    assert why(refusal) == (Reason.TIED_JOIN, "a2 b2 d2 e2")


def test_the_provinces_of_one_player_never_tie() -> None:
    played = after(
        """
        R1 R1 .  R1 R1
        #  #  .  #  #
        """,
        placement="Rc1Yc2",
        seat=2,
    )
    assert played.reserves == (22, 24)


def test_two_major_provinces_are_never_joined() -> None:
    refusal = refused("R1 R1 R1 R1 R1 . . R2 R2 R2 R2 R2 R2", placement="Rf1Rg1")
    assert why(refusal) == (Reason.JOINS_MAJORS, "a1 b1 c1 d1 e1 h1 i1 j1 k1 l1 m1")


def test_two_major_provinces_are_never_joined_even_of_one_owner() -> None:
    refusal = refused(
        """
        R1 R1 R1 R1 R1 .  R1 R1 R1 R1 R1
        #  #  #  #  #  .  #  #  #  #  #
        """,
        placement="Rf1Yf2",
    )
    assert refusal.reason is Reason.JOINS_MAJORS


def test_two_major_provinces_are_never_joined_with_a_small_one_between() -> None:
    refusal = refused(
        """
        #  #  #  #  #  R2 #  #  #  #  #
        #  #  #  #  #  R2 #  #  #  #  #
        R1 R1 R1 R1 R1 .  R1 R1 R1 R1 R1
        #  #  #  #  #  .  #  #  #  #  #
        """,
        placement="Rf3Yf4",
    )
    assert refusal.reason is Reason.JOINS_MAJORS


def test_major_provinces_of_two_colours_lie_side_by_side() -> None:
    played = after("R1 R1 R1 R1 R1 . . Y2 Y2 Y2 Y2 Y2", placement="Rf1Yg1")
    assert played.shows("R1 R1 R1 R1 R1 R1 Y2 Y2 Y2 Y2 Y2 Y2")


# ---- R1 ----------------------------------------------------------------------------------------


def test_R1_a_tie_below_the_most_does_not_forbid_a_join() -> None:
    played = after(
        """
        #  #  R2 #  #  #
        #  #  R2 #  #  #
        R3 R3 .  R1 R1 R1
        #  #  .  #  #  #
        """,
        placement="Rc3Yc4",
        seat=2,
        players=3,
    )
    assert played.shows(
        """
        #  #  R1 #  #  #
        #  #  R1 #  #  #
        R1 R1 R1 R1 R1 R1
        #  #  Y  #  #  #
        """
    )


def test_R1_a_tie_for_the_most_forbids_a_join_whoever_is_below() -> None:
    refusal = refused(
        """
        #  #  #  R3 #  #  #
        #  #  #  R3 #  #  #
        R1 R1 R1 .  R2 R2 R2
        #  #  #  .  #  #  #
        """,
        placement="Rd3Yd4",
        players=3,
    )
    assert why(refusal) == (Reason.TIED_JOIN, "d1 d2 a3 b3 c3 e3 f3 g3")


def test_R1_a_tie_of_three_forbids_a_join() -> None:
    refusal = refused(
        """
        #  #  R3 #  #
        #  #  R3 #  #
        R1 R1 .  R2 R2
        #  #  .  #  #
        """,
        placement="Rc3Yc4",
        players=3,
    )
    assert refusal.reason is Reason.TIED_JOIN


# ---- R2 ----------------------------------------------------------------------------------------


def test_R2_a_major_province_annexes_a_small_one() -> None:
    played = after("R1 R1 R1 R1 R1 . . R2 R2 R2 R2", placement="Rf1Rg1", seat=2)
    assert played.shows("R1 R1 R1 R1 R1 R1 R1 R1 R1 R1 R1")
    assert played.reserves == (22, 24)


def test_R2_a_major_province_is_safe_against_greater_totals() -> None:
    """Four and two of seat 2 against the five of seat 1."""
    played = after(
        """
        #  #  #  #  #  R2 #  #  #  #
        #  #  #  #  #  R2 #  #  #  #
        R1 R1 R1 R1 R1 .  R2 R2 R2 R2
        #  #  #  #  #  .  #  #  #  #
        """,
        placement="Rf3Yf4",
        seat=2,
    )
    assert played.shows(
        """
        #  #  #  #  #  R1 #  #  #  #
        #  #  #  #  #  R1 #  #  #  #
        R1 R1 R1 R1 R1 R1 R1 R1 R1 R1
        #  #  #  #  #  Y  #  #  #  #
        """
    )
    assert played.before.reserves == (22, 22)
    assert played.reserves == (22, 24)


def test_R2_a_major_province_is_safe_in_an_exact_tie() -> None:
    """Three and two of seat 2 against the five of seat 1."""
    played = after(
        """
        #  #  #  #  #  R2 #  #  #
        #  #  #  #  #  R2 #  #  #
        R1 R1 R1 R1 R1 .  R2 R2 R2
        #  #  #  #  #  .  #  #  #
        """,
        placement="Rf3Yf4",
        seat=2,
    )
    assert played.shows(
        """
        #  #  #  #  #  R1 #  #  #
        #  #  #  #  #  R1 #  #  #
        R1 R1 R1 R1 R1 R1 R1 R1 R1
        #  #  #  #  #  Y  #  #  #
        """
    )


def test_R2_a_major_province_annexes_rivals_that_tie_with_each_other() -> None:
    played = after(
        """
        #  #  #  #  #  R2 #  #
        #  #  #  #  #  R2 #  #
        R1 R1 R1 R1 R1 .  R3 R3
        #  #  #  #  #  .  #  #
        """,
        placement="Rf3Yf4",
        seat=3,
        players=3,
    )
    assert played.shows(
        """
        #  #  #  #  #  R1 #  #
        #  #  #  #  #  R1 #  #
        R1 R1 R1 R1 R1 R1 R1 R1
        #  #  #  #  #  Y  #  #
        """
    )
    assert played.reserves == (17, 19, 19)
