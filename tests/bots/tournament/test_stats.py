"""The statistics, against players whose strength is known."""

from __future__ import annotations

from random import Random
from statistics import fmean

import pytest
from bots.tournament.made import by_chance, played, settings
from qin.bots.tournament.pairs import (
    Duel,
    likelihood_of_superiority,
    quantile,
    share_interval,
)
from qin.bots.tournament.settings import Format
from qin.bots.tournament.sprt import elo_of, expected_score
from qin.bots.tournament.stats import stats_of
from qin.bots.tournament.summary import columns, elo, facts, text


@pytest.mark.parametrize("elo_true", [0.0, 80.0, 250.0, 450.0, 600.0])
def test_intervals_cover_the_truth_about_as_often_as_they_say(elo_true: float) -> None:
    """Of 400 simulated tournaments 95 % are 380, give or take three times 4.4.

    Far from even, where few deals are lost, that takes more than the plain bootstrap.
    """
    rng = Random(f"coverage/{elo_true}")
    share = expected_score(elo_true)
    most = min(0.05, 1 - share)
    covered = 0
    for _ in range(400):
        scores = []
        for _ in range(60):
            luck = most * (2 * rng.random() - 1)
            scores.append(((rng.random() < share + luck) + (rng.random() < share - luck)) / 2)
        interval = Duel(tuple(scores), 0, 0, 0).elo_interval()
        covered += interval.low <= elo_true <= interval.high
    assert 367 <= covered <= 394


def test_ratings_put_players_of_known_strength_in_order() -> None:
    strength = {"random": 12.0, "greedy": 5.0, "lookahead": 2.0, "random-2": 1.0}
    made = settings("random", "greedy", "lookahead", "random", players=4, games=800)
    stats = stats_of(played(made, by_chance(Random(3), strength.__getitem__)))
    assert [bot.name for bot in stats.bots] == list(strength)
    assert [bot.name for bot in sorted(stats.bots, key=lambda bot: -bot.rating)] == [
        bot.name for bot in stats.bots
    ]
    for bot in stats.bots:
        assert bot.interval.low <= strength[bot.name] / 20 <= bot.interval.high
        assert bot.deviation < 25 / 3 / 2, "it began at 25 / 3"


def test_elo_is_that_of_the_share_of_points() -> None:
    share = {"random": 1.0, "greedy": 3.0}
    made = settings("random", "greedy", games=4000)
    stats = stats_of(played(made, by_chance(Random(1), share.__getitem__)))
    pair = stats.pair("greedy", "random")
    assert pair is not None
    interval = pair.duel.elo_interval()
    assert interval.low < elo_of(0.75) < interval.high
    assert interval.high - interval.low < 60
    assert pair.duel.superiority > 0.9999


def test_points_seats_and_turns_are_counted() -> None:
    """Seat 1 always wins, and it moves first: the seats cancel, and show as what they are."""
    made = settings("random", "greedy", games=10)
    stats = stats_of(played(made, lambda _: (0,)))
    assert {bot.points for bot in stats.bots} == {5.0}
    assert [each.share for each in stats.seats] == [1.0, 0.0]
    assert [each.share for each in stats.turns] == [1.0, 0.0]
    assert stats.endings == {"last-pagoda": 10}
    assert stats.bots[0].milliseconds == pytest.approx(50)
    assert stats.bots[0].slowest == pytest.approx(200)
    pair = stats.pairs[0]
    assert (pair.duel.wins, pair.duel.losses, set(pair.duel.scores)) == (5, 5, {0.5})


def test_a_shared_victory_is_split() -> None:
    made = settings("random", "greedy", "random", players=3, games=3)
    stats = stats_of(played(made, lambda names: (0, 1) if names[0] == "random" else (0, 1, 2)))
    assert sum(bot.points for bot in stats.bots) == pytest.approx(3)
    assert {round(bot.points * 6) for bot in stats.bots} <= set(range(19))


@pytest.mark.parametrize("scores", [(1.0,), (1.0,) * 5, (0.5,) * 9, (0.0,) * 200])
def test_where_all_deals_went_alike_nothing_is_certain(scores: tuple[float, ...]) -> None:
    interval = share_interval(scores)
    assert interval.low <= scores[0] <= interval.high
    assert interval.high - interval.low > 1 / (2 * len(scores))
    if len(scores) < 10:
        assert 0.001 < likelihood_of_superiority(scores) < 0.999


def test_superiority_is_even_among_equals() -> None:
    assert likelihood_of_superiority([]) == 0.5
    assert likelihood_of_superiority([0.0, 1.0, 0.5]) == pytest.approx(0.5)
    assert likelihood_of_superiority([1.0] * 9 + [0.5]) > 0.9
    assert likelihood_of_superiority([0.0] * 9 + [0.5]) < 0.1


def test_quantiles_lie_between_the_nearest_values() -> None:
    assert [quantile([0, 1, 2, 3, 4], part) for part in (0, 0.5, 1)] == [0, 2, 4]
    assert quantile([0, 10], 0.25) == 2.5


def test_the_text_tells_all_of_it() -> None:
    made = settings("random", "greedy", "random", games=24, format=Format.GAUNTLET)
    ledger = played(made, by_chance(Random(5), lambda _: 1.0))
    told = text(ledger)
    for words in ("points", "rating", "score against", "Elo", "superior", "by order of moving"):
        assert words in told
    assert "·" in told, "greedy and random-2 have not met"
    assert "random-2 is random\n" in told, "which of the two it is"
    assert fmean(bot["share"] for bot in facts(ledger)["standings"]) > 0


def test_columns_put_words_left_and_numbers_right() -> None:
    assert columns(("bot", "won"), [("a", "1"), ("bc", "12")]) == "bot  won\na      1\nbc    12"
    assert [elo(float("inf")), elo(-float("inf")), elo(12.4)] == ["+∞", "-∞", "+12"]
