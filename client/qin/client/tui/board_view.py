"""A position as text with styles: a pure function, for every screen that shows a board.

A space says what it is by a letter and a colour. Where pagodas stand, their owner's number stands
beside them: `R⌂1` is a red province of seat 1, `⌂⌂1` a major one, `V⌂2` a village of seat 2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from prompt_toolkit.formatted_text import StyleAndTextTuples
from qin.client.tui.scale import LABEL_WIDTH, Cut
from qin.client.tui.theme import Glyphs
from qin.engine import Board, Colour, Mask, Placement, Position, Seat, Space, spaces_of
from qin.engine.board import GAP, GRASSLAND, VILLAGE, WATER
from qin.engine.spaces import column_of, row_of, space_at

Line = StyleAndTextTuples


class Ghost(NamedTuple):
    """A tile that is held over the board."""

    placement: Placement
    legal: bool


@dataclass(frozen=True, slots=True)
class Marks:
    """What is shown on top of a position."""

    ghost: Ghost | None = None
    cursor: Space | None = None
    """Whose row and column are shown by their labels."""
    legal: Mask = 0
    """Where the first half of the chosen tile may lie."""
    last: Mask = 0
    """What was laid last."""
    refused: Mask = 0
    """What is in the way."""
    lit: Mask = 0
    """What a text speaks of, or what changed hands."""


NO_MARKS = Marks()


class _Pagodas(NamedTuple):
    owner: Seat
    number: int


def draw_board(position: Position, glyphs: Glyphs, cut: Cut, marks: Marks = NO_MARKS) -> list[Line]:
    """The lines of a board, with its coordinates: `cut.height` of them, `cut.width` wide."""
    drawing = _Drawing(position, glyphs, cut, marks)
    return [drawing.header(), *drawing.lines()]


class _Drawing:
    """What is worked out once for all spaces of a picture."""

    def __init__(self, position: Position, glyphs: Glyphs, cut: Cut, marks: Marks) -> None:
        self.board = position.board
        self.realms = position.realms
        self.glyphs = glyphs
        self.cut = cut
        self.marks = marks
        self.pagodas = _pagodas(position)
        self.halves: dict[Space, Colour] = {}
        if marks.ghost:
            one, first, other, second = marks.ghost.placement
            self.halves = {first: one, second: other}

    # ---- coordinates ---------------------------------------------------------------------------

    def header(self) -> Line:
        cut, more = self.cut, self.glyphs.more
        line: Line = [("class:label", " " * LABEL_WIDTH)]
        for column in range(cut.left, cut.left + cut.columns):
            letter = chr(ord("a") + column)
            if column == cut.left > 0:
                letter = more[0] + letter
            elif column == cut.left + cut.columns - 1 < self.board.width - 1:
                letter += more[1]
            here = self.marks.cursor is not None and column == column_of(self.marks.cursor)
            line.append((_label(here=here), letter.center(cut.scale.width)))
        return line

    def lines(self) -> Iterator[Line]:
        cut = self.cut
        middle = (cut.scale.height - 1) // 2
        for row in range(cut.top, cut.top + cut.rows):
            cells = [
                self.cell(space_at(column, row))
                for column in range(cut.left, cut.left + cut.columns)
            ]
            for number in range(cut.scale.height):
                line: Line = [self.row_label(row) if number == middle else ("", " " * LABEL_WIDTH)]
                for cell in cells:
                    line.extend(cell[number])
                yield line

    def row_label(self, row: int) -> tuple[str, str]:
        cut, more = self.cut, self.glyphs.more
        here = self.marks.cursor is not None and row == row_of(self.marks.cursor)
        end = " "
        if row == cut.top > 0:
            end = more[2]
        elif row == cut.top + cut.rows - 1 < self.board.height - 1:
            end = more[3]
        return _label(here=here), f"{row + 1:>{LABEL_WIDTH - 1}}{end}"

    # ---- spaces --------------------------------------------------------------------------------

    def cell(self, space: Space) -> list[Line]:
        """One space: as many lines as the scale is high."""
        bit = 1 << space
        role, letter = self.land(space)
        style, marks = f"class:{role}", self.marks
        left = right = " "
        if space in self.halves:
            return self.ghost(self.halves[space])
        if marks.refused & bit:
            style, (left, right) = f"{style} class:refused", self.glyphs.refused
        elif marks.lit & bit:
            style, (left, right) = f"{style} class:lit", self.glyphs.lit
        elif marks.last & bit:
            style, (left, right) = f"{style} class:last", self.glyphs.last
        elif marks.legal & bit:
            style, letter = f"{style} class:legal", self.glyphs.legal
        if role == "water":
            left = right = letter
        return self.filled(style, left, letter, right, self.pagodas.get(space))

    def land(self, space: Space) -> tuple[str, str]:
        """The role and the letter of what is there."""
        bit = 1 << space
        for colour in Colour:
            if self.realms[colour].spaces & bit:
                return colour.word, colour.letter
        printed = _printed(self.board, space)
        if printed == VILLAGE:
            return "village", self.glyphs.village
        if printed == WATER:
            return "water", self.glyphs.water
        if printed == GAP:
            return "gap", " "
        odd = (column_of(space) + row_of(space)) % 2
        return "grass.odd" if odd else "grass", self.glyphs.grass

    def ghost(self, colour: Colour) -> list[Line]:
        """A half of the tile that is held over the board."""
        legal = self.marks.ghost is not None and self.marks.ghost.legal
        left, right = self.glyphs.ghost if legal else self.glyphs.ghost_refused
        frame = "class:ghost.frame" if legal else "class:ghost.refused"
        half = f"class:{colour.word} class:ghost"
        width, height = self.cut.scale
        middle = colour.letter.center(width - 2)
        line: Line = [(frame, left), (half, middle), (frame, right)]
        blank: Line = [(frame, left), (half, " " * (width - 2)), (frame, right)]
        return [line if number == (height - 1) // 2 else blank for number in range(height)]

    def filled(
        self, style: str, left: str, letter: str, right: str, pagodas: _Pagodas | None
    ) -> list[Line]:
        width, height = self.cut.scale
        if height == 1:
            if pagodas is None:
                return [[(style, left + letter + right)]]
            roofs = self.glyphs.pagoda * pagodas.number
            return [[(style, (letter + roofs)[-2:]), _number(style, pagodas.owner)]]
        blank: Line = [(style, " " * width)]
        middle: Line = [(style, left + letter.center(width - 2) + right)]
        lines = [middle if number == (height - 1) // 2 else blank for number in range(height)]
        if pagodas is not None:
            roofs = (self.glyphs.pagoda * pagodas.number).rjust(width // 2)
            rest = " " * (width - len(roofs) - 1)
            lines[-1] = [(style, roofs), _number(style, pagodas.owner), (style, rest)]
        return lines


def _label(*, here: bool) -> str:
    return "class:label.here" if here else "class:label"


def _number(style: str, owner: Seat) -> tuple[str, str]:
    return f"{style} class:seat class:seat{owner + 1}", str(owner + 1)


def _printed(board: Board, space: Space) -> str:
    column, row = column_of(space), row_of(space)
    cell = board.rows[row][column]
    return GRASSLAND if cell in "RYB" else cell


def _pagodas(position: Position) -> dict[Space, _Pagodas]:
    """Where pagodas are drawn: one space for each province and each village that has some."""
    drawn = {
        _middle(province.spaces): _Pagodas(province.owner, province.pagodas)
        for _, province in position.provinces()
        if province.pagodas
    }
    for village, holder in zip(position.board.villages, position.holders, strict=True):
        if holder is not None:
            drawn[next(spaces_of(village))] = _Pagodas(holder, 1)
    return drawn


def _middle(spaces: Mask) -> Space:
    """The space of a province that is nearest to its middle."""
    each = list(spaces_of(spaces))
    column = sum(map(column_of, each)) / len(each)
    row = sum(map(row_of, each)) / len(each)
    return min(each, key=lambda at: (abs(column_of(at) - column) + abs(row_of(at) - row), at))
