"""What a tile would do, told before it is laid."""

from __future__ import annotations

import pytest
from qin.client.tui.effects import best_first, effect_of, tell_effect
from qin.engine import Placement, Seat, parse_position
from qin.engine.tiles import Tile

NAMES = ("you", "ann", "bob")


def told(drawn: str, placement: str, *, players: int = 2, seat: int = 0) -> str:
    position = parse_position(drawn, players=players)
    legal = position.check(Placement.parse(placement))
    return tell_effect(effect_of(position, Seat(seat), legal), Seat(seat), NAMES)


@pytest.mark.parametrize(
    ("drawn", "placement", "words"),
    [
        ("R . . ./. . . .", "Rb1Yc1", "founds red: 1 pagoda"),
        ("R . . V/. . . .", "Rb1Rc1", "founds red, takes the village at d1: 2 pagodas"),
        ("R . . ./. . . .", "Bb1Yc1", "nothing happens"),
        ("R1 R1 . ./. . . .", "Rc1Yd1", "expands your red to 3 spaces"),
        (
            "R2 R2 . V/. . . .",
            "Rc1Bc2",
            "gives ann 3 spaces of red and the village at d1: 1 pagoda",
        ),
        ("R1 R1 R1 . . ./. . . . . .", "Rd1Re1", "makes red major: 1 pagoda"),
        ("R2 R2 R2 . . ./. . . . . .", "Rd1Re1", "gives ann a major red: 1 pagoda"),
        (
            "R1 R1 R1 . R2 R2/. . . . . .",
            "Rd1Bd2",
            "joins red: 1 pagoda; ann takes 1 pagoda home",
        ),
        (
            "R1 R1 . R2 R2 R2/. . . . . .",
            "Rc1Bc2",
            "your 1 pagoda goes home; gives ann a joined red: 1 pagoda",
        ),
    ],
)  # fmt: skip
def test_effects_are_told_in_a_few_words(drawn: str, placement: str, words: str) -> None:
    assert told(drawn, placement) == words


def test_a_last_pagoda_is_told() -> None:
    position = parse_position("R . . ./. . . .", players=2, reserves=(1, 5))
    effect = effect_of(position, Seat(0), position.check(Placement.parse("Rb1Yc1")))
    assert effect.ends
    assert tell_effect(effect, Seat(0), NAMES).endswith("; a last pagoda: the game ends")


def test_hints_put_first_what_gains_most_and_gives_least() -> None:
    position = parse_position("R . . V/. . . ./R2 R2 . .", players=2)
    ranked = best_first(position, Seat(0), position.placements([Tile.RR, Tile.YB]))
    scores = [effect.score(Seat(0)) for effect in ranked]
    assert scores == sorted(scores, reverse=True)
    best = ranked[0]
    assert best.gains[0] - sum(best.gains[1:]) == max(
        effect.gains[0] - sum(effect.gains[1:]) for effect in ranked
    )
