"""`champion`: a search over sampled hands that spends its time where the choice is close."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

from qin.bots.bot import Bot, Options
from qin.bots.evaluation import Judge
from qin.bots.outlook import Outlook
from qin.bots.worlds import imagine
from qin.engine import LegalPlacement, Position, View


class Level(NamedTuple):
    """How a level plays: what it looks at, and how often it does not look at all."""

    width: int
    """The options that it looks into; 1: it plays what looks best."""
    worlds: int
    """The sampled worlds at the most."""
    careless: float
    """How often it takes what brings most pagodas at once, as a beginner does."""


LEVELS: Final = {
    1: Level(width=1, worlds=0, careless=0.7),
    2: Level(width=1, worlds=0, careless=0.15),
    3: Level(width=4, worlds=2, careless=0.0),
    4: Level(width=10, worlds=6, careless=0.0),
    5: Level(width=32, worlds=512, careless=0.0),
}

_RESERVE = 0.85
"""The part of its time after which nothing new is begun: what is under way must end in time."""
_FIRST_WORLDS = 4
"""The worlds that every option of the shortlist is tried in, before any is dropped."""
_SURE = 3.0
"""Standard errors behind the best from which an option cannot catch up."""


class ChampionBot(Bot):
    """Ranks its options by what they look like, then plays the best of them on in sampled worlds.

    All options are tried in the same worlds, so that only what tells them apart counts. Whatever
    falls behind is dropped: half of them after every doubling of the worlds, and any at once that
    is behind beyond doubt. So most of the time goes into the few that are close, and a clear
    choice is made early.

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
        may_go_on = self._budget()
        judge = Judge(view.turn, len(view.hand_sizes), view.out)
        if self.level.careless and self.rng.random() < self.level.careless:
            return self._best_by(judge.lead, options)[0]
        shortlist = self._best_by(judge.evaluate, options)[: self.level.width]
        return self._race(view, shortlist, may_go_on)

    def _budget(self) -> Callable[[], bool]:
        """Asked before each option is played on: whether there is time, or a node, for it."""
        if self.nodes:
            nodes = iter(range(self.nodes))
            return lambda: next(nodes, None) is not None
        # A clock for the whole game must last for some more turns.
        end = perf_counter() + _RESERVE * min(self.time, self._left / 3)
        return lambda: perf_counter() < end

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

    def _race(
        self, view: View, shortlist: list[LegalPlacement], may_go_on: Callable[[], bool]
    ) -> LegalPlacement:
        race = Race(len(shortlist))
        outlook = Outlook(view)
        for number in range(1, self.level.worlds + 1):
            if len(race.runners) == 1:
                break
            world = imagine(view, self.rng)
            worths: list[float] = []
            for runner in race.runners:
                if not may_go_on():
                    return shortlist[race.leader]
                worths.append(outlook.worth(world.place(shortlist[runner])[0]))
            race.note(worths)
            if number >= _FIRST_WORLDS:
                race.drop(halve=number & (number - 1) == 0)
        return shortlist[race.leader]


class Race:
    """Options by their number, and how they fared in the same worlds; the leader comes first."""

    def __init__(self, runners: int) -> None:
        self.runners = list(range(runners))
        self._worths: list[list[float]] = [[] for _ in range(runners)]

    @property
    def leader(self) -> int:
        """The best so far; before the first world, what looked best."""
        return self.runners[0]

    def note(self, worths: list[float]) -> None:
        """What each runner came to in one more world."""
        for runner, worth in zip(self.runners, worths, strict=True):
            self._worths[runner].append(worth)
        self.runners.sort(key=lambda runner: -sum(self._worths[runner]))

    def drop(self, *, halve: bool) -> None:
        """Leave out who is behind beyond doubt, and the worse half where it is time for it."""
        keep = max(2, len(self.runners) // 2) if halve else len(self.runners)
        leader = self.leader
        self.runners = [leader] + [
            runner for runner in self.runners[1:keep] if not self._lost(leader, runner)
        ]

    def _lost(self, leader: int, runner: int) -> bool:
        gaps = list(self._gaps(leader, runner))
        n = len(gaps)
        mean = sum(gaps) / n
        variance = sum((gap - mean) ** 2 for gap in gaps) / (n - 1)
        # Few worlds may agree by chance, so that the error is never taken for nothing.
        return mean > _SURE * math.sqrt((variance + 0.05) / n)

    def _gaps(self, leader: int, runner: int) -> Iterator[float]:
        pairs = zip(self._worths[leader], self._worths[runner], strict=True)
        return (ahead - behind for ahead, behind in pairs)
