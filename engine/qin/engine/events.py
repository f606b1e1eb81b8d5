"""What happens in a game, in the rulebook's words. Chance is recorded in the event."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from qin.engine.placement import Placement
from qin.engine.spaces import Mask
from qin.engine.tiles import Colour, Seat, Tile


class Ending(Enum):
    """How a game ended; the values are the words of the record."""

    LAST_PAGODA = "last-pagoda"
    OUT_OF_TILES = "out-of-tiles"
    BOARD_FULL = "board-full"
    NO_PLACEMENT = "no-placement"
    RESIGNED = "resigned"
    FORFEIT = "forfeit"


class Placed(NamedTuple):
    """A seat laid a tile."""

    seat: Seat
    placement: Placement


class Founded(NamedTuple):
    """A province came into being."""

    seat: Seat
    colour: Colour
    spaces: Mask
    pagodas: int
    """Placed on it; 0 only if the game ended with a last pagoda elsewhere before."""


class Expanded(NamedTuple):
    """A province grew; its owner stays, whoever laid the tile."""

    seat: Seat
    """The owner."""
    colour: Colour
    spaces: Mask


class Major(NamedTuple):
    """A province reached five spaces, and its owner added the second pagoda."""

    seat: Seat
    """The owner."""
    colour: Colour
    spaces: Mask


class Joined(NamedTuple):
    """Provinces became one major province."""

    seat: Seat
    """The owner of the whole."""
    colour: Colour
    spaces: Mask
    built: int
    """Pagodas that the owner had to add."""
    went_home: tuple[int, ...]
    """Pagodas that went home, by seat."""


class Connected(NamedTuple):
    """A seat took an empty village."""

    seat: Seat
    village: Mask


class Conquered(NamedTuple):
    """A seat took a village from its holder, whose pagoda went home."""

    seat: Seat
    loser: Seat
    village: Mask


class Lost(NamedTuple):
    """A village stands empty: its holder's pagoda went home, and the game ended before the one who
    was to conquer it could place his own."""

    loser: Seat
    village: Mask


class Drawn(NamedTuple):
    """A seat drew a tile; nobody else sees which."""

    seat: Seat
    pile: int
    """From 0."""
    tile: Tile | None
    """None for everybody but the seat itself."""


class Passed(NamedTuple):
    """A seat held tiles but could place none of them (R10)."""

    seat: Seat


class Withdrew(NamedTuple):
    """A seat resigned, or forfeited, and is out of the game (R13)."""

    seat: Seat
    forfeit: bool


class Ended(NamedTuple):
    """The game is over."""

    ending: Ending
    winners: tuple[Seat, ...]


Settled = Founded | Expanded | Major | Joined | Connected | Conquered | Lost
"""What a tile can cause on the board."""

Event = Placed | Settled | Drawn | Passed | Withdrew | Ended
