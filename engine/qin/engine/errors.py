"""What can go wrong with the rules of Qin, as a small tree of errors.

QinError
├── ParseError      a text that is not a space, a placement, a tile …
│   ├── BoardError  a text that is not a board
│   └── RecordError a text that is not a record, or a record that does not replay
└── Refused         a well-formed request that the rules forbid, with the reason
"""

from __future__ import annotations


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
