"""Boards: what is printed before the first tile is laid."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import resources

from qin.engine.errors import BoardError
from qin.engine.spaces import (
    SIDE,
    STRIDE,
    Mask,
    Space,
    format_space,
    format_spaces,
    groups_of,
    mask_of,
    neighbours,
    space_at,
    spaces_of,
)
from qin.engine.tiles import Colour

GRASSLAND, VILLAGE, WATER, GAP = ".", "V", "~", "#"
_LEGEND = "use . grassland, V village, ~ water, # no space, and R Y B start spaces"
_FILES = resources.files(__package__) / "boards"


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """A printed board. Two boards are equal when they print the same, whatever their names."""

    name: str
    rows: tuple[str, ...]
    """One character a space, without blanks."""
    grass: Mask = field(init=False, repr=False)
    """Grassland as printed, where tiles may lie."""
    starts: tuple[Mask, ...] = field(init=False, repr=False)
    """The printed start spaces of each colour."""
    villages: tuple[Mask, ...] = field(init=False, repr=False)
    """Each village as a group of edge-connected squares (R3), in reading order."""
    village_spaces: Mask = field(init=False, repr=False)
    """All squares of all villages."""
    village_number: dict[Space, int] = field(init=False, repr=False)
    """Which village a square belongs to."""

    def __post_init__(self) -> None:
        def spaces_with(cell: str) -> Mask:
            return mask_of(
                space_at(column, row)
                for row, cells in enumerate(self.rows)
                for column, printed in enumerate(cells)
                if printed == cell
            )

        village_spaces = spaces_with(VILLAGE)
        villages = tuple(groups_of(village_spaces))
        derived = {
            "grass": spaces_with(GRASSLAND),
            "starts": tuple(spaces_with(colour.letter) for colour in Colour),
            "villages": villages,
            "village_spaces": village_spaces,
            "village_number": {
                space: number for number, group in enumerate(villages) for space in spaces_of(group)
            },
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self.rows == other.rows

    def __hash__(self) -> int:
        return hash(self.rows)

    def __repr__(self) -> str:
        return f"Board({self.name!r}, {self.rows!r})"

    def __str__(self) -> str:
        return "\n".join(" ".join(row) for row in self.rows)

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def map(self) -> str:
        """The board as one line, rows parted by `/`."""
        return "/".join(self.rows)

    @classmethod
    def parse(cls, text: str, *, name: str = "custom") -> Board:
        """Read a board from the lines of a file, or from one line with rows parted by `/`."""
        lines = ["".join(line.split()) for line in split_rows(text)]
        _check_shape(lines)
        board = cls(name, tuple(lines))
        _check_sense(board)
        return board

    @classmethod
    def named(cls, name: str) -> Board:
        """One of the boards that come with the game."""
        if name not in board_names():
            raise BoardError(f"there is no board {name!r}; there are {', '.join(board_names())}")
        return cls.parse((_FILES / f"{name}.txt").read_text("ascii"), name=name)


def split_lines(text: str) -> list[str]:
    """The lines of a file as an editor counts them, whatever it ends them with."""
    return text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")


def split_rows(text: str) -> list[str]:
    """The lines of a text, or its parts between `/` if it is one line; empty last ones are gone."""
    lines = split_lines(text)
    rows = lines if any(line.strip() for line in lines[1:]) else lines[0].split("/")
    while rows and not rows[-1].strip():
        rows.pop()
    return rows


def board_names() -> tuple[str, ...]:
    """The boards that come with the game; the first is the one for a first game."""
    return tuple(sorted(file.name[:-4] for file in _FILES.iterdir() if file.name.endswith(".txt")))


def _check_shape(lines: list[str]) -> None:
    if not lines:
        raise BoardError(f"line 1: the board is empty; {_LEGEND}")
    if len(lines) > SIDE:
        raise BoardError(f"line {SIDE + 1}: a board has at most {SIDE} rows, here are {len(lines)}")
    for number, line in enumerate(lines, start=1):
        if not line:
            raise BoardError(f"line {number}: an empty line before the last row of the board")
        for column, cell in enumerate(line, start=1):
            if cell not in ".V~#RYB":
                raise BoardError(f"line {number}: {cell!r} at column {column}; {_LEGEND}")
        if len(line) > SIDE:
            raise BoardError(
                f"line {number}: a board has at most {SIDE} columns, here are {len(line)}"
            )
        if len(line) != len(lines[0]):
            raise BoardError(
                f"line {number}: the row has {len(line)} spaces, the first row has {len(lines[0])}"
            )


def _check_sense(board: Board) -> None:
    for colour in Colour:
        for group in groups_of(board.starts[colour]):
            if group.bit_count() > 1:
                spaces = list(spaces_of(group))
                raise BoardError(
                    f"line {spaces[0] // STRIDE + 1}: the {colour.word} start spaces"
                    f" {format_spaces(spaces)} touch; start spaces of a colour stand alone"
                )
    starts = board.starts[0] | board.starts[1] | board.starts[2]
    if not starts:
        raise BoardError(
            f"line {board.height}: the board ends without a start space; put an R, Y or B on it"
        )
    roomy = board.grass & neighbours(board.grass)
    if not neighbours(starts) & roomy:
        first = next(spaces_of(starts))
        raise BoardError(
            f"line {first // STRIDE + 1}: no room to place a tile; two adjacent grassland spaces"
            f" must lie beside a start space, such as {format_space(first)}"
        )
