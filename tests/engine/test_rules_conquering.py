"""Taking a village from its holder, and ties: R4."""

# ruff: noqa: N802 - rulings keep their names

from engine.drawn import ONE, THREE, TWO, after, lay, spaces
from qin.engine import Colour, Conquered, Founded

# ---- conquering --------------------------------------------------------------------------------


def test_the_player_with_the_most_pagodas_conquers_and_the_holders_goes_home() -> None:
    played = after(
        """
        R1 R1 V2 Y2 Y2
        #  .  .  #  #
        """,
        placement="Bb2Bc2",
    )
    assert played.before.reserves == (23, 22)
    assert played.reserves == (21, 23)
    assert played.caused == [
        Founded(ONE, Colour.BLUE, spaces("b2 c2"), 1),
        Conquered(ONE, TWO, spaces("c1")),
    ]


def test_a_village_may_be_conquered_on_its_holders_own_turn() -> None:
    played = after("Y2 Y2 V2 R1 R1 R1 R1 . .", placement="Rh1Ri1", seat=2)
    assert played.shows("Y2 Y2 V1 R1 R1 R1 R1 R1 R1")
    assert played.caused[-1] == Conquered(ONE, TWO, spaces("c1"))


def test_a_village_may_be_conquered_by_a_third_player() -> None:
    played = after("Y2 Y2 V2 R3 R3 R3 R3 . .", placement="Rh1Ri1", players=3)
    assert played.shows("Y2 Y2 V3 R3 R3 R3 R3 R3 R3")
    assert played.reserves == (19, 18, 16)


def test_equal_pagodas_conquer_nothing() -> None:
    played = after(
        """
        Y2 Y2 V2 .
        #  #  B  .
        """,
        placement="Rd1Rd2",
    )
    assert played.shows(
        """
        Y2 Y2 V2 R1
        #  #  B  R1
        """
    )


def test_a_holder_who_leads_by_more_adds_no_further_pagoda() -> None:
    played = after(
        """
        R1 R1 V1
        #  .  .
        """,
        placement="Bb2Bc2",
    )
    assert played.shows(
        """
        R1 R1 V1
        #  B1 B1
        """
    )
    assert played.reserves == (21, 24)


def test_joining_changes_a_village() -> None:
    """Seat 2's province beside the village becomes part of seat 1's."""
    played = after("R1 R1 R1 . . R2 R2 V2", placement="Rd1Re1")
    assert played.shows("R1 R1 R1 R1 R1 R1 R1 V1")
    assert played.before.reserves == (23, 22)
    assert played.reserves == (21, 24)


def test_joining_ones_own_may_lose_a_village() -> None:
    """Three small provinces of seat 1 become one major: two pagodas against seat 2's three."""
    played = after(
        """
        #  #  R1 #  #  #  #
        #  #  R1 V1 V1 V1 V1
        R1 R1 .  .  R1 R1 V1
        V1 V1 V1 V1 V1 V1 V1
        Y2 Y2 Y2 Y2 Y2 B2 B2
        """,
        placement="Rc3Rd3",
    )
    assert played.shows(
        """
        #  #  R1 #  #  #  #
        #  #  R1 V2 V2 V2 V2
        R1 R1 R1 R1 R1 R1 V2
        V2 V2 V2 V2 V2 V2 V2
        Y2 Y2 Y2 Y2 Y2 B2 B2
        """
    )
    assert played.before.reserves == (20, 21)
    assert played.reserves == (22, 20)


# ---- R4: ties ----------------------------------------------------------------------------------


def test_R4_a_tie_at_an_empty_village_leaves_it_empty() -> None:
    played = after(
        """
        R1 R1 .  .  Y2 Y2
        #  #  V  V  #  #
        """,
        placement="Rc1Yd1",
    )
    assert played.shows(
        """
        R1 R1 R1 Y2 Y2 Y2
        #  #  V  V  #  #
        """
    )


def test_R4_a_tie_below_the_most_does_not_matter() -> None:
    """Two of seat 1 against one of seat 2 and one of seat 3."""
    played = after(
        """
        #  B3 B3 #  #  #
        Y2 V2 R1 R1 .  .
        Y2 #  R1 R1 #  #
        """,
        placement="Re2Bf2",
        players=3,
    )
    assert played.shows(
        """
        #  B3 B3 #  #  #
        Y2 V1 R1 R1 R1 B
        Y2 #  R1 R1 #  #
        """
    )


def test_R4_rivals_tied_above_the_holder_leave_it_with_the_holder() -> None:
    """Two of seat 1 and two of seat 2 against one of seat 3, which holds the village."""
    played = after(
        """
        R1 R1 R1 R1 .  .  Y2 Y2 Y2 Y2
        #  #  #  V3 V3 V3 V3 #  #  #
        #  #  .  .  B3 B3 #  #  #  #
        """,
        placement="Re1Yf1",
        players=3,
    )
    assert played.shows(
        """
        R1 R1 R1 R1 R1 Y2 Y2 Y2 Y2 Y2
        #  #  #  V3 V3 V3 V3 #  #  #
        #  #  .  .  B3 B3 #  #  #  #
        """
    )
    alone = lay(played.position, "Yc3Yd3", seat=2)
    assert alone.shows(
        """
        R1 R1 R1 R1 R1 Y2 Y2 Y2 Y2 Y2
        #  #  #  V2 V2 V2 V2 #  #  #
        #  #  Y2 Y2 B3 B3 #  #  #  #
        """
    )


def test_R4_a_holder_without_a_province_beside_it_keeps_a_village_in_a_tie() -> None:
    """Seat 3's province is absorbed by seat 1's, and seat 2's becomes major: two against two."""
    played = after(
        """
        R1 R1 R1 .  R3 R3 V3 .
        #  #  #  .  Y2 Y2 Y2 .
        #  #  #  #  #  #  Y2 #
        """,
        placement="Rd1Yd2",
        players=3,
    )
    assert played.shows(
        """
        R1 R1 R1 R1 R1 R1 V3 .
        #  #  #  Y2 Y2 Y2 Y2 .
        #  #  #  #  #  #  Y2 #
        """
    )


def test_R4_he_keeps_it_until_somebody_leads_alone() -> None:
    played = after(
        """
        R1 R1 R1 R1 R1 R1 V3 .
        #  #  #  Y2 Y2 Y2 Y2 .
        #  #  #  #  #  #  Y2 #
        """,
        placement="Bh1Bh2",
        players=3,
    )
    assert played.shows(
        """
        R1 R1 R1 R1 R1 R1 V1 B1
        #  #  #  Y2 Y2 Y2 Y2 B1
        #  #  #  #  #  #  Y2 #
        """
    )
    assert played.caused[-1] == Conquered(ONE, THREE, spaces("g1"))
