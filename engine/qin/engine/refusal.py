"""Why the rules forbid something: a stable word, a sentence, and the spaces in the way."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from qin.engine.errors import QinError
from qin.engine.spaces import Space, format_spaces


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
