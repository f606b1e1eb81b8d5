"""Which bots meet, and one game between them: it depends on its task alone."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from qin.bots import Spec
from qin.bots.arena import Choice, play
from qin.engine import Board, Deal, Seat


class Match(NamedTuple):
    """A bot that should win, a bot that it meets, and how often it should."""

    bot: str
    rival: str
    board: str
    games: int
    goal: float
    """The part of the games that the bot should win."""

    def __str__(self) -> str:
        return f"{self.bot} against {self.rival} on {self.board}"

    def tasks(self) -> Iterator[Task]:
        """Each deal twice, with the seats exchanged."""
        for number in range(self.games // 2):
            for seat in (Seat(0), Seat(1)):
                yield Task(self, number, seat)


MATCHES = (
    Match("greedy", "random", "bird", 200, 0.98),
    Match("greedy", "random", "lion", 200, 0.98),
    Match("lookahead", "greedy", "bird", 400, 0.75),
    Match("lookahead", "greedy", "lion", 400, 0.75),
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
    deal = Deal.shuffled(2, Random(f"strength/{task.deal}"))
    bots = [
        Spec.parse(match.bot if seat == task.seat else match.rival).load_python()(
            f"strength/{task.deal}/{task.seat}/{seat}"
        )
        for seat in range(2)
    ]
    ms: list[float] = []

    def noticed(choice: Choice) -> None:
        if choice.seat == task.seat:
            took = choice.seconds * 1000
            ms.append(round(took, 1) if took < 10 else round(took))

    outcome = play(
        Board.named(match.board), deal, bots, first=Seat(0), noticed=noticed
    ).game.outcome
    assert outcome
    score = 1 / len(outcome.winners) if task.seat in outcome.winners else 0.0
    return Result(str(match), task.deal, task.seat, score, ms)
