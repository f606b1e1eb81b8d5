"""Who meets whom, in which seats, on which deals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from bots.tournament.made import played, result, settings
from qin.bots.tournament.games import Fault, dealt
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.rounds import extent
from qin.bots.tournament.schedule import Group
from qin.bots.tournament.settings import Format, Orders, Settings, grounds
from qin.bots.tournament.stats import stats_of
from qin.engine import Board
from qin.engine.deal import deal_problem

BOTS = ("random", "greedy", "random", "greedy", "random")
BOARDS = grounds([Board.named("bird"), Board.named("lion")])


def groups(made: Settings) -> list[Group]:
    """All deals, with the first named winning wherever it plays."""
    order = {name: number for number, name in enumerate(made.names)}
    ledger = played(made, lambda names: (min(range(len(names)), key=lambda s: order[names[s]]),))
    return [group for number in ledger.rounds for group in number]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_deal_is_played_once_for_each_rotation_of_the_seats(players: int) -> None:
    for group in groups(settings(*BOTS, players=players, games=60)):
        assert len(group.orders) == players
        first = group.orders[0]
        assert set(group.orders) == {first[n:] + first[:n] for n in range(players)}


@pytest.mark.parametrize(("players", "orders"), [(2, 2), (3, 6), (4, 24)])
def test_all_orders_if_wanted(players: int, orders: int) -> None:
    for group in groups(settings(*BOTS, players=players, games=100, orders=Orders.ALL)):
        assert len(set(group.orders)) == len(group.orders) == orders


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_meets_everybody_on_every_board_equally_often(players: int) -> None:
    meeting = list(combinations(range(5), players))
    games = len(meeting) * 2 * players * 3
    made = settings(*BOTS, players=players, games=games, boards=BOARDS)
    met = Counter((group.pairing, group.ground.name) for group in groups(made))
    assert met == {(pairing, board): 3 for pairing in meeting for board in ("bird", "lion")}


def test_in_a_gauntlet_the_first_meets_all_others() -> None:
    made = settings(*BOTS, players=3, games=36, format=Format.GAUNTLET)
    met = {group.pairing for group in groups(made)}
    assert met == {pairing for pairing in combinations(range(5), 3) if 0 in pairing}


@pytest.mark.parametrize(
    ("asked", "players", "games"), [(400, 2, 400), (1, 2, 2), (7, 3, 9), (9, 4, 12), (10, 2, 10)]
)
def test_games_are_rounded_up_to_whole_deals(asked: int, players: int, games: int) -> None:
    made = settings(*BOTS, players=players, games=asked)
    assert sum(len(group.orders) for group in groups(made)) == games
    assert extent(made).games == games
    assert extent(made).note.startswith(f"{games // players} deal")


def test_numbers_go_on_without_gaps() -> None:
    """As in the example of a line: with two players game 7 is the first on deal 4."""
    made = groups(settings(games=20))
    assert [group.deal for group in made] == list(range(1, 11))
    assert [game for group in made for game in group.games] == list(range(1, 21))
    assert made[3].games[0] == 7


def test_without_duplicates_every_game_has_a_deal_and_the_seats_still_turn() -> None:
    made = groups(settings(*BOTS, games=40, duplicates=False))
    assert [list(group.games) for group in made] == [[number] for number in range(1, 41)]
    assert [group.deal for group in made] == list(range(1, 41))
    for pairing in combinations(range(5), 2):
        seatings = Counter(group.orders[0] for group in made if group.pairing == pairing)
        assert seatings == {pairing: 2, pairing[::-1]: 2}


def test_a_deal_depends_on_seed_and_number_alone() -> None:
    assert dealt(1, 4, 3) == dealt(1, 4, 3)
    assert len({dealt(seed, number, 3) for seed in (1, 2) for number in (3, 4)}) == 4
    assert {dealt(1, number, 3).first for number in range(50)} == {0, 1, 2}
    assert deal_problem(dealt(1, 4, 4).deal, 4) is None


# ---- Swiss and knockout ------------------------------------------------------------------------


def test_swiss_rounds_seat_everybody_once_and_nobody_meets_twice() -> None:
    made = settings(*["random"] * 8, games=48, format=Format.SWISS)
    drawn = played_rounds(made)
    assert len(drawn) == 3
    for tables in drawn:
        assert sorted(bot for table in tables for bot in table) == list(range(8))
    met = [table for tables in drawn for table in tables]
    assert len(set(met)) == len(met)
    assert extent(made).games == 48


def test_the_winners_of_a_swiss_round_meet_next() -> None:
    drawn = played_rounds(settings(*["random"] * 4, games=8, format=Format.SWISS))
    winners = {min(table) for table in drawn[0]}
    assert tuple(sorted(winners)) in drawn[1]


def test_in_an_odd_swiss_tournament_everybody_rests_once_before_anybody_twice() -> None:
    drawn = played_rounds(settings(*["random"] * 5, games=50, format=Format.SWISS, rounds=5))
    resting = [set(range(5)) - {bot for table in tables for bot in table} for tables in drawn]
    assert sorted(bot for each in resting for bot in each) == list(range(5))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("bots", [4, 5, 8, 9, 13])
def test_a_knockout_ends_with_the_one_who_never_lost(bots: int, players: int) -> None:
    made = settings(*["random"] * bots, players=players, games=100, format=Format.KNOCKOUT)
    left = set(range(bots))
    for tables in played_rounds(made):
        seated = [bot for table in tables for bot in table]
        assert len(set(seated)) == len(seated)
        assert set(seated) <= left
        assert all(2 <= len(table) <= players for table in tables)
        left -= {bot for table in tables for bot in table if bot != min(table)}
    assert left == {0}


def test_a_knockout_is_as_large_as_it_says() -> None:
    made = settings(*["random"] * 9, players=3, games=100, format=Format.KNOCKOUT)
    assert sum(len(group.orders) for group in groups(made)) == extent(made).games >= 100


def played_rounds(made: Settings) -> list[set[tuple[int, ...]]]:
    """The tables of each round, where the first named wins."""
    number = {name: number for number, name in enumerate(made.names)}
    ledger: Ledger = played(
        made, lambda names: (min(range(len(names)), key=lambda seat: number[names[seat]]),)
    )
    return [{group.pairing for group in tables} for tables in ledger.rounds]


def test_who_lost_in_a_knockout_does_not_come_back_when_its_conqueror_is_withdrawn() -> None:
    """The first beats the last, and is withdrawn in the final: its rival there has won."""
    made = settings(*["random"] * 4, games=12, faults=1, format=Format.KNOCKOUT)
    ledger = Ledger(made)
    while not ledger.over:
        group = next(ledger.open_groups())
        best = min(group.pairing)
        for game in group.games:
            seat = group.orders[game - group.first_game].index(best)
            faults = [Fault(seat + 1, "crash", 3)] if group.round == 2 else []
            ledger.add(result(made, group, game, [1 - seat if faults else seat], faults))
    assert len(ledger.rounds) == 2
    assert [bot.name for bot in stats_of(ledger).bots][:1] == ["random-2"]


def test_the_final_table_of_a_knockout_goes_by_how_far_they_came() -> None:
    """The first wins half its games, and all its tables by pagodas; the second has more points."""
    made = settings(*["random"] * 4, games=12, format=Format.KNOCKOUT)
    ledger = Ledger(made)
    while not ledger.over:
        group = next(ledger.open_groups())
        for game in group.games:
            order = group.orders[game - group.first_game]
            best = 0 if 0 in order and game % 2 else min(set(order) - {0})
            ledger.add(result(made, group, game, [order.index(best)]))
    stats = stats_of(ledger)
    shares = {bot.name: bot.share for bot in stats.bots}
    assert shares["random-2"] > shares["random"]
    assert [bot.name for bot in stats.bots][:2] == ["random", "random-2"]
