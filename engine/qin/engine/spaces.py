"""Spaces of a board, and sets of spaces as bits of one int.

Every board lies in the same grid of 26 x 26 spaces with one column of padding, so a space has the
same number and the same name on every board, and a neighbour is always one shift away: the padding
column, which no board ever uses, keeps rows from running into each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NewType

from qin.engine.errors import ParseError

Space = NewType("Space", int)
"""One square: row * STRIDE + column, both from 0, `a1` at the top left."""

Mask = int
"""A set of spaces: bit `s` is set when space `s` belongs to it."""

Step = NewType("Step", int)
"""From the first space of a tile to its second: ACROSS or DOWN."""

SIDE = 26
STRIDE = SIDE + 1
ACROSS = Step(1)
DOWN = Step(STRIDE)


def space_at(column: int, row: int) -> Space:
    return Space(row * STRIDE + column)


def column_of(space: Space) -> int:
    return space % STRIDE


def row_of(space: Space) -> int:
    return space // STRIDE


NAMES = tuple(
    f"{chr(ord('a') + space % STRIDE)}{space // STRIDE + 1}" for space in range(99 * STRIDE)
)
"""The name of each space, also of those below every board that can still be named."""


def parse_space(text: str) -> Space:
    """Read `c4`. Rows go up to 99, so that a space off every board can still be named.

    >>> parse_space("c4")
    83
    """
    letter, digits = text[:1].lower(), text[1:]
    if not ("a" <= letter <= "z" and digits.isascii() and digits.isdecimal() and len(digits) <= 2):
        raise ParseError(f"{text!r} is not a space; write a column letter and a row, such as c4")
    row = int(digits)
    if row == 0:
        raise ParseError(f"{text!r} is not a space; rows are counted from 1")
    return space_at(ord(letter) - ord("a"), row - 1)


def format_space(space: Space) -> str:
    """Write `c4`.

    >>> format_space(Space(83))
    'c4'
    """
    return NAMES[space]


def format_spaces(spaces: Iterable[Space]) -> str:
    """Write `c4 d4 d5`."""
    return " ".join(format_space(space) for space in spaces)


def mask_of(spaces: Iterable[Space]) -> Mask:
    mask = 0
    for space in spaces:
        mask |= 1 << space
    return mask


def spaces_of(mask: Mask) -> Iterator[Space]:
    """The spaces of a mask in reading order."""
    while mask:
        lowest = mask & -mask
        yield Space(lowest.bit_length() - 1)
        mask ^= lowest


def neighbours(mask: Mask) -> Mask:
    """The spaces that share an edge with a space of the mask (some may lie off the board)."""
    return mask << 1 | mask >> 1 | mask << STRIDE | mask >> STRIDE


ALL_SPACES: Mask = (1 << SIDE * STRIDE) - 1

AROUND = tuple(neighbours(1 << space) for space in range(SIDE * STRIDE))
"""The neighbours of each single space."""


def nth_space(mask: Mask, n: int) -> Space:
    """The n-th space of a mask in reading order, from 0."""
    for _ in range(n):
        mask &= mask - 1
    return Space((mask & -mask).bit_length() - 1)


def groups_of(mask: Mask) -> Iterator[Mask]:
    """The edge-connected groups of a mask, by their first space in reading order."""
    while mask:
        group = mask & -mask
        while (grown := (group | neighbours(group)) & mask) != group:
            group = grown
        yield group
        mask ^= group
