"""The rules, ruling R13: a player who resigns or forfeits is out."""

# ruff: noqa: N802 - rulings keep their names

import pytest
from engine.drawn import FOUR, ONE, THREE, TWO, drawing, game, play, state, tiles
from qin.engine import (
    Ended,
    Ending,
    Game,
    Outcome,
    Placement,
    Reason,
    Refused,
    Seat,
    Withdrew,
    format_position,
    view_of,
)

ROOM = """
    R . . . . . .
    . . . . . . .
    . . . . . . .
    """
HANDS = ("RY YB BB", "YY RR YY", "BB RB RR", "RY RY YB")
PILES = ("RR YY", "BB", "RB", "YB")


def table(players: int, turn: int = 1) -> Game:
    return game(ROOM, hands=HANDS[:players], piles=PILES, turn=turn)


# ---- out in turn and out of turn ---------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4])
def test_R13_a_player_resigns_in_turn_and_the_next_one_moves(players: int) -> None:
    before = table(players)
    after, events = before.withdraw(ONE)
    assert events == [Withdrew(ONE, forfeit=False)]
    assert state(after) == state(before)._replace(turn=TWO, out=frozenset({ONE}))


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("seat", [TWO, THREE])
def test_R13_a_player_resigns_out_of_turn_and_the_turn_stays(players: int, seat: Seat) -> None:
    before = table(players)
    after, events = before.withdraw(seat)
    assert events == [Withdrew(seat, forfeit=False)]
    assert state(after) == state(before)._replace(out=frozenset({seat}))


def test_R13_a_player_forfeits_as_he_would_resign() -> None:
    before = table(3)
    after, events = before.withdraw(THREE, forfeit=True)
    assert events == [Withdrew(THREE, forfeit=True)]
    assert state(after) == state(before)._replace(out=frozenset({THREE}))


def test_R13_his_turns_are_skipped() -> None:
    moving, _ = table(4).withdraw(TWO)
    seats = []
    for placement in ("Yb1Bc1", "Ba2Bb2", "Yd1Rd2", "Ba3Bb3"):
        seats.append(moving.turn + 1)
        moving, _ = play(moving, placement)
    assert seats == [1, 3, 4, 1]


def test_R13_two_neighbours_who_are_out_are_both_skipped() -> None:
    one_out, _ = table(4, turn=4).withdraw(ONE)
    two_out, _ = one_out.withdraw(TWO)
    assert two_out.turn == FOUR
    moved, _ = play(two_out, "Rb1Yc1")
    assert moved.turn == THREE


def test_R13_out_of_turn_the_turn_stays_also_across_seats_that_are_out() -> None:
    first, _ = table(4, turn=3).withdraw(TWO)
    second, _ = first.withdraw(ONE)
    assert second.turn == THREE


def test_R13_nobody_withdraws_twice() -> None:
    after, _ = table(3).withdraw(TWO)
    with pytest.raises(Refused) as caught:
        after.withdraw(TWO)
    assert caught.value.reason is Reason.OUT_OF_GAME


def test_R13_a_player_who_is_out_places_no_tile() -> None:
    after, _ = table(3).withdraw(TWO)
    with pytest.raises(Refused) as caught:
        after.check(TWO, Placement.parse("Yb1Yc1"))
    assert caught.value.reason is Reason.NOT_YOUR_TURN


# ---- his hand ----------------------------------------------------------------------------------


def test_R13_his_hand_is_set_aside_unseen() -> None:
    """It goes to no pile and to nobody, and the others know as little of it as before."""
    before = table(3)
    after, _ = before.withdraw(ONE)
    assert after.hands == before.hands
    assert after.piles == before.piles
    for seat in (TWO, THREE, None):
        assert view_of(after, seat).unseen == view_of(before, seat).unseen
        assert view_of(after, seat).hand == view_of(before, seat).hand


def test_R13_his_hand_does_not_keep_the_game_going() -> None:
    """Nobody but him has tiles left: the game is out of tiles."""
    before = game("R . . . Y2 Y2", hands=("RB YY", "", ""))
    over, events = before.withdraw(ONE)
    assert events == [Withdrew(ONE, forfeit=False), Ended(Ending.OUT_OF_TILES, (TWO,))]
    assert over.hands[0] == tiles("RB YY")


