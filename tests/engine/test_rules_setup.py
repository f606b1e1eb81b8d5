"""The rules, chapters "Material" and "Set-up"."""

from collections import Counter
from random import Random

import pytest
from engine.drawn import THREE, drawing, play
from qin.engine import (
    PAGODAS,
    SEATS,
    Board,
    Deal,
    Game,
    Position,
    Seat,
    Tile,
    board_names,
    format_position,
    view_of,
)
from qin.engine.tiles import ALL_TILES


def test_there_are_72_tiles_12_of_each_kind() -> None:
    assert len(ALL_TILES) == 72
    assert Counter(tile.name for tile in ALL_TILES) == {
        "RR": 12,
        "YY": 12,
        "BB": 12,
        "RY": 12,
        "YB": 12,
        "RB": 12,
    }


def test_two_to_four_players_play() -> None:
    assert list(SEATS) == [2, 3, 4]


@pytest.mark.parametrize(("players", "pagodas"), [(2, 24), (3, 19), (4, 15)])
def test_each_player_has_24_19_or_15_pagodas(players: int, pagodas: int) -> None:
    assert PAGODAS[players] == pagodas
    assert Position.start(Board.named("bird"), players).reserves == (pagodas,) * players


@pytest.mark.parametrize("players", SEATS)
def test_three_tiles_are_dealt_to_each_player(players: int) -> None:
    deal = Deal.shuffled(players, Random(1))
    assert [len(hand) for hand in deal.hands] == [3] * players


@pytest.mark.parametrize(
    ("players", "sizes"), [(2, [17, 17, 16, 16]), (3, [16, 16, 16, 15]), (4, [15, 15, 15, 15])]
)
def test_the_rest_lies_in_four_piles_as_equal_as_possible(players: int, sizes: list[int]) -> None:
    deal = Deal.shuffled(players, Random(1))
    assert [len(pile) for pile in deal.piles] == sizes


@pytest.mark.parametrize("players", SEATS)
def test_hands_and_piles_are_all_the_tiles(players: int) -> None:
    deal = Deal.shuffled(players, Random(1))
    assert Counter(tile for part in (*deal.hands, *deal.piles) for tile in part) == dict.fromkeys(
        Tile, 12
    )


def test_tiles_are_dealt_one_at_a_time_round_the_seats_then_round_the_piles() -> None:
    order = [Tile.RR, Tile.YY] * 3 + [Tile.BB, Tile.RY, Tile.YB, Tile.RB] * 2 + [Tile.RR]
    assert Deal.of(order, 2) == Deal(
        hands=((Tile.RR,) * 3, (Tile.YY,) * 3),
        piles=(
            (Tile.BB, Tile.BB, Tile.RR),
            (Tile.RY, Tile.RY),
            (Tile.YB, Tile.YB),
            (Tile.RB, Tile.RB),
        ),
    )


def test_the_tiles_are_shuffled_by_the_given_chance_alone() -> None:
    assert Deal.shuffled(2, Random(1)) == Deal.shuffled(2, Random(1))
    assert Deal.shuffled(2, Random(1)) != Deal.shuffled(2, Random(2))
    assert Deal.shuffled(2, Random(1)) != Deal.of(ALL_TILES, 2)


def test_the_game_begins_with_the_printed_board() -> None:
    board = Board.parse("V.R./~.Y#/..B.")
    assert drawing(format_position(Position.start(board, 2))) == drawing(
        """
        V . R .
        ~ . Y #
        . . B .
        """
    )


def test_bird_is_the_board_for_a_first_game() -> None:
    assert board_names()[0] == "bird"


def test_hands_are_hidden_and_pagodas_are_seen_by_everyone() -> None:
    start = Game.start(Board.named("bird"), Deal.shuffled(3, Random(1)))
    for seat in range(3):
        view = view_of(start, Seat(seat))
        assert view.hand == start.hands[seat]
        assert view.hand_sizes == (3, 3, 3)
        assert view.position.reserves == (19, 19, 19)
    assert view_of(start, None).hand == ()


def test_play_goes_clockwise_from_the_first_seat() -> None:
    moving = Game.start(Board.named("bird"), Deal.of(ALL_TILES, 3), first=THREE)
    seats = []
    for placement in ("Rg6Rh6", "Rg8Rh8", "Rf7Re7", "Rh7Ri7"):
        seats.append(moving.turn + 1)
        moving, _ = play(moving, placement)
    assert seats == [3, 1, 2, 3]
