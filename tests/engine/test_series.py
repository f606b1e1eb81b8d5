"""The rules, chapter "A series" with the rulings R12 and R14, and who starts."""

# ruff: noqa: N802 - rulings keep their names

from random import Random

import pytest
from engine.drawn import FOUR, ONE, THREE, TWO
from qin.engine import FirstSeat, Seat, Series, first_seat


def lots(choice: FirstSeat, players: int, ages: tuple[int | None, ...] = ()) -> set[int]:
    """All seats that a hundred different lots let start, counted from 1."""
    return {first_seat(choice, players, Random(seed), ages=ages) + 1 for seed in range(100)}


# ---- who starts --------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [ONE, TWO, THREE])
def test_a_named_seat_starts(seat: Seat) -> None:
    assert first_seat(FirstSeat.NAMED, 3, Random(1), named=seat) == seat


@pytest.mark.parametrize("seat", [FOUR, Seat(-1)])
def test_a_named_seat_must_be_at_the_table(seat: Seat) -> None:
    with pytest.raises(ValueError, match=rf"there is no seat {seat + 1} at a table of 3"):
        first_seat(FirstSeat.NAMED, 3, Random(1), named=seat)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_by_lot_every_seat_may_start(players: int) -> None:
    assert lots(FirstSeat.LOT, players) == set(range(1, players + 1))


def test_the_lot_is_drawn_by_the_given_chance_alone() -> None:
    drawn = [first_seat(FirstSeat.LOT, 4, Random(seed)) for seed in range(20)]
    assert drawn == [first_seat(FirstSeat.LOT, 4, Random(seed)) for seed in range(20)]


def test_the_youngest_starts() -> None:
    assert lots(FirstSeat.YOUNGEST, 3, (30, 12, 41)) == {2}


def test_the_youngest_is_the_youngest_who_gave_an_age() -> None:
    assert lots(FirstSeat.YOUNGEST, 3, (None, 41, 30)) == {3}
    assert lots(FirstSeat.YOUNGEST, 4, (None, 41, None, None)) == {2}


def test_among_equally_young_players_the_lot_decides() -> None:
    assert lots(FirstSeat.YOUNGEST, 4, (9, 30, None, 9)) == {1, 4}


@pytest.mark.parametrize("ages", [(), (None, None, None)])
def test_where_nobody_gave_an_age_the_lot_decides(ages: tuple[int | None, ...]) -> None:
    assert lots(FirstSeat.YOUNGEST, 3, ages) == {1, 2, 3}


# ---- the series --------------------------------------------------------------------------------


def test_the_pagodas_left_are_added_up_game_by_game() -> None:
    series = Series(3, ONE).after((4, 0, 7)).after((2, 3, 0))
    assert series.games == ((4, 0, 7), (2, 3, 0))
    assert series.totals == (6, 3, 7)


def test_the_lowest_total_wins() -> None:
    """Not whoever won the last game, nor whoever won more games."""
    series = Series(3, ONE).after((1, 0, 9)).after((1, 0, 9)).after((1, 9, 0))
    assert series.totals == (3, 9, 18)
    assert series.winners == (ONE,)


def test_R12_ties_share_the_series() -> None:
    assert Series(4, ONE).after((5, 3, 0, 9)).after((0, 0, 3, 0)).winners == (TWO, THREE)


def test_R12_the_starting_seat_moves_on_by_one_each_game() -> None:
    series = Series(3, TWO)
    starting = []
    for _ in range(5):
        starting.append(series.next_first)
        series = series.after((0, 1, 2))
    assert starting == [TWO, THREE, ONE, TWO, THREE]
    assert series.first == TWO


def test_R14_who_withdrew_does_not_win_by_the_pagodas_that_he_had_placed() -> None:
    series = Series(2, ONE).after((3, 20), out={ONE})
    assert series.totals == (24, 20)
    assert series.winners == (TWO,)


@pytest.mark.parametrize(("players", "pagodas"), [(2, 24), (3, 19), (4, 15)])
def test_R14_of_equal_totals_who_withdrew_less_is_ahead(players: int, pagodas: int) -> None:
    """Also where nobody has placed anything."""
    out = {Seat(seat) for seat in range(players - 1)}
    series = Series(players, ONE).after((pagodas,) * players, out=out)
    assert series.totals == (pagodas,) * players
    assert series.winners == (Seat(players - 1),)


def test_R14_counts_the_games_that_were_withdrawn_from() -> None:
    series = Series(3, ONE).after((4, 9, 0), out={ONE, TWO}).after((0, 2, 19), out={TWO})
    assert series.games == ((19, 19, 0), (0, 19, 19))
    assert series.withdrawals == (1, 2, 0)
    assert series.winners == (THREE,)
    assert series.after((0, 0, 1)).winners == (ONE,)


def test_nobody_has_won_a_series_without_games() -> None:
    assert Series(2, ONE).winners == ()
    assert Series(2, ONE).totals == (0, 0)


def test_a_game_of_other_players_does_not_belong_to_the_series() -> None:
    series = Series(3, ONE).after((1, 2, 3))
    with pytest.raises(ValueError, match="2 reserves for 3 players"):
        series.after((1, 2))
    assert series.games == ((1, 2, 3),)
