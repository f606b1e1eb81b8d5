"""A placement: two colours on two spaces, written `Rc4Yd4`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple, NewType

from qin.engine.errors import ParseError
from qin.engine.spaces import DOWN, Space, format_space, parse_space
from qin.engine.tiles import TILE_OF, Colour, Tile

_TEXT = re.compile(r"([RYB])([a-z][0-9]{1,2})([RYB])([a-z][0-9]{1,2})", re.IGNORECASE)


class Placement(NamedTuple):
    """Where a tile is to lie. The first space is the upper or the left one."""

    first_colour: Colour
    first: Space
    second_colour: Colour
    second: Space

    @property
    def tile(self) -> Tile:
        return TILE_OF[self.first_colour][self.second_colour]

    @property
    def adjacent(self) -> bool:
        """Whether the two spaces share an edge."""
        return self.second - self.first in (1, DOWN)

    @staticmethod
    def parse(text: str) -> Placement:
        """Read `Rc4Yd4`, in either order and in either case."""
        return _parse(text)

    def __str__(self) -> str:
        return (
            f"{self.first_colour.letter}{format_space(self.first)}"
            f"{self.second_colour.letter}{format_space(self.second)}"
        )

    def __repr__(self) -> str:
        return f"Placement.parse({str(self)!r})"


LegalPlacement = NewType("LegalPlacement", Placement)
"""A placement that the rules allow in the position it was made for.

Only `Position.check` and `Placements` make one, and only one can be applied: that is how the type
checker sees to it that no request is applied unchecked.
"""


@lru_cache(maxsize=4096)  # more than a board has placements; what cannot be read is not kept
def _parse(text: str) -> Placement:
    match = _TEXT.fullmatch(text)
    if not match:
        raise ParseError(
            f"{text!r} is not a placement; write colour and space twice, such as Rc4Yd4"
        )
    halves = [(parse_space(match[2]), match[1]), (parse_space(match[4]), match[3])]
    (first, one), (second, other) = sorted(halves, key=lambda half: half[0])
    return Placement(Colour.parse(one), first, Colour.parse(other), second)
