"""Writing a record while a game is played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qin.engine.deal import Deal
from qin.engine.events import Drawn, Event, Passed, Placed, Withdrew
from qin.engine.game import Game
from qin.engine.names import distinct_names
from qin.engine.record import Move, Record
from qin.engine.tiles import Seat


class Recorder:
    """Takes down a game: give it the events of each step."""

    def __init__(
        self, game: Game, seats: Iterable[str], tags: Mapping[str, str] | None = None
    ) -> None:
        self._start = game
        self._seats = distinct_names(seats)
        self._tags = dict(tags or {})
        self._rounds: list[list[Move]] = []
        self._last_place = game.players
        self._pending: list[Move] = []

    def note(self, turn: Seat, events: Iterable[Event]) -> None:
        """Take down one step; `turn` is the seat that was to move before it."""
        self.note_move(turn, move_of(turn, events))

    def note_move(self, turn: Seat, move: Move) -> None:
        """The same for a step of which no more is known than what a record says of it."""
        if "=" in move:
            self._pending.append(move)
            return
        place = (turn - self._start.turn) % self._start.players
        if place <= self._last_place:
            self._rounds.append([])
        self._last_place = place
        self._rounds[-1] += [*self._pending, move]
        self._pending.clear()

    def record(self, game: Game) -> Record:
        """The record of the game that has ended."""
        if game.outcome is None:
            raise ValueError("a game is recorded when it is over")
        rounds = [list(moves) for moves in self._rounds]
        if self._pending:
            rounds = rounds or [[]]
            rounds[-1] += self._pending
        return Record(
            board=self._start.position.board,
            seats=self._seats,
            first=self._start.turn,
            deal=Deal(self._start.hands, self._start.piles),
            rounds=tuple(map(tuple, rounds)),
            outcome=game.outcome,
            reserves=game.position.reserves,
            tags=self._tags,
        )


def move_of(turn: Seat, events: Iterable[Event]) -> Move:
    """The token of a record for one step; `turn` is the seat that was to move before it."""
    text = ""
    for event in events:
        if isinstance(event, Placed):
            text = str(event.placement)
        elif isinstance(event, Drawn):
            text += f":{event.pile + 1}"
        elif isinstance(event, Passed):
            text = "pass"
        elif isinstance(event, Withdrew):
            word = "forfeit" if event.forfeit else "resign"
            text = word if event.seat == turn else f"{event.seat + 1}={word}"
    return Move(text)
