"""Observations show what a seat sees, from its own side of the table, and nothing hidden."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from bots.moments import moments_of, permuted
from engine.strategies import Setup, setups
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from qin.bots.rl import ActionEncoding, plane_names, planes_of
from qin.engine import PAGODAS, Board, Deal, Game, Seat, Tile, parse_position, view_of
from qin.engine.tiles import parse_tiles

SEATS = st.integers(0, 3)


def planes_by_name(game: Game, seat: Seat) -> dict[str, NDArray[np.float32]]:
    planes = planes_of(view_of(game, seat))
    assert planes.dtype == np.float32
    return dict(zip(plane_names(game.players), planes, strict=True))


def spaces_in(plane: NDArray[np.float32]) -> str:
    """The spaces where a plane is not 0, such as `a1 b1`."""
    return " ".join(f"{chr(ord('a') + column)}{row + 1}" for row, column in np.argwhere(plane))


# ---- one position, by hand -------------------------------------------------------------------

DRAWN = """
R1 R1 .  R2 R2
Y  .  V1 .  B3
B2 ~  R  .  B3
B2 B2 B2 B2 .
"""


@pytest.fixture
def drawn() -> Game:
    position = parse_position(DRAWN, players=3)
    hands = ("RR RY YB", "BB BB", "YY")
    piles = ("RY RY", "YB", "", "")
    return Game(
        position, tuple(map(parse_tiles, hands)), tuple(map(parse_tiles, piles)), turn=Seat(1)
    )


def test_a_drawn_position_from_the_first_seat(drawn: Game) -> None:
    planes = planes_by_name(drawn, Seat(0))
    assert {name: spaces_in(plane) for name, plane in list(planes.items())[:12]} == {
        "free": "c1 b2 d2 d3 e4",
        "village": "c2",
        "red": "a1 b1 d1 e1 c3",
        "yellow": "a2",
        "blue": "e2 a3 e3 a4 b4 c4 d4",
        "size": "a1 b1 d1 e1 e2 a3 e3 a4 b4 c4 d4",
        "province-0": "a1 b1",
        "province-1": "d1 e1 a3 a4 b4 c4 d4",
        "province-2": "e2 e3",
        "holder-0": "c2",
        "holder-1": "",
        "holder-2": "",
    }
    assert planes["size"].max() == 1
    assert planes["size"][0, 0] == np.float32(2 / 5)
    told = {name: round(float(plane.mean()), 3) for name, plane in list(planes.items())[12:]}
    assert told == {
        "pagodas-0": round(17 / 19, 3),
        "pagodas-1": round(16 / 19, 3),
        "pagodas-2": round(18 / 19, 3),
        "tiles-0": 1,
        "tiles-1": 0.667,
        "tiles-2": 0.333,
        "hand-RR": 0.333,
        "hand-YY": 0,
        "hand-BB": 0,
        "hand-RY": 0.333,
        "hand-YB": 0.333,
        "hand-RB": 0,
        "unseen-RR": 0,
        "unseen-YY": 0.083,
        "unseen-BB": 0.167,
        "unseen-RY": 0.167,
        "unseen-YB": 0.083,
        "unseen-RB": 0,
        "piles": round(3 / 63, 3),
        "turn": 0,
    }


def test_every_seat_sees_itself_first(drawn: Game) -> None:
    for seat in range(3):
        planes = planes_by_name(drawn, Seat(seat))
        owned = [spaces_in(planes[f"province-{away}"]) for away in range(3)]
        by_seat = ["a1 b1", "d1 e1 a3 a4 b4 c4 d4", "e2 e3"]
        assert owned == [by_seat[(seat + away) % 3] for away in range(3)]
        held = [spaces_in(planes[f"holder-{away}"]) for away in range(3)]
        assert held == ["c2" if (seat + away) % 3 == 0 else "" for away in range(3)]
        assert planes["turn"].all() == (seat == drawn.turn)


# ---- any game --------------------------------------------------------------------------------


@given(setups(whole=True), SEATS)
def test_the_planes_show_what_is_drawn(setup: Setup, number: int) -> None:
    """The tokens of a drawing come to the same another way."""
    words = {".": "free", "V": "village", "R": "red", "Y": "yellow", "B": "blue"}
    for game in moments_of(setup):
        players, seat = game.players, Seat(number % game.players)
        planes = planes_by_name(game, seat)
        for row, tokens in enumerate(game.position.tokens()):
            for column, token in enumerate(tokens):
                kind, owner = token[0], token[1:]
                expected = {words[kind]} if kind in words else set()
                if owner:
                    whose = (int(owner) - 1 - seat) % players
                    expected |= {f"holder-{whose}"} if kind == "V" else {f"province-{whose}"}
                    expected |= set() if kind == "V" else {"size"}
                board_planes = plane_names(players)[: 6 + 2 * players]
                assert {name for name in board_planes if planes[name][row, column]} == expected


@given(setups(whole=True), SEATS)
def test_the_size_of_provinces_is_shown_as_far_as_it_matters(setup: Setup, number: int) -> None:
    for game in moments_of(setup):
        size = planes_by_name(game, Seat(number % game.players))["size"]
        for _, province in game.position.provinces():
            for space in range(province.spaces.bit_length()):
                if province.spaces >> space & 1:
                    assert size[divmod(space, 27)] == np.float32(min(province.size, 5) / 5)


@given(setups(whole=True), SEATS)
def test_the_numbers_beside_the_board_are_right(setup: Setup, number: int) -> None:
    for game in moments_of(setup):
        players, seat = game.players, Seat(number % game.players)
        planes = planes_by_name(game, seat)
        beside = {
            name: float(plane[0, 0]) for name, plane in list(planes.items())[6 + 2 * players :]
        }
        assert all((planes[name] == planes[name][0, 0]).all() for name in beside)
        others = [tiles for other, tiles in enumerate(game.hands) if other != seat]
        expected: dict[str, float] = {}
        for away in range(players):
            other = (seat + away) % players
            expected[f"pagodas-{away}"] = game.position.reserves[other] / PAGODAS[players]
            expected[f"tiles-{away}"] = len(game.hands[other]) / 3
        for tile in Tile:
            expected[f"hand-{tile}"] = game.hands[seat].count(tile) / 3
            hidden = sum(tiles.count(tile) for tiles in (*others, *game.piles))
            expected[f"unseen-{tile}"] = hidden / 12
        expected["piles"] = sum(map(len, game.piles)) / (72 - 3 * players)
        expected["turn"] = float(game.outcome is None and game.turn == seat)
        assert beside == pytest.approx(expected)
        assert all(0 <= plane.min() <= plane.max() <= 1 for plane in planes.values())


# ---- nothing hidden --------------------------------------------------------------------------


@given(setups(), SEATS, st.integers(0, 2**32))
def test_nothing_hidden_shows(setup: Setup, number: int, seed: int) -> None:
    encoding, rng = ActionEncoding(setup.board), Random(seed)
    for game in moments_of(setup):
        seat = Seat(number % game.players)
        view, other = view_of(game, seat), view_of(permuted(game, seat, rng), seat)
        assert np.array_equal(planes_of(view), planes_of(other))
        assert np.array_equal(encoding.mask(view.legal), encoding.mask(other.legal))


def test_the_permuted_games_do_differ() -> None:
    """Else the test above would prove nothing."""
    game = Game.start(Board.named("bird"), Deal.shuffled(3, Random(1)))
    other = permuted(game, Seat(0), Random(2))
    assert other.hands[0] == game.hands[0]
    assert other.hands != game.hands
    assert other.piles != game.piles
    seen, seen_of_other = (planes_of(view_of(each, Seat(1))) for each in (game, other))
    assert not np.array_equal(seen, seen_of_other)


def test_a_spectator_has_no_observation() -> None:
    game = Game.start(Board.named("bird"), Deal.shuffled(2, Random(1)))
    with pytest.raises(ValueError, match="spectator"):
        planes_of(view_of(game, None))
