"""The bots that come along."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from bots.tables import BIRD, LION, TRICKY_BOARDS, bots, endgame, few_tiles, midgame, played
from engine.drawn import drawn, tiles
from qin.bots import Bot, Option, Options, Spec
from qin.bots.arena import play
from qin.bots.spec import BUILT_IN
from qin.engine import Board, Game, LegalPlacement, Seat, view_of

QUICK = {"lookahead": "lookahead:width=2,samples=1", "champion": "champion:nodes=12"}
"""Specs for bots that would take their time."""

SPECS = [QUICK.get(name, name) for name in BUILT_IN]


def choice(bot: Bot, game: Game) -> LegalPlacement:
    view = view_of(game, game.turn)
    return bot.choose(view, Options(view))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", [BIRD, *TRICKY_BOARDS], ids=lambda board: board.name)
def test_it_plays_legally_to_the_end_anywhere(spec: str, players: int, board: Board) -> None:
    """The arena raises at the first illegal answer."""
    assert played(board, *[spec] * players).game.outcome


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_on_when_the_piles_are_empty(spec: str, players: int) -> None:
    for seed in ("1", "2", "3"):
        deal = few_tiles(4 * players, players, seed)
        ended = play(LION, deal, bots(*[spec] * players, seed=seed), first=Seat(0)).game
        assert ended.outcome
        assert not any(ended.piles)


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_gives_the_same_game(spec: str) -> None:
    assert played(LION, spec, spec).record == played(LION, spec, spec).record


@pytest.mark.parametrize("spec", SPECS)
def test_the_seed_matters(spec: str) -> None:
    """Where options are equal, chance decides, not the order of the board."""
    game = midgame(BIRD, players=2, plies=0)
    chosen = {choice(bots(spec, seed=str(seed))[0], game) for seed in range(10)}
    assert len(chosen) > 1


@pytest.mark.parametrize("spec", SPECS)
def test_it_plays_on_when_somebody_has_left(spec: str) -> None:
    game, _ = midgame(LION, players=3, plies=13).withdraw(Seat(1))
    seats = bots(spec, spec, spec)
    while game.outcome is None:
        game, _ = game.pass_turn() if game.must_pass else game.place(choice(seats[game.turn], game))
    assert 1 not in game.outcome.winners


# ---- random and greedy --------------------------------------------------------------------------


def test_random_makes_every_placement_about_as_often() -> None:
    game = endgame(drawn("R . . . Y"), tiles("RY"), tiles("BB"))
    bot = bots("random")[0]
    counted = Counter(choice(bot, game) for _ in range(2000))
    assert counted.keys() == set(game.legal)
    assert max(counted.values()) < 1.3 * min(counted.values())


def test_greedy_takes_the_most_pagodas_that_there_are() -> None:
    for plies in range(0, 30, 3):
        game = midgame(LION, players=3, plies=plies)
        chosen = choice(bots("greedy")[0], game)
        options = list(Options(view_of(game, game.turn)))
        gains = {option.placement: option.gain for option in options}
        assert gains[chosen] == max(gains.values())


def test_greedy_decides_between_equals_by_chance() -> None:
    game = endgame(drawn("R . . . . / . . . . ."), tiles("YY"), tiles("BB"))
    bot = bots("greedy")[0]
    chosen = {choice(bot, game) for _ in range(100)}
    assert chosen == set(game.legal)


# ---- options ------------------------------------------------------------------------------------


def test_options_are_those_of_the_view_with_what_they_cause() -> None:
    game = midgame(BIRD, players=3, plies=17)
    options = Options(view_of(game, game.turn))
    assert len(options) == len(game.legal)
    assert [option.placement for option in options] == list(game.legal)
    assert options[0].placement == game.legal[0]
    assert game.legal[-1] in options
    assert "Rc4Yd4" not in options
    assert options.choice(Random(1)) == game.legal.choice(Random(1))
    for option in options:
        after, events = game.position.place(game.turn, option.placement)
        assert (option.after, option.events) == (after, events)
        assert option.gain == option.gains[game.turn]
        assert option.gains == tuple(
            before - now for before, now in zip(game.position.reserves, after.reserves, strict=True)
        )


def test_an_option_can_be_read() -> None:
    game = endgame(drawn("R . ."), tiles("RR"), tiles("BB"))
    option: Option = Options(view_of(game, Seat(0)))[0]
    assert repr(option) == "<option Rb1Rc1>"


def test_every_built_in_bot_says_what_it_does() -> None:
    for name in BUILT_IN:
        assert type(Spec.parse(name).load_python()("1")).__doc__
