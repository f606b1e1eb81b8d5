"""Positions as text, to be read by people and by programs.

A space is one token: `.` grassland, `~` water, `#` no space, `V` a village, `V2` the village of
seat 2, `R` a single red space, `R1` a space of a red province of seat 1. Rows are lines, or parts
between `/` on one line; blanks between tokens are ignored. A board file is such a text, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from qin.engine.board import GRASSLAND, Board, split_rows
from qin.engine.errors import ParseError
from qin.engine.position import Position
from qin.engine.realm import MAJOR_SIZE, Province, Realm
from qin.engine.spaces import (
    SIDE,
    Mask,
    Space,
    format_spaces,
    groups_of,
    mask_of,
    space_at,
    spaces_of,
)
from qin.engine.tiles import PAGODAS, SEATS, Colour, Seat

_TOKEN = re.compile(r"([VRYB])([1-4]?)|([.~#])")


def format_position(position: Position, *, separator: str = "\n") -> str:
    """Draw a position, one token a space, in columns."""
    tokens = position.tokens()
    width = max(len(token) for row in tokens for token in row)
    return separator.join(" ".join(token.ljust(width) for token in row).rstrip() for row in tokens)


def draw(position: Position) -> str:
    """Draw a position with its coordinates, for people."""
    header = "    " + " ".join(
        f"{chr(ord('a') + column):<2}" for column in range(position.board.width)
    )
    rows = [
        f"{number:>2}  " + " ".join(f"{token:<2}" for token in row)
        for number, row in enumerate(position.tokens(), start=1)
    ]
    return "\n".join(line.rstrip() for line in (header, *rows))


def parse_position(
    text: str, *, players: int, reserves: Sequence[int] | None = None, board: Board | None = None
) -> Position:
    """Read a drawn position.

    Without `reserves` every seat has what is not on the board. Without `board` single spaces count
    as printed start spaces and everything else of a colour as laid on grassland. A province has the
    pagodas of its size: that some were not placed any more when a game ended is not to be seen.
    """
    if players not in SEATS:
        raise ParseError(f"2 to 4 players play Qin, not {players}")
    cells = _cells(text)
    owners = {space: Seat(int(digit) - 1) for space, (_, digit) in cells.items() if digit}
    for space, seat in owners.items():
        if seat >= players:
            raise ParseError(f"{format_spaces([space])}: there is no seat {seat + 1}")
    printed = board or _board_under(cells)
    covered = mask_of(space for space, (kind, _) in cells.items() if kind in "RYB")
    free = printed.grass & ~covered
    realms = tuple(
        _realm(
            printed, free, mask_of(s for s, (kind, _) in cells.items() if kind == c.letter), owners
        )
        for c in Colour
    )
    holders = tuple(_owner_of(group, owners, "village") for group in printed.villages)
    left = [PAGODAS[players]] * players
    for realm in realms:
        for province in realm.provinces:
            left[province.owner] -= province.pagodas
    for holder in holders:
        if holder is not None:
            left[holder] -= 1
    return Position.of(printed, realms, holders, tuple(left if reserves is None else reserves))


def _cells(text: str) -> dict[Space, tuple[str, str]]:
    rows = [_tokens(row, number) for number, row in enumerate(split_rows(text.strip()), start=1)]
    if not rows or len(rows) > SIDE or len(rows[0]) > SIDE:
        raise ParseError(f"a position has 1 to {SIDE} rows and columns")
    for number, tokens in enumerate(rows, start=1):
        if len(tokens) != len(rows[0]):
            raise ParseError(
                f"row {number} has {len(tokens)} spaces, the first row has {len(rows[0])}"
            )
    return {
        space_at(column, row): token
        for row, tokens in enumerate(rows)
        for column, token in enumerate(tokens)
    }


def _tokens(row: str, number: int) -> list[tuple[str, str]]:
    packed = "".join(row.split())
    matches = list(_TOKEN.finditer(packed))
    if "".join(match[0] for match in matches) != packed or not packed:
        raise ParseError(f"row {number} is not a row of a position: {row.strip()!r}")
    return [(match[1] or match[3], match[2] or "") for match in matches]


def _board_under(cells: dict[Space, tuple[str, str]]) -> Board:
    rows: dict[int, str] = {}
    for space in sorted(cells):
        kind, digit = cells[space]
        row = space // space_at(0, 1)
        rows[row] = rows.get(row, "") + (GRASSLAND if kind in "RYB" and digit else kind)
    return Board("drawn", tuple(rows[row] for row in sorted(rows)))


def _realm(board: Board, free: Mask, spaces: Mask, owners: dict[Space, Seat]) -> Realm:
    realm = Realm(spaces)
    for group in groups_of(spaces):
        size = group.bit_count()
        owner = _owner_of(group, owners, "province")
        if (owner is None) != (size == 1):
            problem = "has no owner" if owner is None else "is a single space and has an owner"
            raise ParseError(f"the province {format_spaces(spaces_of(group))} {problem}")
        if owner is not None:
            pagodas = 2 if size >= MAJOR_SIZE else 1
            realm = realm.with_province(Province(board, free, group, owner, pagodas))
    return realm


def _owner_of(group: Mask, owners: dict[Space, Seat], what: str) -> Seat | None:
    found = {owners.get(space) for space in spaces_of(group)}
    if len(found) > 1:
        raise ParseError(f"the {what} {format_spaces(spaces_of(group))} has more than one owner")
    return found.pop()
