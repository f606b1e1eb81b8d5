"""What follows from results does not depend on the order they come in."""

from __future__ import annotations

from random import Random

from bots.tournament.made import by_chance, played, result, results_of, settings
from qin.bots.tournament.games import Fault
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.pairs import duel
from qin.bots.tournament.settings import Sprt


def test_results_count_in_the_order_of_the_games() -> None:
    made = settings("random", "greedy", games=20)
    whole = played(made, by_chance(Random(1), lambda _: 1.0))
    results = sorted(whole.results, key=lambda _: rng.random()) if (rng := Random(2)) else []
    mixed = Ledger(made)
    for each in results:
        assert not mixed.over
        mixed.add(each)
    assert mixed.over
    assert list(mixed.results) == list(whole.results)
    assert mixed.standings == whole.standings


def test_nothing_is_handed_out_before_the_last_game_on_a_deal() -> None:
    ledger = Ledger(settings(games=4))
    first, second = results_of(ledger.settings, ledger.round[0], lambda _: (0,))
    assert ledger.add(second) is None
    assert not ledger.accepted
    whole = ledger.add(first)
    assert whole is not None
    assert [each.game for each in whole.results] == [1, 2]


def test_a_bot_with_too_many_faults_is_withdrawn_after_the_deal() -> None:
    """The games that were played ahead of it do not count, in whatever order they came."""
    made = settings("random", "greedy", "random", games=24, faults=3)
    for backwards in (False, True):
        ledger = Ledger(made)
        groups = list(ledger.round)
        for group in reversed(groups) if backwards else groups:
            if not backwards and ledger.cancelled(group):
                continue
            for game in group.games:
                order = group.orders[game - group.first_game]
                seat = order.index(1) if 1 in order else None
                faults = [] if seat is None else [Fault(seat + 1, "crash", 3)]
                ledger.add(result(made, group, game, [0], faults))
        assert ledger.over
        # Greedy plays in deals 1, 3, 4, 6 …; its third fault comes in the second of these.
        assert ledger.withdrawn == {1: 3}
        deals = [each.group.deal for each in ledger.accepted]
        assert deals == [
            group.deal for group in groups if group.deal <= 3 or 1 not in group.pairing
        ]
        assert ledger.faults[1] == 4


def test_the_sequential_test_stops_at_the_deal_that_decides() -> None:
    made = settings("greedy", "random", games=400, sprt=Sprt(0, 50))
    ledger = played(made, lambda names: (names.index("greedy"),))
    assert ledger.sprt is not None
    assert ledger.sprt.verdict is not None
    decided = len(ledger.accepted)
    assert decided == ledger.sprt.deals < 200
    backwards = Ledger(made)
    for group in reversed(backwards.round):
        for each in results_of(made, group, lambda names: (names.index("greedy"),)):
            backwards.add(each)
    assert len(backwards.accepted) == decided


def test_a_duel_counts_ranks_at_larger_tables() -> None:
    """Who does not win is ahead of those who have more pagodas left."""
    made = settings("random", "greedy", "random", players=3, games=3)
    ledger = played(made, lambda names: (names.index("greedy"),))
    won = duel(ledger.accepted, 1, 0)
    assert (won.wins, won.ties, won.losses) == (3, 0, 0)
    behind = duel(ledger.accepted, 2, 0)
    assert (behind.wins, behind.losses) == (0, 3)
