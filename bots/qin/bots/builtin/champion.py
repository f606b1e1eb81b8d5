"""`champion`: a search over sampled hands that spends its time where the choice is close."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from qin.bots.bot import Bot, Options
from qin.bots.evaluation import Judge
from qin.bots.outlook import Chances
from qin.bots.race import Race
from qin.bots.worlds import imagine
from qin.engine import LegalPlacement, Position, View

Spent = Callable[[], float]
"""Asked before each option is played on: the part of the time, or of the nodes, that will be spent
when it has been."""


class Level(NamedTuple):
    """How a level plays: how often it does not look closely, and how far it looks if it does."""

    blind: float
    """How often it places anywhere."""
    careless: float
    """How often it takes what brings most pagodas at once, as a beginner does."""
    width: int
    """The options that it looks into; 1: it plays what looks best."""
    worlds: int
    """The sampled worlds at the most."""


LEVELS: Final = {
    1: Level(blind=0.25, careless=1.0, width=1, worlds=0),
    2: Level(blind=0.0, careless=0.8, width=1, worlds=0),
    3: Level(blind=0.0, careless=0.25, width=1, worlds=0),
    4: Level(blind=0.0, careless=0.14, width=4, worlds=2),
    5: Level(blind=0.0, careless=0.0, width=40, worlds=1000),
}

_RESERVE: Final = 0.8
"""The part of its time that it plans with: the machine may have other things to do."""
_LEAST_SECONDS: Final = 0.001
_FIRST_WORLD: Final = 0.25
"""The part of the budget that the first world may take: what is not tried by then is out."""
_WORLDS: Final = 4
"""The worlds that an option is tried in, before it may be dropped."""
_CLOSE: Final = 0.004
"""A chance to win that is not worth looking for."""


class Stopwatch:
    """Begins when it is made; the next option may take as long as the longest one so far."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._began = perf_counter()
        self._last = math.inf
        self._longest = 0.0

    def __call__(self) -> float:
        now = perf_counter()
        self._longest = max(self._longest, now - self._last)
        self._last = now
        return (now + self._longest - self._began) / self._seconds


class ChampionBot(Bot):
    """Ranks its options by what they look like, then plays the best of them on in sampled worlds.

    All options are tried in the same worlds, so that only what tells them apart counts. Whatever
    falls behind is dropped: the worse half of them each time that a part of the budget is spent,
    and any at once that is behind beyond doubt. So most of the time goes into the few that are
    close, and a clear choice is made early.

    It thinks for `time` seconds, or less where the clock of the game leaves less; with `nodes` it
    plays that many options on instead, and a seed decides its games.
    """

    def __init__(self, rng: Random, *, level: int = 5, time: float = 1.0, nodes: int = 0) -> None:
        super().__init__(rng)
        if level not in LEVELS:
            raise ValueError(f"level is 1 to {len(LEVELS)}, not {level}")
        if not 0.01 <= time <= 3600:
            raise ValueError(f"time, in seconds, is 0.01 to 3600, not {time}")
        if nodes < 0:
            raise ValueError(f"nodes is 1 or more, or 0 to go by time, not {nodes}")
        self.level = LEVELS[level]
        self.time = time
        self.nodes = nodes
        self._left = math.inf

    def time_left(self, seconds: float) -> None:
        self._left = seconds

    def choose(self, view: View, options: Options) -> LegalPlacement:
        spent = self._budget()
        if self.rng.random() < self.level.blind:
            return options.choice(self.rng)
        judge = Judge(view.turn, len(view.hand_sizes), view.out)
        if self.rng.random() < self.level.careless:
            return self._best_by(judge.lead, options)[0]
        shortlist = self._best_by(judge.evaluate, options)[: self.level.width]
        return self._race(view, shortlist, spent)

    def _budget(self) -> Spent:
        if self.nodes:
            played = count(1)
            return lambda: next(played) / self.nodes
        # A clock for the whole game must last for some more turns; it may have run out meanwhile.
        return Stopwatch(_RESERVE * max(_LEAST_SECONDS, min(self.time, self._left / 3)))

    def _best_by(
        self, value: Callable[[Position], float], options: Options
    ) -> list[LegalPlacement]:
        """The placements, best first; chance decides between equals."""
        return [
            placement
            for _, _, placement in sorted(
                (-value(option.after), self.rng.random(), option.placement) for option in options
            )
        ]

    def _race(self, view: View, placements: list[LegalPlacement], spent: Spent) -> LegalPlacement:
        """The best of some placements."""
        chances, race = Chances(view), Race(placements)
        stage = 1 / (1 + len(placements).bit_length())
        """The part of the budget after which half of those that are left are dropped, again."""
        stages = used = 0.0
        for number in range(self.level.worlds):
            if len(race.runners) == 1:
                break
            world = imagine(view, self.rng)
            found: list[float] = []
            for runner in race.runners:
                used = spent()
                if (number or found) and used > (1 if number else _FIRST_WORLD):
                    break
                found.append(chances.worth(world.place(runner.placement)[0]))
            if number and len(found) < len(race.runners):
                break
            race.note(found)
            if number + 1 >= _WORLDS:
                race.drop_lost(_CLOSE)
                if used >= stages + stage:
                    race.drop_half()
                    stages += stage
        return race.placements[0]
