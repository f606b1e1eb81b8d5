"""What a tournament is: all that decides its games, as one value, checked before any is played."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from itertools import permutations
from typing import Any

from qin.bots.spec import Command, Spec
from qin.engine import SEATS, Board, QinError, distinct_names, name_problem

VERSION = 1
"""Of the file of settings; another version is another file."""

MOST_GAMES = 1_000_000
MOST_ROUNDS = 1_000
FEWEST_SECONDS, MOST_SECONDS = 0.01, 86_400.0
"""Of a decision: no less than a clock tells apart, no more than a day."""
FEWEST_MEGABYTES, MOST_MEGABYTES = 128, 1 << 20
"""Python and a bot need about half of the least before they think at all."""
MOST_ELO = 1_000.0
"""Of a sequential test: a score of 99.7 %. Much further out a score cannot be told from 1."""


class SettingsError(QinError):
    """Settings that make no tournament; the message says which, and what would."""


class Format(Enum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"


class Orders(Enum):
    """In which orders of the seats a deal is played."""

    ROTATIONS = "rotations"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that takes part."""

    name: str
    """What it is called here, unlike any other."""
    spec: str
    """Where it comes from; empty for one that offers itself over the protocol."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A board that is played on, with its print, so that nothing else is needed to resume."""

    name: str
    map: str

    def board(self) -> Board:
        return Board.parse(self.map, name=self.name)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test that stops as soon as it is decided which of two strengths is the true one."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    """How often it may find elo1 where elo0 is true."""
    beta: float = 0.05
    """How often it may find elo0 where elo1 is true."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything but how it is run: the same settings give the same games."""

    bots: tuple[Entrant, ...]
    boards: tuple[Ground, ...]
    games: int
    seed: int
    players: int = 2
    format: Format = Format.ROUND_ROBIN
    orders: Orders = Orders.ROTATIONS
    duplicates: bool = True
    """Whether a deal is played once for each order of the seats."""
    rounds: int = 0
    """Of a Swiss tournament; 0 for as many as it takes to find one winner."""
    seconds: float = 10.0
    """What a bot may take for one decision."""
    megabytes: int = 2048
    """What the process of a bot may hold."""
    faults: int = 10
    """With so many a bot is withdrawn; 0 for never."""
    sprt: Sprt | None = None
    over_grpc: bool = False
    name: str = "tournament"

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(bot.name for bot in self.bots)

    @property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """How those who meet may sit, each once: by seat, the place in the pairing."""
        return seatings(self.players, self.orders)

    def to_json(self) -> dict[str, Any]:
        facts = asdict(self)
        facts["format"], facts["orders"] = self.format.value, self.orders.value
        return {"version": VERSION, **facts}

    @classmethod
    def from_json(cls, facts: Any) -> Settings:
        """Read what `to_json` wrote; `SettingsError` for anything else."""
        known = dict(facts) if isinstance(facts, dict) else {}
        if known.pop("version", None) != VERSION:
            raise SettingsError("these settings were written by another version of qin")
        try:
            known["bots"] = tuple(Entrant(**bot) for bot in known["bots"])
            known["boards"] = tuple(Ground(**ground) for ground in known["boards"])
            known["format"] = Format(known["format"])
            known["orders"] = Orders(known["orders"])
            known["sprt"] = Sprt(**known["sprt"]) if known["sprt"] else None
            return cls(**known)
        except (KeyError, TypeError, ValueError) as error:
            raise SettingsError(f"these are no settings of a tournament: {error}") from None

    def __str__(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False, indent=2) + "\n"


def seatings(players: int, orders: Orders) -> tuple[tuple[int, ...], ...]:
    """How so many may sit: all rotations, or all orders."""
    if orders is Orders.ALL:
        return tuple(permutations(range(players)))
    return tuple(
        tuple((seat + shift) % players for seat in range(players)) for shift in range(players)
    )


def entrants(specs: Sequence[str]) -> tuple[Entrant, ...]:
    """The bots of a command line, each with a name of its own."""
    parsed = [Spec.parse(text) for text in specs]
    names = distinct_names(spec.name for spec in parsed)
    return tuple(Entrant(name, spec.text) for name, spec in zip(names, parsed, strict=True))


