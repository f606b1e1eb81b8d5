"""What can go wrong with the rules of Qin, as a small tree of errors.

QinError
├── ParseError      a text that is not a space, a placement, a tile …
│   ├── BoardError  a text that is not a board
│   └── RecordError a text that is not a record, or a record that does not replay
└── Refused         a well-formed request that the rules forbid, with the reason
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from qin.engine.spaces import Space, format_spaces


class QinError(Exception):
    """The root of everything that this package raises on purpose."""


class ParseError(QinError, ValueError):
    """A text that cannot be read; the message says where and why."""


class BoardError(ParseError):
    """A text that is not a board."""


class RecordError(ParseError):
    """A text that is not a record, or a record that does not replay to the end it states."""

    line: int
    """The line of the record, counted from 1; 0 when no one line is at fault."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {problem}" if line else problem)


class Reason(Enum):
    """Why a placement is refused, in the order in which the reasons are looked for."""

    GAME_OVER = "game-over"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_IN_HAND = "not-in-hand"
    NOT_ADJACENT = "not-adjacent"
    NOT_GRASSLAND = "not-grassland"
    NO_CONTACT = "no-contact"
    JOINS_MAJORS = "joins-majors"
    TIED_JOIN = "tied-join"
    EMPTY_PILE = "empty-pile"
    MUST_PLACE = "must-place"
    """A pass by a seat that can place a tile."""
    OUT_OF_GAME = "out-of-game"
    """A resignation by a seat that is out already."""


class Refused(QinError):
    """A request that the rules forbid. Nothing has changed."""

    reason: Reason
    spaces: tuple[Space, ...]
    """The spaces that are in the way, in reading order."""

    def __init__(self, reason: Reason, text: str, spaces: Iterable[Space] = ()) -> None:
        self.reason = reason
        self.spaces = tuple(spaces)
        where = f" ({format_spaces(self.spaces)})" if self.spaces else ""
        super().__init__(f"{reason.value}: {text}{where}")
