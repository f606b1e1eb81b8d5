"""`champion`: its clock, its levels, and the races that it lets its options run."""

from __future__ import annotations

from collections import Counter

import pytest
from bots.tables import BIRD, LION, bots, chosen, endgame, midgame
from engine.drawn import drawn, tiles
from qin.bots import Options
from qin.bots.outlook import Chances
from qin.bots.race import Race
from qin.engine import Ending, Game, LegalPlacement, Outcome, Placement, Seat, view_of


@pytest.mark.parametrize("left", [0.06, 0.0])
def test_it_makes_do_with_what_the_clock_leaves(left: float) -> None:
    """Were it to take the time that it was made for, this test would run into its own limit."""
    game = midgame(LION, players=3, plies=9)
    view = view_of(game, game.turn)
    (bot,) = bots("champion:time=3600")
    bot.time_left(left)
    assert bot.choose(view, Options(view)) in game.legal


@pytest.mark.parametrize("nodes", [1, 2, 40, 160, 200])
def test_no_more_options_are_played_on_than_it_was_given(
    nodes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the last one ended a world, the first of the next was played on and then forgotten."""
    game = midgame(LION, players=2, plies=9)
    worth, played = Chances.worth, 0

    def counted(chances: Chances, after: Game) -> float:
        nonlocal played
        played += 1
        return worth(chances, after)

    monkeypatch.setattr(Chances, "worth", counted)
    chosen(game, f"champion:nodes={nodes}")
    assert 1 <= played <= nodes


@pytest.mark.parametrize("nodes", [1, 2, 7])
def test_the_smallest_budget_gives_an_answer(nodes: int) -> None:
    game = midgame(BIRD, players=4, plies=15)
    assert Placement.parse(chosen(game, f"champion:nodes={nodes}")) in game.legal


def test_the_lowest_level_places_anywhere_now_and_then_and_the_second_does_not() -> None:
    """There is one placement that brings a pagoda."""
    game = endgame(drawn("R . . . B / # # . . #"), tiles("RY"), tiles("YY"))
    taken = Counter(chosen(game, "champion:level=1", str(seed)) for seed in range(60))
    assert len(taken) > 1
    assert taken["Rb1Yc1"] > 30
    assert {chosen(game, "champion:level=2", str(seed)) for seed in range(20)} == {"Rb1Yc1"}


# ---- chances ------------------------------------------------------------------------------------


def test_chances_lie_between_a_defeat_and_a_victory() -> None:
    game = midgame(LION, players=3, plies=12)
    chances = Chances(view_of(game, game.turn))
    assert all(0 < chances.worth(game.place(placement)[0]) < 1 for placement in game.legal)


def test_a_game_that_is_won_is_a_chance_of_one_and_a_shared_one_of_a_half() -> None:
    winning = endgame(drawn("R . . . B", reserves=[1, 9]), tiles("RY"), tiles("YY"))
    chances = Chances(view_of(winning, winning.turn))
    assert chances.worth(winning.place(LegalPlacement(Placement.parse("Rb1Yc1")))[0]) == 1
    start = drawn("R1 R1 .", reserves=[5, 5])
    over = Game(start, (), (), Seat(0), outcome=Outcome(Ending.BOARD_FULL, (Seat(0), Seat(1))))
    assert chances.worth(over) == 0.5


# ---- races --------------------------------------------------------------------------------------

ONES = [LegalPlacement(Placement.parse(text)) for text in ("Ra1Ra2", "Rb1Rb2", "Rc1Rc2", "Rd1Rd2")]


def note(race: Race, *chances: float) -> None:
    """The chances in a world, in the order of ONES."""
    of = dict(zip(ONES, chances, strict=False))
    race.note([of[placement] for placement in race.placements if placement in of])


def test_the_best_comes_first() -> None:
    race = Race(ONES)
    assert race.placements == ONES
    note(race, 0.2, 0.5, 0.4, 0.3)
    assert race.placements == [ONES[1], ONES[2], ONES[3], ONES[0]]
    note(race, 0.9, 0.1, 0.4, 0.3)
    assert race.placements == [ONES[0], ONES[2], ONES[1], ONES[3]]


def test_who_was_not_tried_is_out() -> None:
    race = Race(ONES)
    race.note([0.2, 0.5])
    assert race.placements == [ONES[1], ONES[0]]


def test_half_are_dropped_but_never_the_second_best() -> None:
    race = Race(ONES)
    for _ in range(2):
        race.drop_half()
        assert race.placements == ONES[:2]


def test_who_is_behind_beyond_doubt_is_dropped_and_who_is_close_stays() -> None:
    race = Race(ONES[:3])
    for world in range(16):
        luck = 0.1 * (world % 2)
        note(race, 0.8 + luck, 0.78 + 2 * luck, 0.2 + luck)
    race.drop_lost(0.0)
    assert set(race.placements) == {ONES[0], ONES[1]}


def test_who_is_as_good_as_the_best_is_not_worth_looking_for() -> None:
    race = Race(ONES[:2])
    for _ in range(16):
        note(race, 0.5, 0.5)
    race.drop_lost(0.0)
    assert len(race.placements) == 2
    race.drop_lost(0.1)
    assert len(race.placements) == 1
