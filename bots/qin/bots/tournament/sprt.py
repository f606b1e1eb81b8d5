"""The sequential test: which of two differences in strength is true, with as few games as it takes.

The scores on the deals are what is looked at, not single games: the two games on a deal share its
luck. The likelihoods are those of the best-fitting distributions of these scores that have the mean
which elo0 and elo1 foretell (the generalized sequential probability ratio test), so no model of
draws is needed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from qin.bots.tournament.settings import Sprt

_NEVER = 1e-3
"""Stands for a score that has not been seen yet, and may be."""
_STEPS = 50


class Verdict(Enum):
    """What a test has found."""

    ACCEPTED = "elo1"
    REJECTED = "elo0"


def expected_score(elo: float) -> float:
    """The share of points of a bot that is so much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in strength that a share of points tells; infinite at both ends."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class SprtState:
    """How far a test has come."""

    llr: float
    """The logarithm of how much likelier elo1 makes what was seen than elo0 does."""
    lower: float
    upper: float
    deals: int

    @property
    def verdict(self) -> Verdict | None:
        if self.llr >= self.upper:
            return Verdict.ACCEPTED
        return Verdict.REJECTED if self.llr <= self.lower else None


class SprtTest:
    """Takes the scores of the first bot on one deal after the other."""

    def __init__(self, sprt: Sprt, games_a_deal: int) -> None:
        self._low = expected_score(sprt.elo0)
        self._high = expected_score(sprt.elo1)
        self._upper = math.log((1 - sprt.beta) / sprt.alpha)
        self._lower = math.log(sprt.beta / (1 - sprt.alpha))
        # A game brings 0, 1/2 or 1; a deal any mean of these.
        steps = 2 * games_a_deal
        self._counts: Counter[float] = Counter({step / steps: 0 for step in range(steps + 1)})
        self._deals = 0

    def add(self, score: float) -> SprtState:
        """The mean score of the first bot over the games on the next deal."""
        self._counts[score] += 1
        self._deals += 1
        return self.state

    @property
    def state(self) -> SprtState:
        llr = log_likelihood_ratio(self._counts, self._low, self._high) if self._deals else 0.0
        return SprtState(llr, self._lower, self._upper, self._deals)


def log_likelihood_ratio(counts: Mapping[float, float], low: float, high: float) -> float:
    """How much likelier a mean score of `high` makes these counts than a mean of `low`."""
    seen = {score: count or _NEVER for score, count in counts.items()}
    total = sum(seen.values())
    shares = {score: count / total for score, count in seen.items()}
    less, more = _fitted(shares, low), _fitted(shares, high)
    return total * sum(
        share * math.log(more[score] / less[score]) for score, share in shares.items()
    )


def _fitted(shares: Mapping[float, float], mean: float) -> dict[float, float]:
    """The likeliest distribution with this mean: each share over 1 + x (score - mean)."""
    # The sum of share (score - mean) / (1 + x (score - mean)) falls in x; where it is zero, the
    # mean is right. All denominators are positive between these two.
    low = -1 / (max(shares) - mean)
    high = 1 / (mean - min(shares))
    for _ in range(_STEPS):
        x = (low + high) / 2
        slope = sum(
            share * (score - mean) / (1 + x * (score - mean)) for score, share in shares.items()
        )
        low, high = (x, high) if slope > 0 else (low, x)
    x = (low + high) / 2
    return {score: share / (1 + x * (score - mean)) for score, share in shares.items()}
