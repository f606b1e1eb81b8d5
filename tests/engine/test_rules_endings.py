"""The rules, "Order, and the last pagoda" and "Other endings", with the rulings R9 to R11."""

# ruff: noqa: N802 - rulings keep their names

import pytest
from engine.drawn import FOUR, ONE, THREE, TWO, drawing, game, play, state, tiles
from qin.engine import (
    Drawn,
    Ended,
    Ending,
    Founded,
    Game,
    Outcome,
    Passed,
    Placement,
    Reason,
    Refused,
    Seat,
    Tile,
    format_position,
)

# ---- the last pagoda ---------------------------------------------------------------------------


def test_the_game_ends_at_once_with_a_players_last_pagoda_and_that_player_wins() -> None:
    over, events = play(
        game("R . . . .", hands=("RY YY", "BB BB"), piles=("RR", "RR", "", ""), reserves=(1, 3)),
        "Rb1Yc1",
    )
    assert over.outcome == Outcome(Ending.LAST_PAGODA, (ONE,))
    assert events[-1] == Ended(Ending.LAST_PAGODA, (ONE,))
    assert over.position.reserves == (0, 3)
    assert len(over.legal) == 0


def test_no_tile_is_drawn_after_the_last_pagoda() -> None:
    before = game(
        "R . . . .", hands=("RY YY", "BB BB"), piles=("RR", "RR", "", ""), reserves=(1, 3)
    )
    over, events = play(before, "Rb1Yc1")
    assert over.hands == (tiles("YY"), tiles("BB BB"))
    assert over.piles == before.piles
    assert not any(isinstance(event, Drawn) for event in events)


def test_R8_a_player_wins_on_another_players_turn() -> None:
    over, events = play(
        game("R2 R2 R2 R2 . .", hands=("RY YY", "BB"), piles=("RR", "", "", ""), reserves=(3, 1)),
        "Re1Yf1",
    )
    assert over.outcome == Outcome(Ending.LAST_PAGODA, (TWO,))
    assert over.turn == ONE
    assert not any(isinstance(event, Drawn) for event in events)


# ---- out of tiles ------------------------------------------------------------------------------


def test_the_game_ends_when_no_player_has_tiles_left() -> None:
    moved, _ = play(game("R . . . . . . .", hands=("RY", "BB")), "Rb1Yc1")
    assert moved.outcome is None
    over, events = play(moved, "Bd1Be1")
    assert over.outcome == Outcome(Ending.OUT_OF_TILES, (ONE, TWO))
    assert events[-1] == Ended(Ending.OUT_OF_TILES, (ONE, TWO))


def test_a_last_tile_is_not_the_end_while_a_pile_can_be_drawn_from() -> None:
    """This ending is looked at after the draw."""
    moved, _ = play(game("R . . . .", hands=("RY", ""), piles=("", "", "BB", "")), "Rb1Yc1")
    assert moved.outcome is None
    assert moved.hands == (tiles("BB"), ())


# ---- R9: the board is full ---------------------------------------------------------------------


def test_R9_the_game_ends_when_no_two_free_spaces_beside_a_province_are_left() -> None:
    """Tiles are left in hands and piles all the same: it says "or", not "and"."""
    over, events = play(
        game("R . . Y2 Y2", hands=("RB YY", "BB"), piles=("RR", "", "", "")), "Rb1Bc1"
    )
    assert over.outcome == Outcome(Ending.BOARD_FULL, (ONE, TWO))
    assert over.hands == (tiles("YY RR"), tiles("BB"))
    assert [type(event) for event in events[-2:]] == [Drawn, Ended]


def test_R9_single_grassland_spaces_are_no_room() -> None:
    over, _ = play(
        game(
            """
            R . .
            . # .
            """,
            hands=("RB YY", "BB"),
        ),
        "Rb1Bc1",
    )
    assert drawing(format_position(over.position)) == drawing(
        """
        R1 R1 B
        .  #  .
        """
    )
    assert over.outcome == Outcome(Ending.BOARD_FULL, (ONE,))


def test_R9_spaces_beside_no_province_space_are_no_room() -> None:
    over, _ = play(game("R . . ~ . . V . .", hands=("RB YY", "BB")), "Rb1Bc1")
    assert over.outcome == Outcome(Ending.BOARD_FULL, (ONE,))


def test_R9_spaces_beside_a_single_space_are_room() -> None:
    moved, _ = play(game("R . . . .", hands=("RB YY", "BB")), "Rb1Bc1")
    assert moved.outcome is None


# ---- who wins ----------------------------------------------------------------------------------


def test_whoever_has_placed_the_most_pagodas_wins() -> None:
    over, _ = play(
        game(
            """
            Y2 Y2 # B2 B2 V2
            R  .  . #  #  #
            """,
            hands=("RB", ""),
        ),
        "Rb2Bc2",
    )
    assert over.pagodas_placed == (1, 3)
    assert over.outcome == Outcome(Ending.OUT_OF_TILES, (TWO,))


@pytest.mark.parametrize(
    ("reserves", "winners"),
    [
        ((5, 4, 6, 7), (ONE, TWO)),
        ((6, 4, 4, 4), (TWO, THREE, FOUR)),
        ((5, 4, 4, 9), (ONE, TWO, THREE)),
        ((9, 9, 9, 8), (ONE, FOUR)),
        ((2, 9, 9, 8), (ONE,)),
    ],
)
def test_ties_share_the_victory(reserves: tuple[int, ...], winners: tuple[Seat, ...]) -> None:
    """Seat 1 places one more pagoda with the last tile."""
    over, _ = play(game("R . .", hands=("RB", "", "", ""), reserves=reserves), "Rb1Bc1")
    assert over.outcome == Outcome(Ending.OUT_OF_TILES, winners)


