"""What the results say, as the page docs/strength.md."""

from __future__ import annotations

import math
import platform
from collections import defaultdict
from collections.abc import Iterable, Sequence

from matches import MATCHES, Match, Result

_HEAD = """\
# How strong the bots are

Written by `make strength`; the games behind it are in tests/strength/results. Every deal is played
once with the bot in each seat, and its rival in all others; a shared victory counts its part. The
interval of 95 % takes the games of a deal as one observation. Times are those of the first bot,
{python}, one game a core.

| bot | against | board | players | games | wins | 95 % | goal | ms a decision: mean | p99 | max |
| --- | --- | --- | --: | --: | --: | --- | --: | --: | --: | --: |
"""


def page(results: Iterable[Result]) -> str:
    by_match: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_match[result.match].append(result)
    rows = [
        _row(match, by_match[str(match)])
        for match in MATCHES
        if complete(by_match[str(match)], match.players)
    ]
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return _HEAD.format(python=python) + "".join(f"{row}\n" for row in rows)


def _row(match: Match, results: list[Result]) -> str:
    scores = complete(results, match.players)
    low, high = interval(scores)
    times = sorted(ms for result in results for ms in result.ms)
    p99 = times[math.ceil(0.99 * len(times)) - 1]
    cells = [
        match.bot,
        match.rival,
        match.where,
        str(match.players),
        str(match.players * len(scores)),
        f"{_mean(scores):.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{match.goal:.0%}",
        f"{_mean(times):.1f}",
        f"{p99:.1f}",
        f"{times[-1]:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def complete(results: Iterable[Result], players: int) -> list[float]:
    """The mean score on each deal that has been played from every seat."""
    by_deal: dict[int, list[float]] = defaultdict(list)
    for result in results:
        by_deal[result.deal].append(result.score)
    return [_mean(scores) for _, scores in sorted(by_deal.items()) if len(scores) == players]


def interval(scores: Sequence[float]) -> tuple[float, float]:
    """Wilson's interval of 95 %, with as many observations as there are deals.

    The score of a deal varies no more than a single victory would, so this is on the safe side;
    and unlike the normal interval it does not shrink to nothing when all games are won.
    """
    n, mean, z = len(scores), _mean(scores), 1.96
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
