"""The rules, chapter "A turn", step 2: joining provinces, with the rulings R1 and R2."""

import pytest
from engine.drawn import ONE, TWO, after, refused, spaces, why
from qin.engine import Colour, Joined, Reason

# ---- the owner ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [1, 2])
def test_the_player_with_the_most_spaces_owns_the_joined_province(seat: int) -> None:
    played = after(
        """
        R1 R1 R1 .  R2 R2
        #  #  #  .  #  #
        """,
        placement="Rd1Yd2",
        seat=seat,
    )
    assert played.shows(
        """
        R1 R1 R1 R1 R1 R1
        #  #  #  Y  #  #
        """
    )


def test_the_total_of_a_players_provinces_counts() -> None:
    """Two and two spaces of seat 1 beat the three of seat 2."""
    played = after(
        """
        #  #  R1 #  #  #
        #  #  R1 #  #  #
        R1 R1 .  R2 R2 R2
        #  #  .  #  #  #
        """,
        placement="Rc3Yc4",
        seat=2,
    )
    assert played.shows(
        """
        #  #  R1 #  #  #
        #  #  R1 #  #  #
        R1 R1 R1 R1 R1 R1
        #  #  Y  #  #  #
        """
    )
    assert played.reserves == (22, 24)


def test_the_spaces_before_the_tile_count_and_the_tiles_own_for_nobody() -> None:
    """With the tile's two spaces seat 2, who places it, would have four against three."""
    played = after("R1 R1 R1 . . R2 R2", placement="Rd1Re1", seat=2)
    assert played.shows("R1 R1 R1 R1 R1 R1 R1")


def test_swallowed_single_spaces_count_for_nobody() -> None:
    """With two single spaces seat 2, who places the tile, would have four against three."""
    played = after(
        """
        #  #  #  R  #  #  #
        R1 R1 R1 .  .  R2 R2
        #  #  #  #  R  #  #
        """,
        placement="Rd2Re2",
        seat=2,
    )
    assert played.shows(
        """
        #  #  #  R1 #  #  #
        R1 R1 R1 R1 R1 R1 R1
        #  #  #  #  R1 #  #
        """
    )


def test_a_swallowed_single_space_does_not_break_a_tie() -> None:
    refusal = refused(
        """
        #  #  R  #  #
        R1 R1 .  R2 R2
        #  #  .  #  #
        """,
        placement="Rc2Yc3",
    )
    assert why(refusal) == (Reason.TIED_JOIN, "a2 b2 d2 e2")


# ---- the pagodas -------------------------------------------------------------------------------


def test_other_players_pagodas_go_home_and_a_missing_one_is_built() -> None:
    played = after("R1 R1 R1 . . R2 R2", placement="Rd1Re1")
    assert played.before.reserves == (23, 23)
    assert played.reserves == (22, 24)
    assert played.pagodas_at("a1") == 2
    assert played.caused == [
        Joined(ONE, Colour.RED, spaces("a1 b1 c1 d1 e1 f1 g1"), built=1, went_home=(0, 1))
    ]


def test_the_pagodas_of_several_other_players_go_home() -> None:
    played = after(
        """
        #  #  R2 #  #  #
        #  #  R2 #  #  #
        R3 R3 .  R1 R1 R1
        #  #  .  #  #  #
        """,
        placement="Rc3Yc4",
        seat=3,
        players=3,
    )
    assert played.before.reserves == (18, 18, 18)
    assert played.reserves == (17, 19, 19)


def test_two_pagodas_of_the_owner_become_the_double_pagoda() -> None:
    played = after("R1 R1 . . R1 R1", placement="Rc1Rd1", seat=2)
    assert played.shows("R1 R1 R1 R1 R1 R1")
    assert played.reserves == played.before.reserves == (22, 24)
    assert played.caused == [
        Joined(ONE, Colour.RED, spaces("a1 b1 c1 d1 e1 f1"), built=0, went_home=(0, 0))
    ]


def test_extra_pagodas_of_the_owner_go_home() -> None:
    played = after(
        """
        #  #  R1 #  #
        #  #  R1 #  #
        R1 R1 .  R1 R1
        #  #  .  #  #
        """,
        placement="Rc3Yc4",
    )
    assert played.shows(
        """
        #  #  R1 #  #
        #  #  R1 #  #
        R1 R1 R1 R1 R1
        #  #  Y  #  #
        """
    )
    assert played.before.reserves == (21, 24)
    assert played.reserves == (22, 24)
    assert played.pagodas_at("c3") == 2


def test_a_major_province_that_joins_a_small_one_of_its_owner_sends_one_home() -> None:
    played = after("R2 R2 R2 R2 R2 . . R2 R2", placement="Rf1Rg1")
    assert played.shows("R2 R2 R2 R2 R2 R2 R2 R2 R2")
    assert played.before.reserves == (24, 21)
    assert played.reserves == (24, 22)
    assert played.caused == [
        Joined(TWO, Colour.RED, spaces("a1 b1 c1 d1 e1 f1 g1 h1 i1"), built=0, went_home=(0, 1))
    ]


def test_the_smallest_join_is_a_major_province() -> None:
    """Two and two of one owner and half a tile make five."""
    played = after(
        """
        R1 R1 .  R1 R1
        #  #  .  #  #
        """,
        placement="Rc1Yc2",
    )
    assert played.pagodas_at("a1") == 2


# ---- how a tile joins --------------------------------------------------------------------------


def test_the_two_spaces_of_a_one_coloured_tile_join_what_each_of_them_touches() -> None:
    played = after("R1 R1 . . R2 R2 R2", placement="Rc1Rd1")
    assert played.shows("R2 R2 R2 R2 R2 R2 R2")
    assert played.reserves == (24, 22)


def test_a_two_coloured_tile_between_two_provinces_of_a_colour_joins_nothing() -> None:
    """Each colour is looked at by itself."""
    played = after("R1 R1 . . R2 R2", placement="Rc1Yd1")
    assert played.shows("R1 R1 R1 Y R2 R2")


def test_one_tile_joins_provinces_of_both_colours() -> None:
    played = after(
        """
        R1 R1 R1 .  R2 R2
        #  Y1 Y1 .  #  #
        #  #  #  Y2 Y2 Y2
        """,
        placement="Rd1Yd2",
    )
    assert played.shows(
        """
        R1 R1 R1 R1 R1 R1
        #  Y2 Y2 Y2 #  #
        #  #  #  Y2 Y2 Y2
        """
    )
    assert played.before.reserves == (22, 22)
    assert played.reserves == (22, 22)


def test_one_tile_joins_in_one_colour_and_founds_in_the_other() -> None:
    played = after(
        """
        R2 R2 R2 .  R1 R1
        #  #  Y  .  #  #
        """,
        placement="Rd1Yd2",
    )
    assert played.shows(
        """
        R2 R2 R2 R2 R2 R2
        #  #  Y1 Y1 #  #
        """
    )
