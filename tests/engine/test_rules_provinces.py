"""The rules, chapter "A turn", step 2: founding and expanding provinces."""

import pytest
from engine.drawn import ONE, TWO, after, lay, spaces
from qin.engine import Colour, Expanded, Founded, Major, Placed, Placement

# ---- founding ----------------------------------------------------------------------------------


def test_two_spaces_found_a_province_with_one_pagoda() -> None:
    played = after(
        """
        R . . .
        """,
        placement="Rb1Yc1",
    )
    assert played.shows(
        """
        R1 R1 Y .
        """
    )
    assert played.reserves == (23, 24)
    assert played.events == [
        Placed(ONE, Placement.parse("Rb1Yc1")),
        Founded(ONE, Colour.RED, spaces("a1 b1"), 1),
    ]


def test_three_spaces_found_a_province_with_one_pagoda() -> None:
    played = after("R . . .", placement="Rb1Rc1")
    assert played.shows("R1 R1 R1 .")
    assert played.reserves == (23, 24)


def test_four_spaces_found_a_province_with_one_pagoda() -> None:
    played = after("R . . R", placement="Rb1Rc1")
    assert played.shows("R1 R1 R1 R1")
    assert played.reserves == (23, 24)


def test_the_two_halves_of_a_tile_of_one_colour_found_a_province_by_themselves() -> None:
    played = after("Y . . .", placement="Rb1Rc1")
    assert played.shows("Y R1 R1 .")
    assert played.reserves == (23, 24)


def test_half_of_a_tile_connects_up_to_three_single_spaces() -> None:
    played = after(
        """
        . R .
        R . .
        . R .
        """,
        placement="Rb2Yc2",
    )
    assert played.shows(
        """
        .  R1 .
        R1 R1 Y
        .  R1 .
        """
    )
    assert played.reserves == (23, 24)


def test_five_spaces_at_once_found_a_province_with_a_double_pagoda() -> None:
    played = after(
        """
        . R . .
        R . . R
        . . . .
        """,
        placement="Rb2Rc2",
    )
    assert played.shows(
        """
        .  R1 .  .
        R1 R1 R1 R1
        .  .  .  .
        """
    )
    assert played.reserves == (22, 24)
    assert played.pagodas_at("b2") == 2
    assert played.caused == [Founded(ONE, Colour.RED, spaces("b1 a2 b2 c2 d2"), 2)]


def test_more_than_five_spaces_at_once_found_a_province_with_a_double_pagoda() -> None:
    played = after(
        """
        . R . .
        R . . R
        . . R .
        """,
        placement="Rb2Rc2",
    )
    assert played.shows(
        """
        .  R1 .  .
        R1 R1 R1 R1
        .  .  R1 .
        """
    )
    assert played.reserves == (22, 24)
    assert played.pagodas_at("b2") == 2


def test_two_colours_are_founded_at_once() -> None:
    played = after("R . . Y", placement="Rb1Yc1")
    assert played.shows("R1 R1 Y1 Y1")
    assert played.reserves == (22, 24)
    assert played.caused == [
        Founded(ONE, Colour.RED, spaces("a1 b1"), 1),
        Founded(ONE, Colour.YELLOW, spaces("c1 d1"), 1),
    ]


@pytest.mark.parametrize(("seat", "reserves"), [(1, (18, 19, 19)), (3, (19, 19, 18))])
def test_the_active_player_founds(seat: int, reserves: tuple[int, ...]) -> None:
    played = after("R . . .", placement="Rb1Yc1", seat=seat, players=3)
    assert played.shows(f"R{seat} R{seat} Y .")
    assert played.reserves == reserves


def test_one_space_alone_does_nothing() -> None:
    played = after("R . . .", placement="Yb1Bc1")
    assert played.shows("R Y B .")
    assert played.reserves == (24, 24)
    assert played.caused == []


def test_spaces_that_meet_at_a_corner_are_no_province() -> None:
    played = after(
        """
        R . .
        Y . .
        """,
        placement="Rb2Bc2",
    )
    assert played.shows(
        """
        R . .
        Y R B
        """
    )
    assert played.caused == []


def test_founding_beside_a_province_of_another_colour_leaves_that_alone() -> None:
    played = after("R1 R1 . . .", placement="Yc1Yd1", seat=2)
    assert played.shows("R1 R1 Y2 Y2 .")


# ---- expanding ---------------------------------------------------------------------------------


def test_a_province_expands_without_a_further_pagoda() -> None:
    played = after("R1 R1 . .", placement="Rc1Yd1")
    assert played.shows("R1 R1 R1 Y")
    assert played.reserves == (23, 24)
    assert played.caused == [Expanded(ONE, Colour.RED, spaces("a1 b1 c1"))]


