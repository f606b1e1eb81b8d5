"""How two bots compare: their scores on the deals where both sat, and what these tell.

The games on one deal are one observation. The intervals are those of the bootstrap: deals are drawn
anew, with replacement, from those that were played.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from statistics import NormalDist, fmean, pvariance

from qin.bots.tournament.ledger import Played
from qin.bots.tournament.sprt import elo_of

RESAMPLES = 1000
_MOST_DRAWS = 4_000_000
"""With more deals fewer resamples are drawn: they vary less, too."""
_FEWEST_RESAMPLES = 400
_CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the truth lies with a confidence of 95 %."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Duel:
    """How one bot did against another."""

    scores: tuple[float, ...]
    """Its share on each deal where both sat: 1 where it was ahead in every game."""
    wins: int
    ties: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.ties + self.losses

    @property
    def score(self) -> float:
        return fmean(self.scores) if self.scores else 0.5

    @property
    def elo(self) -> float:
        return elo_of(self.score)

    def elo_interval(self) -> Interval:
        shares = share_interval(self.scores)
        return Interval(elo_of(shares.low), elo_of(shares.high))

    @property
    def superiority(self) -> float:
        """How likely it is that the bot is the better one, after what was seen."""
        return likelihood_of_superiority(self.scores)


def duel(played: Iterable[Played], bot: int, rival: int) -> Duel:
    """What happened between two bots, at all tables where both sat."""
    scores: list[float] = []
    wins = ties = losses = 0
    for each in played:
        if bot not in each.group.pairing or rival not in each.group.pairing:
            continue
        on_deal: list[float] = []
        for result, order in zip(each.results, each.group.orders, strict=True):
            ranks = result.ranks()
            mine, theirs = ranks[order.index(bot)], ranks[order.index(rival)]
            wins += mine < theirs
            ties += mine == theirs
            losses += mine > theirs
            on_deal.append(1.0 if mine < theirs else 0.5 if mine == theirs else 0.0)
        scores.append(fmean(on_deal))
    return Duel(tuple(scores), wins, ties, losses)


@lru_cache(maxsize=1000)
def share_interval(scores: tuple[float, ...]) -> Interval:
    """Of the true mean of scores between 0 and 1; kept, since every table and plot asks for it."""
    if not scores:
        return Interval(0.0, 1.0)
    mean = fmean(scores)
    if min(scores) == max(scores):
        return _of_equals(mean, len(scores))
    means = resampled_means(scores)
    low, high = _corrected(scores, mean, means)
    return Interval(quantile(means, low), quantile(means, high))


def _corrected(scores: Sequence[float], mean: float, means: Sequence[float]) -> tuple[float, float]:
    """Which parts of the resampled means to take: corrected for bias and skewness (BCa).

    Without it the interval of a bot that wins nearly all covers the truth too rarely.
    """
    normal = NormalDist()
    tiny = 1e-9
    beside = (bisect_left(means, mean - tiny) + bisect_right(means, mean + tiny)) / 2
    bias = normal.inv_cdf(min(max(beside, 1), len(means) - 1) / len(means))
    apart = [score - mean for score in scores]
    skewness = sum(each**3 for each in apart) / (6 * sum(each**2 for each in apart) ** 1.5)

    def corrected(part: float) -> float:
        z = bias + normal.inv_cdf(part)
        return normal.cdf(bias + z / (1 - skewness * z))

    return corrected((1 - _CONFIDENCE) / 2), corrected((1 + _CONFIDENCE) / 2)


def _of_equals(mean: float, deals: int) -> Interval:
    """Where all deals went alike there is nothing to draw from.

    A share of other deals that is at most this large may well have stayed unseen so long.
    """
    unseen = 1 - (1 - _CONFIDENCE) ** (1 / deals)
    return Interval(mean * (1 - unseen), mean + (1 - mean) * unseen)


def resampled_means(scores: Sequence[float]) -> list[float]:
    """Means of as many deals, drawn anew; sorted. The same scores give the same means."""
    deals = len(scores)
    rounds = max(_FEWEST_RESAMPLES, min(RESAMPLES, _MOST_DRAWS // deals))
    chance = Random(f"{deals}/{sum(scores)!r}").random
    return sorted(
        sum([scores[int(chance() * deals)] for _ in range(deals)]) / deals for _ in range(rounds)
    )


def quantile(ordered: Sequence[float], part: float) -> float:
    """Between the two values that are nearest, as far as the part says."""
    place = part * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def likelihood_of_superiority(scores: Sequence[float]) -> float:
    """By the normal distribution of the mean, with the variance between the deals."""
    if not scores:
        return 0.5
    # As if one more deal had gone each way: a few equal deals are no proof.
    seen = [*scores, 0.0, 1.0]
    mean, error = fmean(seen), math.sqrt(pvariance(seen) / len(seen))
    return NormalDist().cdf((mean - 0.5) / error)
