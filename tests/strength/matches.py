"""Which bots meet, and one game between them: it depends on its task alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from qin.bots import Spec
from qin.bots.arena import Choice, play
from qin.engine import Board, Deal, Seat
from random_boards import random_board


class Match(NamedTuple):
    """A bot that should win, a bot that has all other seats, and how often it should."""

    bot: str
    rival: str
    where: str
    """A board, `both boards`, or `20 random boards`; each deal has its turn on the next one."""
    games: int
    goal: float
    """The part of the games that the bot should win."""
    players: int = 2

    def __str__(self) -> str:
        table = "" if self.players == 2 else f", {self.players} players"
        return f"{self.bot} against {self.rival} on {self.where}{table}"

    def tasks(self) -> Iterator[Task]:
        """Each deal once from every seat."""
        for number in range(self.games // self.players):
            for seat in range(self.players):
                yield Task(self, number, Seat(seat))

    def board(self, deal: int) -> Board:
        if self.where == RANDOM:
            return random_board(1 + deal % 20)
        return Board.named(("bird", "lion")[deal % 2] if self.where == BOTH else self.where)


BOTH = "both boards"
RANDOM = "20 random boards"

MATCHES = (
    Match("greedy", "random", "bird", 200, 0.98),
    Match("greedy", "random", "lion", 200, 0.98),
    Match("lookahead", "greedy", "bird", 400, 0.75),
    Match("lookahead", "greedy", "lion", 400, 0.75),
    Match("champion:time=0.1", "greedy", "bird", 198, 2 / 3, players=3),
    Match("champion:time=0.1", "greedy", "lion", 198, 2 / 3, players=3),
    Match("champion:time=0.1", "greedy", "bird", 200, 2 / 4, players=4),
    Match("champion:time=0.1", "greedy", "lion", 200, 2 / 4, players=4),
    Match("champion:time=0.1", "greedy", RANDOM, 200, 0.85),
    Match("champion:level=2,time=0.1", "champion:level=1,time=0.1", BOTH, 200, 0.6),
    Match("champion:level=3,time=0.1", "champion:level=2,time=0.1", BOTH, 200, 0.6),
    Match("champion:level=4,time=0.1", "champion:level=3,time=0.1", BOTH, 200, 0.6),
    Match("champion:level=5,time=0.1", "champion:level=4,time=0.1", BOTH, 200, 0.6),
    Match("champion", "lookahead", "bird", 200, 0.7),
    Match("champion", "lookahead", "lion", 200, 0.7),
    Match("champion", "greedy", "bird", 200, 0.92),
    Match("champion", "greedy", "lion", 200, 0.92),
)


class Task(NamedTuple):
    """One game that is to be played."""

    match: Match
    deal: int
    seat: Seat
    """Where the bot sits; seat 0 begins."""


class Result(NamedTuple):
    """One game that has been played; a line of the file of results."""

    match: str
    deal: int
    seat: int
    score: float
    """1 for a victory, and its part of a shared one."""
    ms: list[float]
    """How long the bot took for each of its decisions, in milliseconds: tenths below ten."""


def play_task(task: Task) -> Result:
    match = task.match
    deal = Deal.shuffled(match.players, Random(f"strength/{task.deal}"))
    bots = [
        Spec.parse(match.bot if seat == task.seat else match.rival).load_python()(
            f"strength/{task.deal}/{task.seat}/{seat}"
        )
        for seat in range(match.players)
    ]
    ms: list[float] = []

    def noticed(choice: Choice) -> None:
        if choice.seat == task.seat:
            took = choice.seconds * 1000
            ms.append(round(took, 1) if took < 10 else round(took))

    game = play(match.board(task.deal), deal, bots, first=Seat(0), noticed=noticed).game
    outcome = game.outcome
    assert outcome
    score = 1 / len(outcome.winners) if task.seat in outcome.winners else 0.0
    return Result(str(match), task.deal, task.seat, score, ms)
