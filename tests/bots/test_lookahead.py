"""`lookahead`, and what it judges by."""

from __future__ import annotations

from random import Random

import pytest
from bots.tables import BIRD, LION, bots, endgame
from engine.drawn import ONE, THREE, TWO, drawn, tiles
from engine.strategies import Setup, setups
from hypothesis import given, settings
from qin.bots import Options, Spec, SpecError
from qin.bots.arena import play
from qin.bots.evaluation import WON, Judge, prospects
from qin.bots.gains import Gains
from qin.bots.replies import Replies
from qin.engine import Deal, Game, Position, Seat, Tile, view_of


def chosen(game: Game, spec: str = "lookahead", seed: str = "1") -> str:
    view = view_of(game, game.turn)
    return str(bots(spec, seed=seed)[0].choose(view, Options(view)))


# ---- the bot ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("lookahead:width=1", "width, the options to look into, is 2 or more, not 1"),
        ("lookahead:samples=0", "samples, the worlds to draw, is 1 or more, not 0"),
        ("lookahead:width=many", "width is a whole number, not 'many'"),
        ("lookahead:depth=2", "no parameter 'depth'; its parameters: width, samples"),
    ],
)
def test_a_budget_that_makes_no_sense_is_refused(spec: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        Spec.parse(spec).load()


def test_it_wins_where_it_can() -> None:
    game = endgame(drawn("R . . . B", reserves=[1, 9]), tiles("RY"), tiles("YY"))
    assert len(game.legal) > 1
    assert {chosen(game, seed=seed) for seed in "123456"} == {"Rb1Yc1"}


def test_it_takes_the_place_from_which_a_rival_would_gain() -> None:
    """Both placements found one province, but one of them leaves two to the rival, and the game."""
    game = endgame(drawn("R . . Y # B . .", reserves=[5, 5]), tiles("BB"), tiles("RY"))
    assert [str(placement) for placement in game.legal] == ["Bb1Bc1", "Bg1Bh1"]
    assert {chosen(game, seed=seed) for seed in "123456"} == {"Bb1Bc1"}
    assert {chosen(game, "greedy", seed) for seed in "123456"} == {"Bb1Bc1", "Bg1Bh1"}


def test_it_beats_greedy_even_with_a_small_budget() -> None:
    won = 0
    for number in range(4):
        deal = Deal.shuffled(2, Random(number))
        for seat in (0, 1):
            specs = ["greedy", "greedy"]
            specs[seat] = "lookahead:width=4,samples=1"
            outcome = play(BIRD, deal, bots(*specs), first=Seat(0)).game.outcome
            assert outcome
            won += seat in outcome.winners
    assert won >= 6


# ---- replies ------------------------------------------------------------------------------------


@given(setups())
@settings(max_examples=30)
def test_the_best_reply_is_that_of_all_placements(setup: Setup) -> None:
    for step in list(setup.play())[::5]:
        game = step.after
        if game.outcome:
            continue
        judge = Judge(game.turn, game.players, game.out)
        hand = game.hands[game.turn]
        leads = [
            judge.lead(game.position.place(game.turn, placement)[0]) for placement in game.legal
        ]
        reply = Replies(game.position, judge).best(hand)
        assert (reply is None) == (not leads)
        assert reply is None or reply.lead == pytest.approx(max(leads))
        assert reply is None or reply.placement in game.legal


def test_a_reply_that_does_nothing_is_one_of_those_that_may_lie() -> None:
    position = drawn("R . . . . . / . . . . . . / . . . . . .")
    reply = Replies(position, Judge(ONE, 2)).best(tiles("YB"))
    assert reply is not None
    assert reply.lead == Judge(ONE, 2).lead(position)
    assert reply.placement in position.placements(tiles("YB"))


def test_a_hand_that_cannot_be_placed_has_no_reply() -> None:
    position = drawn("R1 R1 . . R2 R2")
    assert Replies(position, Judge(ONE, 2)).best(tiles("RR")) is None


@given(setups())
@settings(max_examples=30)
def test_gains_are_those_of_laying_the_tile(setup: Setup) -> None:
    for step in list(setup.play())[::4]:
        game = step.after
        for seat in range(game.players):
            judge = Judge(Seat(seat), game.players, game.out)
            gains = Gains(game.position, judge)
            for placement in list(game.position.placements(tuple(Tile)))[::3]:
                after, _ = game.position.place(judge.seat, placement)
                assert gains.lead(*placement) == pytest.approx(judge.lead(after))


# ---- evaluation ---------------------------------------------------------------------------------


def test_the_lead_is_that_over_the_mean_of_those_who_are_in() -> None:
    position = drawn("R . .", players=3, reserves=[5, 7, 10])
    assert Judge(ONE, 3).lead(position) == pytest.approx(3.5)
    assert Judge(THREE, 3).lead(position) == pytest.approx(-4)
    assert Judge(ONE, 3, {TWO}).lead(position) == pytest.approx(5)


@pytest.mark.parametrize(
    ("reserves", "worth"), [([0, 2], WON), ([2, 0], -WON), ([4, 4], 0), ([3, 4], WON)]
)
def test_an_end_is_a_victory_a_defeat_or_shared(reserves: list[int], worth: float) -> None:
    position = drawn("R . .", reserves=[reserves[0] + 1, reserves[1] + 1])
    over = Position.of(position.board, position.realms, position.holders, tuple(reserves))
    assert Judge(ONE, 2).final(over) == pytest.approx(worth, abs=5)


def test_the_last_pagoda_of_one_who_left_wins_nothing() -> None:
    start = drawn("R . .", players=3)
    over = Position.of(start.board, start.realms, start.holders, (3, 0, 5))
    assert Judge(ONE, 3, {TWO}).lead(over) > WON
    assert Judge(THREE, 3, {TWO}).lead(over) < -WON


def test_everybody_has_the_same_prospects_on_the_empty_board() -> None:
    assert prospects(Position.start(LION, 4)) == [0, 0, 0, 0]


def prospect(text: str, seat: Seat = ONE) -> float:
    return prospects(drawn(text))[seat]


def test_a_province_is_worth_more_the_closer_it_is_to_a_double_pagoda() -> None:
    assert prospect("R1 R1 . .") < prospect("R1 R1 R1 .") < prospect("R1 R1 R1 R1 .")
    assert prospect("R1 R1 R1 R1 #") == 0


def test_a_small_province_beside_a_larger_one_is_exposed() -> None:
    assert prospect("R1 R1 . R2 R2 R2") < prospect("R1 R1 # R2 R2 R2")
    assert prospect("R1 R1 . R2 R2 R2", TWO) > prospect("R1 R1 # R2 R2 R2", TWO)
    assert prospect("R1 R1 . . R2 R2 R2") < 0, "two spaces are one tile"
    assert prospect("R1 R1 . . . R2 R2 R2") == 0
    assert prospect("R1 R1 . R2 R2") == 0, "a tie may not be joined"
    assert prospect("R1 R1 . Y2 Y2 Y2") == 0


def test_a_major_province_is_safe() -> None:
    assert prospect("R1 R1 R1 R1 R1 . R2 R2") > 0
    assert prospect("R1 R1 R1 R1 R1 . R2 R2", TWO) < 0


def test_a_village_is_worth_more_the_safer_it_is_held() -> None:
    tied = prospect("R1 R1 V1 Y2 Y2")
    narrow = prospect("R1 R1 V1 .")
    safe = prospect("R1 R1 V1 Y1 Y1")
    assert tied < narrow < safe < 0, "the pagoda itself counts, but it may be lost"


def test_a_tie_at_an_empty_village_is_worth_something_to_both() -> None:
    assert prospect("R1 R1 V Y2 Y2") == prospect("R1 R1 V Y2 Y2", TWO) > 0