def grounds(boards: Sequence[Board]) -> tuple[Ground, ...]:
    return tuple(Ground(board.name, board.map) for board in boards)


def check(settings: Settings) -> None:
    """Whether a tournament can be played so; `SettingsError` says why not."""
    _check_table(settings)
    _check_limits(settings)
    _check_format(settings)
    if settings.sprt:
        _check_sprt(settings, settings.sprt)
    _check_bots(settings)


def _check_table(settings: Settings) -> None:
    if settings.players not in SEATS:
        raise SettingsError(f"a table has 2 to 4 seats, not {settings.players}")
    if len(settings.bots) < settings.players:
        raise SettingsError(
            f"a table of {settings.players} needs {settings.players} bots or more,"
            f" here are {len(settings.bots)}; name one twice to let it play itself"
        )
    if not 1 <= settings.games <= MOST_GAMES:
        raise SettingsError(f"a tournament has 1 to {MOST_GAMES} games, not {settings.games}")
    if not settings.boards:
        raise SettingsError("a tournament needs a board")
    names = [ground.name for ground in settings.boards]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise SettingsError(f"the board {twice[0]!r} stands twice; name it once")
    for ground in settings.boards:
        ground.board()


def _check_limits(settings: Settings) -> None:
    if not FEWEST_SECONDS <= settings.seconds <= MOST_SECONDS:
        raise SettingsError(
            f"--time is {FEWEST_SECONDS} to {MOST_SECONDS:.0f} seconds, not {settings.seconds}"
        )
    if not FEWEST_MEGABYTES <= settings.megabytes <= MOST_MEGABYTES:
        raise SettingsError(
            f"--memory is {FEWEST_MEGABYTES} to {MOST_MEGABYTES} megabytes,"
            f" not {settings.megabytes}"
        )
    if settings.faults < 0:
        raise SettingsError("--faults is 0, for never, or more")


def _check_format(settings: Settings) -> None:
    if settings.rounds and settings.format is not Format.SWISS:
        raise SettingsError(
            f"--rounds is for --format swiss; a {settings.format.value} has as many as it needs"
        )
    if not 0 <= settings.rounds <= MOST_ROUNDS:
        raise SettingsError(f"--rounds is 1 to {MOST_ROUNDS}, not {settings.rounds}")


def _check_sprt(settings: Settings, sprt: Sprt) -> None:
    if len(settings.bots) != 2 or settings.players != 2:
        raise SettingsError(
            "--sprt compares two bots at tables of two;"
            f" here are {len(settings.bots)} bots at tables of {settings.players}"
        )
    if settings.format not in (Format.ROUND_ROBIN, Format.GAUNTLET):
        raise SettingsError("--sprt goes with --format round-robin")
    if not sprt.elo0 < sprt.elo1:
        raise SettingsError(
            f"--sprt: elo0 must be less than elo1, not {sprt.elo0:g} and {sprt.elo1:g}"
        )
    if max(abs(sprt.elo0), abs(sprt.elo1)) > MOST_ELO:
        raise SettingsError(f"--sprt: elo0 and elo1 lie between -{MOST_ELO:g} and {MOST_ELO:g}")
    if not (0 < sprt.alpha < 0.5 and 0 < sprt.beta < 0.5):
        raise SettingsError("--sprt: alpha and beta lie between 0 and 0.5")


def _check_bots(settings: Settings) -> None:
    if len(set(settings.names)) != len(settings.names):
        raise SettingsError("two bots have the same name")
    for bot in settings.bots:
        if problem := name_problem(bot.name):
            raise SettingsError(f"{bot.name!r}: {problem}")
        if not bot.spec:
            if not settings.over_grpc:
                raise SettingsError(f"{bot.name!r} has no spec; it can only play over gRPC")
            continue
        spec = Spec.parse(bot.spec)
        if spec.is_command and not settings.over_grpc:
            raise SettingsError(f"{bot.spec!r} is a program; it plays with --over-grpc alone")
        found = spec.load()
        if isinstance(found, Command) and shutil.which(found.words[0]) is None:
            raise SettingsError(f"{bot.spec!r}: there is no program {found.words[0]!r} to start")
