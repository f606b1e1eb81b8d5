"""What happens at a table beside the game itself. What happens in a game is in `qin.engine`."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from qin.engine import Event, Outcome, Seat


class SeatTaken(NamedTuple):
    """A player or a house bot took a seat."""

    seat: Seat
    name: str
    bot: bool


class SeatLeft(NamedTuple):
    """A seat became free."""

    seat: Seat


class GameStarted(NamedTuple):
    """A game of the series started."""

    game: int
    """From 1."""
    first: Seat


class GameEnded(NamedTuple):
    """A game of the series is over."""

    game: int
    outcome: Outcome
    reserves: tuple[int, ...]
    """The pagodas that each seat had left."""
    record_id: str


class SeriesEnded(NamedTuple):
    """The series is over, and its shuffles can be checked."""

    totals: tuple[int, ...]
    """The pagodas that each seat had left over all games."""
    winners: tuple[Seat, ...]


class Said(NamedTuple):
    """Somebody spoke."""

    seat: Seat | None
    """None for an owner who does not sit."""
    name: str
    text: str


class StandIn(NamedTuple):
    """A house bot stands in for an absent player, or the player is back."""

    seat: Seat
    bot: str
    """Empty when the player is back."""


class PresenceChanged(NamedTuple):
    """A player came or went."""

    seat: Seat
    connected: bool


class Unknown(NamedTuple):
    """What only a newer client can tell."""

    kind: str


class ConnectionLost(NamedTuple):
    """The server is not heard any more; it is tried again and again."""

    why: str


class ConnectionBack(NamedTuple):
    """The server is heard again, and nothing was missed."""


class End(Enum):
    """Why a watch is over for good."""

    TABLE_REMOVED = "the table is gone"
    SEAT_LOST = "the seat was freed"


class WatchEnded(NamedTuple):
    """The last thing that a watch tells."""

    why: End


Happening = (
    SeatTaken
    | SeatLeft
    | GameStarted
    | GameEnded
    | SeriesEnded
    | Said
    | StandIn
    | PresenceChanged
    | Unknown
    | ConnectionLost
    | ConnectionBack
    | WatchEnded
)
TableEvent = Event | Happening
"""All that a watch can tell of."""
