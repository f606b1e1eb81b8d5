"""The table screen as a value for tests: what is known, what is held, what is said about it.

Nothing here knows a terminal. Views pull from it, keys change it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from qin.client.happenings import (
    ConnectionBack,
    ConnectionLost,
    End,
    GameEnded,
    TableEvent,
    WatchEnded,
)
from qin.client.state import TableState
from qin.client.table import Update
from qin.client.table_words import tell_problem
from qin.client.tui.board_view import Ghost, Marks
from qin.client.tui.effects import Effect, best_first, effect_of, tell_effect
from qin.client.tui.held import Facing, Held, distance, spots_for
from qin.client.tui.journal import Journal, Kind
from qin.engine import Mask, Position, Refused, Space, Tile, View
from qin.engine.spaces import mask_of, space_at, spaces_of
from qin.engine.words import printable
from qin.v1 import types_pb2 as pb


class Phase(Enum):
    """Where a table is in its life."""

    LOADING = "loading"
    ROOM = "room"
    GAME = "game"
    RESULT = "result"


class Preview(NamedTuple):
    """What the held tile would do where it is."""

    legal: bool
    text: str
    refused: Mask = 0


class Message(NamedTuple):
    """Something to be told in the status line, until the next key."""

    text: str
    bad: bool = False
    spaces: Mask = 0
    """What it speaks of, to be shown on the board."""


class TableModel:
    """One table as one viewer sees it, with a tile in hand."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        """What the viewer is called, until the server says."""
        self.state: TableState | None = None
        self.journal = Journal()
        self.held: Held | None = None
        self.choice = 0
        """Which tile of the hand is chosen, from 0."""
        self.pile = 0
        """What is drawn from; 0 for the fullest."""
        self.message: Message | None = None
        self.lost = ""
        """Why the server is not heard; empty while it is."""
        self.ended: End | None = None
        """Why the watch is over for good."""
        self.record_id = ""
        """Of the game that ended last."""
        self.seat_cursor = 0
        """Which seat is chosen in the waiting room."""
        self.log_back = 0
        """How many lines the log is scrolled back."""
        self._touched = False
        self._ranked: list[Effect] = []
        self._rank = -1

    # ---- asking --------------------------------------------------------------------------------

    @property
    def phase(self) -> Phase:
        if self.state is None:
            return Phase.LOADING
        match self.state.table.state:
            case pb.TABLE_STATE_OPEN:
                return Phase.ROOM
            case pb.TABLE_STATE_FINISHED:
                return Phase.RESULT
            case _:
                return Phase.GAME

    @property
    def view(self) -> View | None:
        return self.state.view if self.state else None

    @property
    def position(self) -> Position | None:
        """What lies on the board; before the first game the printed board."""
        if self.state is None:
            return None
        if self.state.view is not None:
            return self.state.view.position
        return Position.start(self.state.board, len(self.state.table.seats))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(printable, self.state.names)) if self.state else ()

    @property
    def my_turn(self) -> bool:
        return self.phase is Phase.GAME and self.state is not None and self.state.my_turn

    @property
    def hand(self) -> tuple[Tile, ...]:
        return self.view.hand if self.view and self.view.outcome is None else ()

    @property
    def spectator(self) -> bool:
        return self.state is not None and self.state.seat is None

    def preview(self) -> Preview | None:
        """What the held tile would do; None if none is shown."""
        view, held = self.view, self.held
        if view is None or held is None or view.seat is None or not self._ghost_shown:
            return None
        try:
            legal = view.position.check(held.placement)
        except Refused as refused:
            why = tell_problem(refused)
            return Preview(legal=False, text=why, refused=mask_of(refused.spaces))
        effect = effect_of(view.position, view.seat, legal)
        return Preview(legal=True, text=tell_effect(effect, view.seat, self.names))

    def marks(self) -> Marks:
        """What is shown on the board beside what lies on it."""
        last = villages = 0
        for move in self.journal.last:
            last |= move.laid
            villages |= move.villages
        preview, held = self.preview(), self.held
        refused = self.message.spaces if self.message else 0
        if preview is None or held is None:
            return Marks(last=last, refused=refused, lit=villages)
        return Marks(
            ghost=Ghost(held.placement, preview.legal),
            cursor=held.at,
            legal=self._spots(held.facing) if self.my_turn else 0,
            last=last,
            refused=preview.refused | refused,
            lit=villages,
        )

    @property
    def _ghost_shown(self) -> bool:
        return bool(self.hand) and self.phase is Phase.GAME and (self.my_turn or self._touched)

    def _spots(self, facing: Facing) -> Mask:
        """Where the first half of the held tile may lie, facing so."""
        if self.view is None or self.held is None:
            return 0
        return spots_for(self.view.position, self.held.tile, facing)

    # ---- what a watch brings -------------------------------------------------------------------

    def take(self, update: Update) -> None:
        """Bring everything up to date."""
        names = self.state.names if self.state else update.state.names
        turn_before, phase_before = self.my_turn, self.phase
        first = self.state is None
        self.see(update.state)
        for event in update.events:
            match event:
                case ConnectionLost(why):
                    self.lost = printable(why)
                case ConnectionBack():
                    self.lost = ""
                case WatchEnded(why):
                    self.ended = why
                case GameEnded():
                    self.record_id = event.record_id
        if first and not self.journal.entries:
            for said in update.state.chat:
                self.journal.add(Kind.SAID, f"{printable(said.name)}: {printable(said.text)}")
        self.journal.take(update.events, names, update.state.seat)
        if not first and (self.phase is not phase_before or names != update.state.names):
            self.message = None  # it speaks of what was before
        if self.my_turn and not turn_before:
            self._begin_turn()

    def recall(self, past: Sequence[TableEvent], state: TableState) -> None:
        """Know what happened before one came, for the log and for what is marked on the board."""
        self.journal.take(past, state.names, state.seat)

    def see(self, state: TableState) -> None:
        """Know a state, which may be ahead of what the watch has told."""
        if self.state is not None and state.sequence < self.state.sequence:
            return
        before = self.view
        self.state = state
        view = state.view
        if view is None or view.position is not (before.position if before else None):
            self._ranked, self._rank = [], -1
        if not self.hand:
            self.held = None
            return
        self.choice = min(self.choice, len(self.hand) - 1)
        self._hold(self.hand[self.choice])

    def _hold(self, tile: Tile) -> None:
        assert self.state is not None
        if self.held is not None:
            self.held = self.held.with_tile(tile)
            return
        board = self.state.board
        starts = board.starts[0] | board.starts[1] | board.starts[2]
        middle = space_at(board.width // 2, board.height // 2)
        nearest = min(spaces_of(starts), key=lambda start: distance(start, middle))
        self.held = Held(tile, middle).put(board, nearest)

    def _begin_turn(self) -> None:
        """The tile is held where it may lie, as near as can be to where it was."""
        self._touched = False
        if self.held is None or (spots := self._spots(self.held.facing)) >> self.held.at & 1:
            return
        if not spots:
            self.step(1)
            return
        at = self.held.at
        nearest = min(spaces_of(spots), key=lambda spot: distance(spot, at))
        self.held = Held(self.held.tile, nearest, self.held.facing)

    # ---- what keys do --------------------------------------------------------------------------

    def choose(self, number: int) -> None:
        """Take another tile of the hand, from 0."""
        self.message = None
        if not 0 <= number < len(self.hand):
            return
        self.choice = number
        self._rank = -1
        self._touched = True
        self._hold(self.hand[number])

    def move(self, right: int, down: int) -> None:
        if self._can_hold():
            assert self.held is not None
            assert self.state is not None
            self.held = self.held.moved(self.state.board, right, down)

    def turn(self, quarters: int = 1) -> None:
        if self._can_hold():
            assert self.held is not None
            assert self.state is not None
            self.held = self.held.turned(self.state.board, quarters)

    def put(self, space: Space) -> None:
        """Hold the tile over a space."""
        if self._can_hold():
            assert self.held is not None
            assert self.state is not None
            self.held = self.held.put(self.state.board, space)

    def covers(self, space: Space) -> bool:
        """Whether the held tile is shown over a space."""
        held = self.held
        return held is not None and self._ghost_shown and space in (held.at, held.other)

    def step(self, ways: int) -> None:
        """To the next spot, or the one before: by rank after a hint, else in reading order."""
        if not self._can_hold():
            return
        if self._rank >= 0:
            self._show_rank((self._rank + ways) % len(self._ranked))
            return
        assert self.held is not None
        for quarters in range(len(Facing)):
            facing = Facing((self.held.facing + quarters) % len(Facing))
            spots = list(spaces_of(self._spots(facing)))
            if not spots:
                continue
            later = [spot for spot in spots if spot > self.held.at]
            sooner = [spot for spot in spots if spot < self.held.at]
            following = (later or spots)[0] if ways > 0 else (sooner or spots)[-1]
            self.held = Held(self.held.tile, following, facing)
            return
        self.message = Message(f"{self.held.tile} may lie nowhere; choose another tile", bad=True)

    def hint(self) -> None:
        """Show the best placement of the hand; the next ones follow with `step`."""
        view = self.view
        if not self.my_turn or view is None or view.seat is None:
            self.message = Message("a hint is for your own turn")
            return
        if not self._ranked:
            self._ranked = best_first(view.position, view.seat, view.legal)
        self._show_rank(0)

    def _show_rank(self, rank: int) -> None:
        assert self.view is not None
        assert self.view.seat is not None
        effect = self._ranked[rank]
        self._rank = rank
        self._touched = True
        self.held = Held.of(effect.placement)
        self.choice = self.hand.index(effect.placement.tile)
        mine = effect.gains[self.view.seat]
        given = mine - effect.score(self.view.seat)
        place = f"hint {rank + 1} of {len(self._ranked)}"
        others = f"{given} given" if given >= 0 else f"{-given} taken from others"
        self.message = Message(f"{place}: {mine} gained, {others}")

    def _can_hold(self) -> bool:
        self.message = None
        if self.held is None or self.phase is not Phase.GAME:
            return False
        self._touched = True
        return True

    def refuse(self, refused: Refused) -> None:
        """Tell why something may not be, and show where."""
        self.message = Message(tell_problem(refused), bad=True, spaces=mask_of(refused.spaces))

    def placed(self) -> None:
        """The held tile lies on the board now."""
        self._touched = False
        self.message = None