# ---- the order of the endings ------------------------------------------------------------------


def test_the_last_pagoda_comes_before_every_other_ending() -> None:
    """The last tile fills the board, too."""
    over, _ = play(game("R . .", hands=("RB", ""), reserves=(1, 5)), "Rb1Bc1")
    assert over.outcome == Outcome(Ending.LAST_PAGODA, (ONE,))


def test_out_of_tiles_comes_before_board_full() -> None:
    over, _ = play(game("R . .", hands=("RB", "")), "Rb1Bc1")
    assert over.outcome == Outcome(Ending.OUT_OF_TILES, (ONE,))


def test_board_full_comes_before_no_placement() -> None:
    over, _ = play(game("R . .", hands=("RB", "YY")), "Rb1Bc1")
    assert over.outcome == Outcome(Ending.BOARD_FULL, (ONE,))


# ---- R10: passing ------------------------------------------------------------------------------

STUCK_BUT_FOR_BC3 = """
    R1 R1 .  .  R2 R2
    #  #  #  #  #  #
    Y  .  .  #  #  #
    """
"""A red tile never fits on c1 and d1: it would join two against two spaces."""


def test_R10_a_player_who_can_place_no_tile_passes() -> None:
    """Nothing is placed and nothing drawn."""
    moved, _ = play(
        game(STUCK_BUT_FOR_BC3, hands=("YY YB", "RR RR"), piles=("RB", "", "", "YY")), "Yb3Yc3"
    )
    assert moved.turn == TWO
    assert moved.must_pass
    assert list(moved.legal) == []
    before = state(moved)
    passed, events = moved.pass_turn()
    assert events == [Passed(TWO)]
    assert state(passed) == before._replace(turn=ONE, ply=before.ply + 1)
    assert not passed.must_pass


def test_R10_only_a_player_who_can_place_no_tile_passes() -> None:
    with pytest.raises(Refused) as caught:
        game(STUCK_BUT_FOR_BC3, hands=("YY YB", "RR RR")).pass_turn()
    assert caught.value.reason is Reason.MUST_PLACE


def stuck(piles: tuple[str, ...], pile: int) -> Game:
    """Seat 1 lays its YY tile; from then on only what it has drawn may fit."""
    moved, _ = play(game(STUCK_BUT_FOR_BC3, hands=("YY RR", "RR RR"), piles=piles), "Yb3Yc3", pile)
    return moved


def test_R10_the_game_ends_when_nobody_can_place_although_there_is_room() -> None:
    """Even though the tile on the second pile would fit."""
    over = stuck(("RR", "YB", "", ""), pile=1)
    assert drawing(format_position(over.position)) == drawing(
        """
        R1 R1 .  .  R2 R2
        #  #  #  #  #  #
        Y1 Y1 Y1 #  #  #
        """
    )
    assert not over.position.full
    assert len(over.position.placements([Tile.YB])) == 2
    assert over.outcome == Outcome(Ending.NO_PLACEMENT, (ONE,))


def test_R10_it_does_not_end_when_the_tile_just_drawn_fits() -> None:
    """This ending is looked at after the draw, and it is seat 2 who passes."""
    moved = stuck(("RR", "YB", "", ""), pile=2)
    assert moved.outcome is None
    assert moved.turn == TWO
    assert moved.must_pass
    back, _ = moved.pass_turn()
    over, _ = play(back, "Yc1Bd1")
    assert over.outcome == Outcome(Ending.BOARD_FULL, (ONE,))


def test_R10_it_does_not_end_while_a_third_player_can_place() -> None:
    moved, _ = play(game(STUCK_BUT_FOR_BC3, hands=("YY RR", "RR", "BB")), "Yb3Yc3")
    assert moved.outcome is None
    passed, events = moved.pass_turn()
    assert events == [Passed(TWO)]
    assert passed.turn == THREE
    assert [str(placement) for placement in passed.legal] == ["Bc1Bd1"]


def test_R10_a_player_who_passed_places_again_when_he_can() -> None:
    """Seat 2's red tile would join three against three, until seat 1 has four."""
    before = game(
        """
        R1 .  .  R2
        R1 #  #  R2
        R1 .  .  R2
        """,
        hands=("RB YY", "RR"),
        turn=2,
    )
    assert before.must_pass
    passed, _ = before.pass_turn()
    moved, _ = play(passed, "Rb3Bc3")
    assert moved.turn == TWO
    assert [str(placement) for placement in moved.legal] == ["Rb1Rc1"]


# ---- R11: skipping -----------------------------------------------------------------------------


def test_R11_a_player_with_no_tiles_left_is_skipped() -> None:
    moved, events = play(game("R . . . . . .", hands=("RB BB", "", "YY")), "Rb1Bc1")
    assert moved.turn == THREE
    assert not any(isinstance(event, Passed) for event in events)


def test_R11_the_only_player_with_tiles_moves_again() -> None:
    moved, _ = play(game("R . . . . . .", hands=("RB YY", "")), "Rb1Bc1")
    assert moved.turn == ONE
    over, events = play(moved, "Yd1Ye1")
    assert isinstance(events[1], Founded)
    assert over.outcome == Outcome(Ending.OUT_OF_TILES, (ONE,))


def test_nothing_can_be_done_in_a_game_that_is_over() -> None:
    over, _ = play(game("R . . . .", hands=("RB YY", ""), reserves=(1, 5)), "Rb1Bc1")
    for act in (
        lambda: over.check(ONE, Placement.parse("Yd1Ye1")),
        lambda: over.withdraw(TWO),
        over.pass_turn,
    ):
        with pytest.raises(Refused):
            act()
