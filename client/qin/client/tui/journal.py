"""What has happened at a table, kept as lines for people: the log, and the last moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from qin.client.happenings import GameStarted, Said, TableEvent
from qin.client.table_words import tell_table
from qin.engine import (
    Connected,
    Conquered,
    Drawn,
    Expanded,
    Founded,
    Joined,
    Lost,
    Major,
    Mask,
    Passed,
    Placed,
    Seat,
    Withdrew,
)
from qin.engine import Event as GameEvent
from qin.engine.words import Names, printable, tell_all

LONGEST = 500
"""So many lines are kept."""

_SETTLED = (Founded, Expanded, Major, Joined, Connected, Conquered, Lost)
_OF_A_MOVE = (*_SETTLED, Placed, Drawn, Passed, Withdrew)


class Kind(Enum):
    """What a line is about; the value is its role in the theme."""

    MOVE = "move"
    MINE = "mine"
    SAID = "said"
    NOTE = "faint"


class Entry(NamedTuple):
    """A line of the log."""

    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class LastMove:
    """A move that was made since one's own."""

    seat: Seat
    text: str
    laid: Mask
    villages: Mask
    """Villages that changed hands."""


@dataclass(slots=True)
class Journal:
    """Grows with each update of a watch."""

    entries: deque[Entry] = field(default_factory=lambda: deque(maxlen=LONGEST))
    last: tuple[LastMove, ...] = ()
    """What was laid since one's own last move; for a spectator the last move alone."""
    version: int = 0
    """Grows with every line, so that a view knows when to wrap again."""

    def add(self, kind: Kind, text: str) -> None:
        self.entries.append(Entry(kind, text))
        self.version += 1

    def take(self, events: Iterable[TableEvent], names: Names, mine: Seat | None) -> None:
        """Note what happened. A move with all that it caused is one line."""
        names = [printable(name) for name in names]
        for group in _grouped(events):
            first = group[0]
            if isinstance(first, Placed):
                self._take_move(first, group, names, mine)
                continue
            if isinstance(first, GameStarted):
                self.last = ()
            kind = Kind.SAID if isinstance(first, Said) else Kind.NOTE
            self.add(kind, tell_table(first, names))

    def _take_move(
        self, placed: Placed, group: Sequence[TableEvent], names: Names, mine: Seat | None
    ) -> None:
        own = placed.seat == mine
        told: list[GameEvent] = [
            event
            for event in group
            if isinstance(event, _OF_A_MOVE) and (own or not isinstance(event, Drawn))
        ]
        text = tell_all(told, names)
        self.add(Kind.MINE if own else Kind.MOVE, text)
        laid = 1 << placed.placement.first | 1 << placed.placement.second
        villages = 0
        for event in group:
            if isinstance(event, Connected | Conquered | Lost):
                villages |= event.village
        if own:
            self.last = ()
        else:
            move = LastMove(placed.seat, text, laid, villages)
            before = self.last if mine is not None else ()
            # Who moves twice in a row has been let by somebody who passed or is out.
            self.last = (*(each for each in before if each.seat != placed.seat), move)


def _grouped(events: Iterable[TableEvent]) -> list[list[TableEvent]]:
    """A placement with what it caused and the draw; everything else alone."""
    groups: list[list[TableEvent]] = []
    for event in events:
        follows = groups and isinstance(groups[-1][0], Placed)
        if follows and isinstance(event, (*_SETTLED, Drawn)):
            groups[-1].append(event)
        else:
            groups.append([event])
    return groups
