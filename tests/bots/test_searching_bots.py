"""What all bots have in common that look ahead."""

from __future__ import annotations

from random import Random

import pytest
from bots.tables import BIRD, bots, chosen, endgame, midgame
from engine.drawn import drawn, tiles
from qin.bots import Spec, SpecError
from qin.bots.arena import play
from qin.bots.worlds import imagine
from qin.engine import Deal, Seat, view_of

SPECS = ["lookahead:width=4,samples=1", "champion:nodes=30"]


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("lookahead:width=1", "width, the options to look into, is 2 or more, not 1"),
        ("lookahead:samples=0", "samples, the worlds to draw, is 1 or more, not 0"),
        ("lookahead:width=many", "width is a whole number, not 'many'"),
        ("lookahead:depth=2", "no parameter 'depth'; its parameters: width, samples"),
        ("champion:level=0", "level is 1 to 5, not 0"),
        ("champion:level=6", "level is 1 to 5, not 6"),
        ("champion:time=0", "time, in seconds, is 0.01 to 3600, not 0"),
        ("champion:time=nan", "time, in seconds, is 0.01 to 3600, not nan"),
        ("champion:nodes=-1", "nodes is 1 or more, or 0 to go by time, not -1"),
        ("champion:depth=2", "no parameter 'depth'; its parameters: level, time, nodes"),
    ],
)
def test_a_parameter_that_makes_no_sense_is_refused(spec: str, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        Spec.parse(spec).load()


@pytest.mark.parametrize("spec", SPECS)
def test_it_wins_where_it_can(spec: str) -> None:
    game = endgame(drawn("R . . . B", reserves=[1, 9]), tiles("RY"), tiles("YY"))
    assert len(game.legal) > 1
    assert {chosen(game, spec, seed) for seed in "123456"} == {"Rb1Yc1"}


@pytest.mark.parametrize("spec", SPECS)
def test_it_takes_the_place_from_which_a_rival_would_gain(spec: str) -> None:
    """Both placements found one province, but one of them leaves two to the rival, and the game."""
    game = endgame(drawn("R . . Y # B . .", reserves=[5, 5]), tiles("BB"), tiles("RY"))
    assert [str(placement) for placement in game.legal] == ["Bb1Bc1", "Bg1Bh1"]
    assert {chosen(game, spec, seed) for seed in "123456"} == {"Bb1Bc1"}
    assert {chosen(game, "greedy", seed) for seed in "123456"} == {"Bb1Bc1", "Bg1Bh1"}


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_plays_from_its_view_alone(spec: str, players: int) -> None:
    """Games that look the same to it get the same answer, whatever the hidden tiles are."""
    game = midgame(BIRD, players=players, plies=11)
    view = view_of(game, game.turn)
    others = [imagine(view, Random(number)) for number in range(3)]
    assert any(other.hands != game.hands for other in others)
    assert {chosen(other, spec) for other in others} == {chosen(game, spec)}


@pytest.mark.parametrize("spec", SPECS)
def test_it_beats_greedy_even_with_a_small_budget(spec: str) -> None:
    won = 0
    for number in range(3):
        deal = Deal.shuffled(2, Random(number))
        for seat in (0, 1):
            specs = ["greedy", "greedy"]
            specs[seat] = spec
            outcome = play(BIRD, deal, bots(*specs), first=Seat(0)).game.outcome
            assert outcome
            won += seat in outcome.winners
    assert won >= 5
