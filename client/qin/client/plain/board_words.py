"""A board in words: what lies on a space, around it, in a row; provinces and villages."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from qin.engine import Board, Colour, Mask, ParseError, Position, Province, Space, draw, parse_space
from qin.engine.board import GAP, WATER
from qin.engine.spaces import (
    column_of,
    format_space,
    format_spaces,
    groups_of,
    row_of,
    space_at,
    spaces_of,
)
from qin.engine.words import Names, counted, listed

_SIDES = (("above", 0, -1), ("right", 1, 0), ("below", 0, 1), ("left", -1, 0))


def board_rows(position: Position) -> list[str]:
    """The board drawn in letters, with what they mean."""
    return [
        *draw(position).splitlines(),
        "R1 is a red province of seat 1, R a single red space, Y yellow, B blue.",
        "V is a village, V2 a village of seat 2; . is free grassland, ~ water, # no space.",
    ]


def parse_on_board(text: str, board: Board) -> Space:
    """A space that is on this board."""
    space = parse_space(text)
    if not (column_of(space) < board.width and row_of(space) < board.height):
        last = format_space(space_at(board.width - 1, board.height - 1))
        raise ParseError(f"{text} is off this board; it goes from a1 to {last}")
    return space


def tell_space(position: Position, names: Names, space: Space) -> str:
    """`a red province of ann, 3 spaces`."""
    bit = 1 << space
    for colour in Colour:
        realm = position.realms[colour]
        for province in realm.provinces:
            if province.spaces & bit:
                return _tell_province(colour, province, names)
        if realm.spaces & bit:
            return f"a single {colour.word} space"
    board = position.board
    if space in board.village_number:
        holder = position.holders[board.village_number[space]]
        return f"a village of {'nobody' if holder is None else names[holder]}"
    printed = board.rows[row_of(space)][column_of(space)]
    return {WATER: "water", GAP: "no space"}.get(printed, "free")


def around(position: Position, names: Names, space: Space) -> list[str]:
    """What is on a space and on the four beside it."""
    lines = [f"{format_space(space)} is {tell_space(position, names, space)}."]
    board = position.board
    for side, right, down in _SIDES:
        column, row = column_of(space) + right, row_of(space) + down
        if not (0 <= column < board.width and 0 <= row < board.height):
            lines.append(f"{side.capitalize()}: the edge of the board.")
            continue
        there = space_at(column, row)
        told = tell_space(position, names, there)
        lines.append(f"{side.capitalize()}, {format_space(there)}: {told}.")
    return lines


def row_in_words(position: Position, names: Names, row: int) -> str:
    """A row from left to right; what is alike is told once."""
    spaces = [space_at(column, row) for column in range(position.board.width)]
    parts = []
    for told, run in groupby(spaces, lambda space: tell_space(position, names, space)):
        first, *others = map(format_space, run)
        parts.append(f"{first}{f' to {others[-1]}' if others else ''} {told}")
    return f"Row {row + 1}: {'; '.join(parts)}."


def provinces_in_words(position: Position, names: Names) -> Iterator[str]:
    """Each player's provinces, then the single spaces."""
    for seat, name in enumerate(names):
        owned = [
            f"{colour.word} {format_spaces(spaces_of(province.spaces))}"
            f"{' (major)' if province.major else ''}"
            for colour, province in position.provinces()
            if province.owner == seat
        ]
        yield f"Provinces of {name}: {'; '.join(owned) or 'none'}."
    singles = [
        f"{colour.word} {format_spaces(spaces_of(group))}"
        for colour in Colour
        for group in groups_of(position.realms[colour].spaces)
        if group.bit_count() == 1
    ]
    yield f"Single spaces: {'; '.join(singles) or 'none'}."


def villages_in_words(position: Position, names: Names) -> Iterator[str]:
    """Each village: who holds it, and who has how many pagodas beside it."""
    untouched = []
    for village, holder in zip(position.board.villages, position.holders, strict=True):
        where = format_spaces(spaces_of(village))
        beside = _beside(position, names, village)
        if holder is None and not beside:
            untouched.append(where)
            continue
        owner = "nobody" if holder is None else names[holder]
        yield f"The village at {where} is of {owner}; beside it {listed(beside or ['nothing'])}."
    if untouched:
        yield f"Of nobody, with nothing beside them, are those at {', '.join(untouched)}."


def _beside(position: Position, names: Names, village: Mask) -> list[str]:
    """`2 pagodas of ann`, for all who have some on provinces beside a village."""
    counts = [0] * len(names)
    for _, province in position.provinces():
        if province.villages & village:
            counts[province.owner] += province.pagodas
    told = enumerate(counts)
    return [f"{counted(count, 'pagoda')} of {names[seat]}" for seat, count in told if count]


def _tell_province(colour: Colour, province: Province, names: Names) -> str:
    kind = "major province" if province.major else "province"
    size = counted(province.size, "space")
    return f"a {colour.word} {kind} of {names[province.owner]}, {size}"
