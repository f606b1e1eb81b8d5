"""A command on its way: what a table will be once the store has it.

A draft starts as the table is. A command works on the draft alone, so whatever goes wrong on the
way, a refusal or a full disk, leaves the table as it was.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

from qin.engine import Event as EngineEvent
from qin.engine import Game, Record, Recorder, Seat, Series
from qin.engine.record import Move
from qin.engine.recorder import move_of
from qin.engine.shuffle import SALT_BYTES, Stream, shuffled_deal
from qin.server import wire
from qin.server.clock import Clock
from qin.server.model import State, TableData
from qin.server.problems import refuse
from qin.server.store import Statement
from qin.server.watching import Batch
from qin.v1 import records_pb2 as records
from qin.v1 import types_pb2 as pb

Step = tuple[Seat, Move]
"""Whose turn it was, and what a record says of it."""


class Draft:
    """Made from a table, changed by a command, taken over by the table."""

    def __init__(
        self,
        data: TableData,
        start: Game | None,
        game: Game | None,
        steps: list[Step],
        clock: Clock | None,
        sequence: int,
    ) -> None:
        self.data = data
        self.start = start
        """The game that is on, or was played last, as it was dealt."""
        self.game = game
        self.steps = steps
        """Of the game: one list for all drafts of a game, of which each knows its length."""
        self.new_steps: list[Step] = []
        self.clock = clock
        self.turn_passed = False
        """Whether the turn went on to somebody, or the first turn of a game began."""
        self.expected: dict[Seat, str] = {}
        """Seats that wait for a bot from now on, and for which; nothing if not any more."""
        self.afterwards: list[Callable[[], None]] = []
        """What is to be done with bots, once the store has the command."""
        self.clock_restarts = False
        """Whether the turn goes on with a clock that was set anew."""
        self.time = time.time()
        self._timestamp = wire.timestamp(self.time)
        self._batch: Batch | None = None
        self.events: list[pb.Event] = []
        self.statements: list[Statement] = []
        """Further rows, such as a record."""
        self._sequence = sequence

    # ---- telling -------------------------------------------------------------------------------

    def tell(self, event: pb.Event) -> pb.Event:
        """Number an event and note when it happened."""
        event.sequence = self._sequence + len(self.events) + 1
        event.time.CopyFrom(self._timestamp)
        self.events.append(event)
        return event

    def batch(self) -> Batch:
        """All events, once the command is complete."""
        if self._batch is None:
            self._batch = Batch(self.data.table_id, self.events)
        return self._batch

    # ---- playing -------------------------------------------------------------------------------

    def running_game(self) -> Game:
        """The game that is on."""
        if self.game is None:
            refuse("NO_GAME", "no game has started at this table yet")
        return self.game

    def start_series(self, nonces: Iterable[bytes], first: Seat) -> None:
        """Begin a series with its first game."""
        chairs = tuple(
            replace(chair, nonce=nonce, wish=b"")
            for chair, nonce in zip(self.data.chairs, nonces, strict=True)
        )
        self.data = replace(
            self.data,
            chairs=chairs,
            series=Series(self.data.players, first),
            state=State.PLAYING,
        )
        self.start_game()

    def start_game(self) -> None:
        """Deal the next game of the series."""
        data = self.data
        number = len(data.series.games) + 1
        if data.deals:
            given = data.deals[number - 1]
            deal, first = given.deal, given.first
        else:
            nonces = [chair.nonce for chair in data.chairs]
            deal = shuffled_deal(Stream(data.salt, number, nonces), data.players)
            first = data.series.next_first
        self.start = self.game = Game.start(data.board, deal, first)
        self.steps, self.new_steps = [], []
        self.clock = Clock.start(data.settings.clock, data.players)
        self.turn_passed = True
        started = pb.GameStarted(
            game=number,
            first=first + 1,
            reserves=self.game.position.reserves,
            pile_sizes=[len(pile) for pile in deal.piles],
            # The hands of all seats, one after the other; `redacted` leaves each viewer his own.
            hand=[tile.name for hand in deal.hands for tile in hand],
        )
        self.tell(pb.Event(game_started=started))

    def advance(self, game: Game, events: list[EngineEvent]) -> None:
        """Take a step of the game, and those passes that must follow."""
        before = self.running_game()
        self._note(before.turn, game, events)
        while game.must_pass:
            turn = game.turn
            game, events = game.pass_turn()
            self._note(turn, game, events)
        if game.outcome:
            self._finish_game(game)

    def _note(self, turn: Seat, game: Game, events: list[EngineEvent]) -> None:
        self.game = game
        move = move_of(turn, events)
        self.new_steps.append((turn, move))
        if "=" not in move:  # else somebody resigned out of turn
            self.turn_passed = True
        for event in events:
            self.tell(wire.event(event, game))

    # ---- endings -------------------------------------------------------------------------------

    def _finish_game(self, game: Game) -> None:
        data = self.data
        number = len(data.series.games) + 1
        # Not to be guessed: whoever may watch is told it.
        record_id = secrets.token_hex(8)
        ended = self.events[-1].game_ended
        ended.game = number
        ended.record_id = record_id
        series = data.series.after(game.position.reserves, game.out)
        self.data = replace(data, series=series, recorded=data.recorded + 1)
        self._keep_record(game, number, record_id)
        if number == data.games:
            self._finish_series()
        elif not data.settings.pause_seconds:
            self.start_game()

    def _keep_record(self, game: Game, number: int, record_id: str) -> None:
        data = self.data
        assert self.start is not None
        tags = {
            "Date": time.strftime("%Y-%m-%d", time.gmtime(self.time)),
            "Table": data.table_id,
            "Game": str(number),
        }
        if data.commitment:
            tags["Commitment"] = data.commitment
        recorder = Recorder(self.start, [chair.name for chair in data.chairs], tags)
        for turn, move in (*self.steps, *self.new_steps):
            recorder.note_move(turn, move)
        record: Record = recorder.record(game)
        info = records.RecordInfo(
            record_id=record_id,
            table_id=data.table_id,
            game=number,
            board_name=data.board.name,
            seats=record.seats,
            outcome=wire.outcome(record.outcome),
            finished=wire.timestamp(self.time),
        )
        self.statements.append(
            (
                "INSERT INTO records (id, table_id, public, info, text) VALUES (?, ?, ?, ?, ?)",
                (record_id, data.table_id, data.public, info.SerializeToString(), str(record)),
            )
        )

    def _finish_series(self) -> None:
        """Reveal the salt, and commit to the one of a rematch before any new nonce is known."""
        data = self.data
        nonces = [chair.nonce.hex() for chair in data.chairs]
        shuffled = not data.deals
        ended = pb.SeriesEnded(
            totals=data.series.totals,
            winners=[winner + 1 for winner in data.series.winners],
            salt=data.salt.hex() if shuffled else "",
            nonces=nonces if shuffled else [],
        )
        self.tell(pb.Event(series_ended=ended))
        if shuffled:
            tag = f'[Commitment "{data.commitment}"]\n'
            revealed = f'[Salt "{data.salt.hex()}"]\n[Nonces "{"/".join(nonces)}"]\n'
            self.statements.append(
                (
                    "UPDATE records SET text = replace(text, ?, ?) WHERE table_id = ?",
                    (tag, tag + revealed, data.table_id),
                )
            )
        self.data = replace(data, state=State.FINISHED, salt=secrets.token_bytes(SALT_BYTES))
