"""What bots that look ahead judge by: replies, gains, and the evaluation of positions."""

from __future__ import annotations

import pytest
from bots.tables import BIRD, LION, midgame
from engine.drawn import ONE, THREE, TWO, drawn, tiles
from engine.strategies import Setup, setups
from hypothesis import given, settings
from qin.bots.evaluation import WON, Judge, prospects
from qin.bots.gains import Gains
from qin.bots.replies import Replies
from qin.engine import Position, Seat, Tile

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
        reply = Replies(game.position, judge).most(hand)
        assert (reply is None) == (not leads)
        assert reply is None or reply.worth == pytest.approx(max(leads))
        assert reply is None or reply.placement in game.legal


def test_the_chosen_reply_is_the_best_looking_of_those_that_bring_much() -> None:
    for number in range(400):
        game = midgame((BIRD, LION)[number % 2], players=2, plies=number % 40, seed=str(number))
        judge = Judge(game.turn, game.players, game.out)
        for tile in set(game.hands[game.turn]):
            options = [
                (judge.lead(after), judge.evaluate(after))
                for placement in game.position.placements((tile,))
                for after, _ in [game.position.place(game.turn, placement)]
            ]
            chosen = Replies(game.position, judge).choice((tile,))
            assert (chosen is None) == (not options)
            if chosen is None:
                continue
            after, _ = game.position.place(game.turn, chosen.placement)
            assert chosen.worth == judge.evaluate(after)
            leads = sorted((lead for lead, _ in options), reverse=True)
            assert judge.lead(after) >= leads[0] - 1
            close = [each for each in options if each[0] >= leads[0] - 1]
            assert chosen.worth <= max(looks for _, looks in close)
            # What ties with the eighth may be left out; of what moves no pagoda one stands for all.
            least = max(leads[:8][-1], judge.lead(game.position))
            looked_at = [looks for lead, looks in close if lead > least]
            assert chosen.worth >= max(looked_at, default=chosen.worth)


def test_what_brings_most_is_not_always_chosen() -> None:
    differ = 0
    for plies in range(4, 30, 2):
        game = midgame(LION, players=2, plies=plies)
        replies, hand = Replies(game.position, Judge(game.turn, 2)), game.hands[game.turn]
        most, chosen = replies.most(hand), replies.choice(hand)
        assert most is not None
        assert chosen is not None
        differ += most.placement != chosen.placement
    assert differ


def test_who_can_place_nothing_has_no_choice() -> None:
    position = drawn("R1 R1 . . R2 R2")
    assert Replies(position, Judge(ONE, 2)).choice(tiles("RR")) is None


def test_a_reply_that_does_nothing_is_one_of_those_that_may_lie() -> None:
    position = drawn("R . . . . . / . . . . . . / . . . . . .")
    reply = Replies(position, Judge(ONE, 2)).most(tiles("YB"))
    assert reply is not None
    assert reply.worth == Judge(ONE, 2).lead(position)
    assert reply.placement in position.placements(tiles("YB"))


def test_a_hand_that_cannot_be_placed_has_no_reply() -> None:
    position = drawn("R1 R1 . . R2 R2")
    assert Replies(position, Judge(ONE, 2)).most(tiles("RR")) is None


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
