"""One game of a tournament: what is to be played, and what came of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from random import Random
from typing import Any, NamedTuple

from qin.bots.tournament.settings import Entrant, Ground
from qin.engine import Deal, QinError, Seat


class ResultError(QinError):
    """A line that is no result of a game."""


class Dealt(NamedTuple):
    """A deal, and who starts on it."""

    deal: Deal
    first: Seat


def dealt(seed: int, number: int, players: int) -> Dealt:
    """The deal of a number, which depends on the tournament's seed alone."""
    rng = Random(f"{seed}/deal/{number}")
    first = Seat(int(rng.random() * players))
    return Dealt(Deal.shuffled(players, rng), first)


@dataclass(frozen=True, slots=True)
class Job:
    """A game that is to be played; nothing else decides how it goes."""

    game: int
    """From 1, over the whole tournament."""
    deal: int
    """Likewise."""
    round: int
    ground: Ground
    seats: tuple[Entrant, ...]
    """Who sits where."""
    seed: int
    seconds: float
    megabytes: int
    event: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(bot.name for bot in self.seats)

    def dealt(self) -> Dealt:
        return dealt(self.seed, self.deal, len(self.seats))

    def bot_seed(self, seat: int) -> str:
        """Where the bot on a seat takes its chance from."""
        return f"{self.seed}/game/{self.game}/seat/{seat + 1}"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Job:
        known = dict(facts)
        known["ground"] = Ground(**known["ground"])
        known["seats"] = tuple(Entrant(**bot) for bot in known["seats"])
        return cls(**known)


TIME, CRASH, ILLEGAL, SILENCE, MEMORY = "time", "crash", "illegal", "silence", "memory"
REASONS = (TIME, CRASH, ILLEGAL, SILENCE, MEMORY)


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bot did wrong."""

    seat: int
    """From 1, as in the record."""
    reason: str
    ply: int
    """How many placements and passes there had been."""
    detail: str = ""


def in_order(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """As they stand in a result: by plies, then by seats, however the game was played."""
    return tuple(sorted(faults, key=lambda fault: (fault.ply, fault.seat)))


@dataclass(frozen=True, slots=True)
class Times:
    """How long a seat took."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def plus(self, seconds: float) -> Times:
        return Times(self.decisions + 1, self.seconds + seconds, max(self.slowest, seconds))


@dataclass(frozen=True, slots=True)
class Result:
    """A game that was played: a line of the file of results."""

    game: int
    deal: int
    round: int
    board: str
    seats: tuple[str, ...]
    first: int
    """From 1, as are the winners."""
    winners: tuple[int, ...]
    reserves: tuple[int, ...]
    ending: str
    plies: int
    times: tuple[Times, ...]
    faults: tuple[Fault, ...] = ()
    record: str = ""
    """The text of the record; it stands in a file of its own, not in the line."""

    def points(self, seat: int) -> float:
        """What a seat, from 0, has won: 1 for a victory, its part of a shared one."""
        return 1 / len(self.winners) if seat + 1 in self.winners else 0.0

    def ranks(self) -> tuple[int, ...]:
        """The place of each seat, from 0: winners, the others by pagodas left, those at fault."""
        at_fault = {fault.seat for fault in self.faults}
        keys = [
            (0, 0, 0) if seat in self.winners else (1, int(seat in at_fault), left)
            for seat, left in enumerate(self.reserves, start=1)
        ]
        return tuple(sum(other < key for other in keys) for key in keys)

    def line(self) -> str:
        """One line of JSON, without a line break."""
        facts = {
            "game": self.game,
            "deal": self.deal,
            "round": self.round,
            "board": self.board,
            "seats": self.seats,
            "first": self.first,
            "winners": self.winners,
            "reserves": self.reserves,
            "ending": self.ending,
            "plies": self.plies,
            "decisions": [each.decisions for each in self.times],
            "seconds": [round(each.seconds, 6) for each in self.times],
            "slowest": [round(each.slowest, 6) for each in self.times],
            "faults": [asdict(fault) for fault in self.faults],
        }
        return json.dumps(facts, ensure_ascii=False)

    @classmethod
    def parse(cls, line: str) -> Result:
        """Read a line; `ResultError` if it is none."""
        try:
            facts = json.loads(line)
            times = zip(facts["decisions"], facts["seconds"], facts["slowest"], strict=True)
            return cls(
                game=int(facts["game"]),
                deal=int(facts["deal"]),
                round=int(facts["round"]),
                board=str(facts["board"]),
                seats=tuple(map(str, facts["seats"])),
                first=int(facts["first"]),
                winners=tuple(map(int, facts["winners"])),
                reserves=tuple(map(int, facts["reserves"])),
                ending=str(facts["ending"]),
                plies=int(facts["plies"]),
                times=tuple(Times(*each) for each in times),
                faults=tuple(Fault(**fault) for fault in facts["faults"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise ResultError(f"not the result of a game: {error}") from None

    def without_record(self) -> Result:
        return replace(self, record="")
