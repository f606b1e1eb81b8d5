"""What happens at a table, told in words: the game, and all that is around it."""

from __future__ import annotations

from typing import assert_never

from qin.client.errors import CallError
from qin.client.happenings import (
    ConnectionBack,
    ConnectionLost,
    GameEnded,
    GameStarted,
    PresenceChanged,
    Said,
    SeatLeft,
    SeatTaken,
    SeriesEnded,
    StandIn,
    TableEvent,
    Unknown,
    WatchEnded,
)
from qin.engine import Refused, Seat
from qin.engine.words import Names, listed, printable, tell, tell_outcome


def tell_table(event: TableEvent, names: Names) -> str:  # noqa: C901, PLR0912 - a line for each
    """One event as a sentence without its full stop. Names are as they were before it."""
    match event:
        case SeatTaken(seat, name, bot):
            return f"{printable(name)}{', a house bot,' if bot else ''} takes seat {seat + 1}"
        case SeatLeft(seat):
            return f"{_name(seat, names)} leaves seat {seat + 1}"
        case GameStarted(game, first):
            return f"game {game} starts, with {_name(first, names)}"
        case GameEnded(_, outcome, _, _):
            return f"the game is over, {tell_outcome(outcome, names)}"
        case SeriesEnded(totals, winners):
            return _tell_series(totals, winners, names)
        case Said(_, name, text):
            return f"{printable(name)}: {printable(text)}"
        case StandIn(seat, bot):
            name = _name(seat, names)
            return f"{printable(bot)} stands in for {name}" if bot else f"{name} is back"
        case PresenceChanged(seat, connected):
            return f"{_name(seat, names)} is {'here' if connected else 'away'}"
        case ConnectionLost(why):
            return f"{printable(why)}; trying again …"
        case ConnectionBack():
            return "the server is back"
        case WatchEnded(why):
            return why.value
        case Unknown():
            return "something that a newer qin can tell"
        case _:
            return tell(event, names)
    assert_never(event)


def tell_problem(problem: Exception) -> str:
    """What went wrong, for people: the word or number that programs know it by is left out."""
    if isinstance(problem, OSError) and problem.strerror:
        about = f"{problem.filename}: " if problem.filename else ""
        return f"{about}{problem.strerror.lower()}"
    word = ""
    if isinstance(problem, Refused):
        word = problem.reason.value
    elif isinstance(problem, CallError):
        word = problem.reason.lower().replace("_", "-")
    return str(problem).removeprefix(f"{word}: ")


def _tell_series(totals: tuple[int, ...], winners: tuple[Seat, ...], names: Names) -> str:
    left = ", ".join(f"{_name(Seat(seat), names)} {total}" for seat, total in enumerate(totals))
    who = listed([_name(seat, names) for seat in winners] or ["nobody"])
    won = "share the victory" if len(winners) > 1 else "wins"
    return f"the series is over, {who} {won}; pagodas left: {left}"


def _name(seat: Seat, names: Names) -> str:
    return names[seat] if 0 <= seat < len(names) else f"seat {seat + 1}"
