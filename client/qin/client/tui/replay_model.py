"""A recorded game to step through: where one is, and whether it plays by itself.

Nothing here knows a terminal or a clock. The view pulls from it, keys change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qin.client.tui.board_view import Marks
from qin.engine import Connected, Conquered, Event, Game, Lost, Placed, Space
from qin.engine.words import printable, tell

SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Moves a second."""
FAR = 10
"""So many moves a large step has."""


class Step(NamedTuple):
    """The game after a move, and what happened in it. The first one is the start."""

    game: Game
    events: Sequence[Event]


class ReplayModel:
    """A record as its reader sees it. Hands and piles are open: the game is over."""

    def __init__(self, names: Sequence[str], board: str, steps: Sequence[Step]) -> None:
        self.names = tuple(map(printable, names))
        self.board = printable(board)
        self.steps = steps
        self.at = 0
        """Which step is shown; the number of moves that were made."""
        self.playing = False
        self.speed = SPEEDS.index(1.0)
        """Its place among the speeds."""
        self.message = ""
        """What there is to say, until the next key."""

    # ---- asking --------------------------------------------------------------------------------

    @property
    def last(self) -> int:
        return len(self.steps) - 1

    @property
    def game(self) -> Game:
        return self.steps[self.at].game

    @property
    def seconds(self) -> float:
        """How long a move is shown while the game plays by itself."""
        return 1 / SPEEDS[self.speed]

    def told(self, at: int | None = None) -> list[str]:
        """What happened in a move, a sentence for each event."""
        step = self.steps[self.at if at is None else at]
        return [tell(event, self.names) for event in step.events]

    def marks(self) -> Marks:
        """What was laid in this move, and the villages that changed hands."""
        laid = villages = 0
        cursor: Space | None = None
        for event in self.steps[self.at].events:
            match event:
                case Placed(_, placement):
                    laid |= 1 << placement.first | 1 << placement.second
                    cursor = placement.first  # a board that does not fit follows the moves
                case Connected(_, village) | Conquered(_, _, village) | Lost(_, village):
                    villages |= village
                case _:
                    pass
        return Marks(cursor=cursor, last=laid, lit=villages)

    # ---- what keys do --------------------------------------------------------------------------

    def go(self, at: int) -> None:
        """Show the game after so many moves, as far as there are that many."""
        self.message = ""
        self.at = min(max(at, 0), self.last)
        if self.at == self.last:
            self.playing = False

    def step(self, moves: int) -> None:
        """Some moves on, or back; who steps does not want it to play by itself."""
        self.playing = False
        self.go(self.at + moves)

    def jump(self, text: str) -> None:
        """To the move that was typed."""
        self.playing = False
        number = text.strip()
        if number.isascii() and number.isdecimal() and int(number[:9]) <= self.last:
            self.go(int(number))
        else:
            self.message = f"{number!r} is not a move here; they go from 0 to {self.last}"

    def toggle(self) -> None:
        """Play or pause; at the end, play again from the start."""
        self.message = ""
        if not self.playing and self.at == self.last:
            self.at = 0
        self.playing = not self.playing and self.last > 0

    def faster(self, by: int) -> None:
        self.message = ""
        self.speed = min(max(self.speed + by, 0), len(SPEEDS) - 1)
