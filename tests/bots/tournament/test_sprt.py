"""The sequential test finds what is true about as often as it promises."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from qin.bots.tournament.settings import Sprt
from qin.bots.tournament.sprt import (
    SprtTest,
    Verdict,
    elo_of,
    expected_score,
    log_likelihood_ratio,
)


def test_elo_and_score_go_both_ways() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(expected_score(37.5)) == pytest.approx(37.5)
    assert elo_of(0) == -float("inf") == -elo_of(1)


def test_the_ratio_is_near_that_of_the_normal_distribution() -> None:
    """Which is what it becomes for many deals and small differences."""
    counts = {0.0: 60.0, 0.25: 140.0, 0.5: 300.0, 0.75: 180.0, 1.0: 70.0}
    total = sum(counts.values())
    mean = sum(score * count for score, count in counts.items()) / total
    variance = sum(count * (score - mean) ** 2 for score, count in counts.items()) / total
    low, high = expected_score(0), expected_score(10)
    normal = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_likelihood_ratio(counts, low, high) == pytest.approx(normal, rel=0.02)


def test_what_lies_in_the_middle_speaks_for_neither() -> None:
    counts = {0.0: 10.0, 0.5: 20.0, 1.0: 10.0}
    assert log_likelihood_ratio(counts, 0.45, 0.55) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("elo", "wrong"), [(0.0, Verdict.ACCEPTED), (60.0, Verdict.REJECTED)], ids=["elo0", "elo1"]
)
def test_it_errs_as_rarely_as_it_promises(elo: float, wrong: Verdict) -> None:
    """Over 300 simulated matches 5 % are 15, give or take three times 3.8.

    What it oversteps its bounds by makes it err a little more rarely.
    """
    rng = Random(f"sprt/{elo}")
    found = Counter(_simulated(rng, elo) for _ in range(300))
    assert found[None] == 0
    assert 4 <= found[wrong] <= 26


def _simulated(rng: Random, elo: float) -> Verdict | None:
    """A match of pairs of games; a deal favours one of its seats, which makes the two unlike."""
    test = SprtTest(Sprt(0, 60), 2)
    share = expected_score(elo)
    for _ in range(3000):
        luck = 0.2 * (rng.random() - 0.5)
        games = [rng.random() < share + luck, rng.random() < share - luck]
        if verdict := test.add(sum(games) / 2).verdict:
            return verdict
    return None


def test_a_clean_sweep_is_decided_soon_but_not_at_once() -> None:
    test = SprtTest(Sprt(0, 20), 2)
    verdicts = [test.add(1.0).verdict for _ in range(200)]
    assert verdicts[0] is None
    assert Verdict.ACCEPTED in verdicts
