"""The three colours of province, and the tiles that carry two of them."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, IntEnum
from typing import NewType

from qin.engine.errors import ParseError

Seat = NewType("Seat", int)
"""A player at the table, from 0. People and files count seats from 1."""

TILES_OF_A_KIND = 12
HAND_SIZE = 3
PILES = 4
SEATS = range(2, 5)
"""How many may play."""

PAGODAS = {2: 24, 3: 19, 4: 15}
"""How many pagodas each player has, by the number of players."""


class Colour(IntEnum):
    """A colour of province; also the place of its realm in a position."""

    RED = 0
    YELLOW = 1
    BLUE = 2

    @property
    def letter(self) -> str:
        return "RYB"[self]

    @property
    def word(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls, letter: str) -> Colour:
        place = "RYB".find(letter.upper()) if len(letter) == 1 else -1
        if place < 0:
            raise ParseError(f"{letter!r} is not a colour; the colours are R, Y and B")
        return cls(place)


class Tile(Enum):
    """A kind of tile, named by its colours in the order of the rulebook."""

    RR = Colour.RED, Colour.RED
    YY = Colour.YELLOW, Colour.YELLOW
    BB = Colour.BLUE, Colour.BLUE
    RY = Colour.RED, Colour.YELLOW
    YB = Colour.YELLOW, Colour.BLUE
    RB = Colour.RED, Colour.BLUE

    first: Colour
    second: Colour
    number: int
    """The place of the kind in the order RR, YY, BB, RY, YB, RB."""

    def __init__(self, first: Colour, second: Colour) -> None:
        self.first = first
        self.second = second
        self.number = len(type(self).__members__)

    def __repr__(self) -> str:
        return f"Tile.{self.name}"

    def __str__(self) -> str:
        return self.name

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read `RY`; `YR` is the same tile."""
        upper = text.upper()
        tile = cls.__members__.get(upper) or cls.__members__.get(upper[::-1])
        if tile is None:
            raise ParseError(f"{text!r} is not a tile; the tiles are {format_tiles(cls)}")
        return tile


TILE_OF = tuple(
    tuple(
        next(tile for tile in Tile if {tile.first, tile.second} == {one, other}) for other in Colour
    )
    for one in Colour
)
"""The tile with two given colours: `TILE_OF[one][other]`, in either order."""

ALL_TILES = tuple(tile for tile in Tile for _ in range(TILES_OF_A_KIND))
"""The 72 tiles of the game in the order RR, YY, BB, RY, YB, RB."""


def parse_tiles(text: str) -> tuple[Tile, ...]:
    """Read `RR RY YB`."""
    return tuple(Tile.parse(word) for word in text.split())


def format_tiles(tiles: Iterable[Tile]) -> str:
    """Write `RR RY YB`."""
    return " ".join(tile.name for tile in tiles)


def count_tiles(tiles: Iterable[Tile]) -> tuple[int, ...]:
    """How many there are of each kind, in the order of the kinds."""
    counts = [0] * len(Tile)
    for tile in tiles:
        counts[tile.number] += 1
    return tuple(counts)