def test_an_expanded_province_keeps_its_owner_whoever_placed_the_tile() -> None:
    played = after("R1 R1 . .", placement="Rc1Rd1", seat=2)
    assert played.shows("R1 R1 R1 R1")
    assert played.reserves == (23, 24)
    assert played.caused == [Expanded(ONE, Colour.RED, spaces("a1 b1 c1 d1"))]


def test_one_tile_expands_two_provinces() -> None:
    played = after("R1 R1 . . Y2 Y2", placement="Rc1Yd1")
    assert played.shows("R1 R1 R1 Y2 Y2 Y2")
    assert played.reserves == (23, 23)


def test_one_tile_expands_and_founds() -> None:
    played = after("R2 R2 . . Y", placement="Rc1Yd1")
    assert played.shows("R2 R2 R2 Y1 Y1")
    assert played.reserves == (23, 23)
    assert played.caused == [
        Founded(ONE, Colour.YELLOW, spaces("d1 e1"), 1),
        Expanded(TWO, Colour.RED, spaces("a1 b1 c1")),
    ]


def test_a_tile_that_touches_one_province_twice_expands_it() -> None:
    played = after(
        """
        R2 R2 R2
        R2 .  .
        """,
        placement="Rb2Rc2",
    )
    assert played.shows(
        """
        R2 R2 R2
        R2 R2 R2
        """
    )
    assert played.reserves == (24, 22)


def test_an_expanding_province_swallows_single_spaces() -> None:
    played = after(
        """
        R2 R2 . R
        .  .  . .
        """,
        placement="Rc1Yc2",
    )
    assert played.shows(
        """
        R2 R2 R2 R2
        .  .  Y  .
        """
    )


def test_the_owner_adds_the_second_pagoda_when_a_province_reaches_five() -> None:
    played = after("R1 R1 R1 R1 . .", placement="Re1Yf1")
    assert played.shows("R1 R1 R1 R1 R1 Y")
    assert played.reserves == (22, 24)
    assert played.pagodas_at("a1") == 2
    assert played.caused == [
        Expanded(ONE, Colour.RED, spaces("a1 b1 c1 d1 e1")),
        Major(ONE, Colour.RED, spaces("a1 b1 c1 d1 e1")),
    ]


def test_the_owner_adds_it_on_another_players_turn() -> None:
    played = after("R1 R1 R1 . .", placement="Rd1Re1", seat=2)
    assert played.shows("R1 R1 R1 R1 R1")
    assert played.reserves == (22, 24)


def test_four_spaces_are_not_yet_a_major_province() -> None:
    played = after("R1 R1 R1 . .", placement="Rd1Ye1")
    assert played.pagodas_at("a1") == 1
    assert played.reserves == (23, 24)


def test_swallowed_single_spaces_count_towards_the_five() -> None:
    played = after(
        """
        R2 R2 . R
        .  .  . .
        .  .  R .
        """,
        placement="Rc1Rc2",
    )
    assert played.shows(
        """
        R2 R2 R2 R2
        .  .  R2 .
        .  .  R2 .
        """
    )
    assert played.reserves == (24, 22)


def test_a_province_that_leaps_over_five_gets_one_second_pagoda() -> None:
    played = after("R1 R1 R1 R1 . . R", placement="Re1Rf1")
    assert played.shows("R1 R1 R1 R1 R1 R1 R1")
    assert played.reserves == (22, 24)
    assert played.pagodas_at("a1") == 2


def test_a_major_province_never_carries_more_than_a_double_pagoda() -> None:
    played = after("R1 R1 R1 R1 R1 . . . . . .", placement="Rf1Rg1")
    assert played.shows("R1 R1 R1 R1 R1 R1 R1 . . . .")
    assert played.reserves == (22, 24)
    grown = lay(lay(played.position, "Rh1Ri1", seat=2).position, "Rj1Rk1")
    assert grown.shows("R1 R1 R1 R1 R1 R1 R1 R1 R1 R1 R1")
    assert grown.reserves == (22, 24)
    assert grown.pagodas_at("a1") == 2


def test_one_tile_makes_two_provinces_major() -> None:
    played = after("R1 R1 R1 R1 . . Y2 Y2 Y2 Y2", placement="Re1Yf1")
    assert played.shows("R1 R1 R1 R1 R1 Y2 Y2 Y2 Y2 Y2")
    assert played.reserves == (22, 22)


def test_nothing_of_settling_is_optional() -> None:
    """Seat 1's tile gives seat 2 a double pagoda and a village, like it or not."""
    played = after(
        """
        R2 R2 R2 R2 . . V
        """,
        placement="Re1Rf1",
    )
    assert played.shows("R2 R2 R2 R2 R2 R2 V2")
    assert played.reserves == (24, 21)
