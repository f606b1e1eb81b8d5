"""The rules, chapter "A turn", step 3: draw one tile from a pile of your choice."""

import pytest
from engine.drawn import ONE, TWO, game, play, state, tiles
from qin.engine import Drawn, Game, Placement, Reason, Refused, Tile

ROOM = """
    R . . . .
    . . . . .
    . . . . .
    """


def table(*piles: str) -> Game:
    return game(ROOM, hands=("RB RR YY", "BB BB YB"), piles=piles)


@pytest.mark.parametrize(
    ("pile", "drawn"), [(1, Tile.YY), (2, Tile.BB), (3, Tile.RY), (4, Tile.YB)]
)
def test_the_tile_is_drawn_from_the_chosen_pile(pile: int, drawn: Tile) -> None:
    moved, events = play(table("YY RR", "BB RR", "RY RR", "YB RR"), "Rb1Bc1", pile)
    assert moved.hands == ((Tile.RR, Tile.YY, drawn), tiles("BB BB YB"))
    assert [len(rest) for rest in moved.piles] == [1 if n == pile - 1 else 2 for n in range(4)]
    assert moved.piles[pile - 1] == (Tile.RR,)
    assert events[-1] == Drawn(ONE, pile - 1, drawn)


def test_without_a_choice_the_fullest_pile_is_drawn_from() -> None:
    moved, events = play(table("RR", "RR RR", "BB RR RR", "RR"), "Rb1Bc1")
    assert events[-1] == Drawn(ONE, 2, Tile.BB)
    assert moved.piles[2] == tiles("RR RR")


def test_of_equally_full_piles_the_first_is_drawn_from() -> None:
    _, events = play(table("RR", "YB RR", "RR", "BB RR"), "Rb1Bc1")
    assert events[-1] == Drawn(ONE, 1, Tile.YB)


@pytest.mark.parametrize("pile", [1, 3])
def test_an_empty_pile_is_refused(pile: int) -> None:
    before = table("", "RR", "", "YB")
    with pytest.raises(Refused, match=rf"no tile in pile {pile}; draw from 2 or 4$") as caught:
        before.check(ONE, Placement.parse("Rb1Bc1"), pile - 1)
    assert caught.value.reason is Reason.EMPTY_PILE


@pytest.mark.parametrize("pile", [-1, 4, 99])
def test_an_unknown_pile_is_refused(pile: int) -> None:
    with pytest.raises(Refused) as caught:
        table("RR", "RR", "RR", "RR").check(ONE, Placement.parse("Rb1Bc1"), pile)
    assert caught.value.reason is Reason.EMPTY_PILE


def test_when_all_piles_are_empty_the_players_play_on_with_what_is_in_hand() -> None:
    moved, events = play(table("", "", "", ""), "Rb1Bc1")
    assert moved.hands == (tiles("RR YY"), tiles("BB BB YB"))
    assert not any(isinstance(event, Drawn) for event in events)
    assert moved.outcome is None
    assert moved.turn == TWO
    with pytest.raises(Refused, match="all piles are empty"):
        moved.check(TWO, Placement.parse("Ba2Bb2"), 0)


def test_of_two_equal_tiles_in_hand_one_is_placed() -> None:
    before = game(ROOM, hands=("RR RR RR", "YY"))
    moved, _ = play(before, "Rb1Rc1")
    assert moved.hands == (tiles("RR RR"), tiles("YY"))


def test_the_game_before_a_move_stays_what_it_was() -> None:
    before = table("RR", "YB RR", "RR", "BB RR")
    known = state(before)
    moved, _ = play(before, "Rb1Bc1")
    assert state(before) == known == state(table("RR", "YB RR", "RR", "BB RR"))
    assert state(moved) != known
    assert moved.ply == before.ply + 1