def test_R13_what_he_could_place_does_not_keep_the_game_going() -> None:
    """Only his tile would have fitted."""
    before = game("R1 R1 . . R2 R2", hands=("BB", "RR", "RR"))
    over, _ = before.withdraw(ONE)
    assert over.outcome == Outcome(Ending.NO_PLACEMENT, (TWO,))


# ---- his pagodas -------------------------------------------------------------------------------


def test_R13_his_pagodas_stay_and_are_settled_as_before() -> None:
    """His province becomes major and conquers a village, though he is out."""
    before = game("Y2 Y2 V2 R3 R3 R3 R3 . . . .", hands=("RR BB", "BB", "BB"))
    resigned, _ = before.withdraw(THREE)
    assert resigned.position == before.position
    moved, _ = play(resigned, "Rh1Ri1")
    assert drawing(format_position(moved.position)) == "Y2 Y2 V3 R3 R3 R3 R3 R3 R3 . ."
    assert moved.position.reserves == (19, 18, 16)


def test_R13_his_provinces_are_absorbed_as_before() -> None:
    resigned, _ = game("R1 R1 R1 . . R3 R3 . .", hands=("RR BB", "BB", "BB")).withdraw(THREE)
    moved, _ = play(resigned, "Rd1Re1")
    assert drawing(format_position(moved.position)) == "R1 R1 R1 R1 R1 R1 R1 . ."
    assert moved.position.reserves == (17, 19, 19)


# ---- he cannot win -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reserves", "winners"),
    [((5, 1, 7), (ONE,)), ((7, 1, 5), (THREE,)), ((6, 1, 6), (ONE, THREE))],
)
def test_R13_his_last_pagoda_ends_the_game_and_those_still_in_are_compared(
    reserves: tuple[int, ...], winners: tuple[Seat, ...]
) -> None:
    resigned, _ = game(
        "R2 R2 R2 R2 . . . .",
        hands=("RB BB", "BB", "BB"),
        piles=("RR", "", "", ""),
        reserves=reserves,
    ).withdraw(TWO)
    over, _ = play(resigned, "Re1Bf1")
    assert over.position.reserves == (reserves[0], 0, reserves[2])
    assert over.outcome == Outcome(Ending.LAST_PAGODA, winners)
    assert over.hands[0] == tiles("BB")


def test_R13_he_cannot_win_when_the_board_is_full() -> None:
    resigned, _ = game("R . . Y2 Y2", hands=("RB BB", "BB", "BB"), reserves=(10, 2, 8)).withdraw(
        TWO
    )
    over, _ = play(resigned, "Rb1Bc1")
    assert over.position.reserves == (9, 2, 8)
    assert over.outcome == Outcome(Ending.BOARD_FULL, (THREE,))


def test_R13_a_player_still_in_wins_with_his_own_last_pagoda() -> None:
    resigned, _ = game("R . . . .", hands=("RB BB", "BB", "BB"), reserves=(1, 2, 8)).withdraw(TWO)
    over, _ = play(resigned, "Rb1Bc1")
    assert over.outcome == Outcome(Ending.LAST_PAGODA, (ONE,))


# ---- the last one in ---------------------------------------------------------------------------


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize(("forfeit", "ending"), [(False, Ending.RESIGNED), (True, Ending.FORFEIT)])
def test_R13_of_two_players_the_other_one_wins(turn: int, *, forfeit: bool, ending: Ending) -> None:
    over, events = table(2, turn).withdraw(ONE, forfeit=forfeit)
    assert over.outcome == Outcome(ending, (TWO,))
    assert events == [Withdrew(ONE, forfeit), Ended(ending, (TWO,))]


@pytest.mark.parametrize("players", [3, 4])
def test_R13_when_one_player_is_left_in_that_player_wins(players: int) -> None:
    """However few pagodas he has placed."""
    last = Seat(players - 1)
    going = game("R1 R1 . Y2 Y2 . . .", hands=HANDS[:players], piles=PILES)
    for seat in range(players - 1):
        assert going.outcome is None
        going, _ = going.withdraw(Seat(seat))
    assert going.outcome == Outcome(Ending.RESIGNED, (last,))


def test_R13_the_withdrawal_that_leaves_one_names_the_ending() -> None:
    resigned, _ = table(3).withdraw(ONE)
    over, _ = resigned.withdraw(THREE, forfeit=True)
    assert over.outcome == Outcome(Ending.FORFEIT, (TWO,))
