"""A table as an actor: one command at a time, written to the store before it is acknowledged.

Nothing but this module changes what a table is. A command works on a `Draft`; once the store has
its rows the table takes the draft over, tells the watchers, and the caller gets the answer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

from google.protobuf.message import Message
from qin.engine import Game, Seat
from qin.server import wire
from qin.server.audience import Audience, is_person
from qin.server.callers import Caller
from qin.server.clock import Clock
from qin.server.draft import Draft, Step
from qin.server.frames import field, serialize
from qin.server.history import History
from qin.server.model import State, TableData
from qin.server.problems import Problem, refuse
from qin.server.requests import Answered, Key, Repeatable, digest_of, key_of, repeated
from qin.server.rows import insert_command, update_table
from qin.server.store import Statement, Store, StoreError
from qin.server.streams import Chunk
from qin.server.watching import Batch, Watcher
from qin.v1 import types_pb2 as pb
from qin.v1 import watch_pb2 as watch

EVENTS_PER_MESSAGE = 200
"""When somebody catches up."""

Command = Callable[[Draft], Message | bytes]
"""Changes the draft, or raises `Problem`; gives the answer."""


class Table:
    """One table. Use it on the event loop alone."""

    def __init__(self, data: TableData, store: Store, changed: Callable[[Table], None]) -> None:
        self.data = data
        self.start: Game | None = None
        self.game: Game | None = None
        self.clock: Clock | None = None
        self.number = 0
        """Commands so far."""
        self.active = time.time()
        """When something happened here last."""
        self.turn_since = time.monotonic()
        self.history = History()
        self.audience = Audience()
        self.awaited: dict[Seat, str] = {}
        """Seats that wait for a bot, and for which."""
        self.removed = False
        self.acted: dict[bytes, float] = {}
        """When each token did something last, by the monotonic clock."""
        self._steps: list[Step] = []
        self._options: dict[bool, bytes] = {}
        """Of the seat to move, without and with effects, once somebody has asked for them."""
        self._answered: dict[Key, Answered] = {}
        self._store = store
        self._changed = changed
        self._told: tuple[TableData, tuple[Seat, ...]] = (data, ())
        """What the watchers know of seats and state."""
        self._lock = asyncio.Lock()

    # ---- acting --------------------------------------------------------------------------------

    async def act(self, caller: Caller, request: Repeatable, command: Command) -> bytes:
        """Do what a caller asks for, once, however often it is asked; gives the answer."""
        token = caller.needs_token()
        key, digest = key_of(token, request), digest_of(request)
        async with self._lock:
            self._must_be_there()
            known = repeated(self._answered.get(key), digest, key)
            if known is not None:
                return known
            draft = self._draft()
            response = serialize(command(draft))
            await self._commit(draft, key, Answered(digest, response))
            return response

    async def happen(self, command: Callable[[Draft], None]) -> None:
        """Do what nobody asked for, such as the end of somebody's time."""
        async with self._lock:
            self._must_be_there()
            draft = self._draft()
            command(draft)
            if draft.events:
                await self._commit(draft)

    async def remove(self, unless_active_since: float, statements: list[Statement]) -> bool:
        """The table goes, unless somebody is here after all."""
        async with self._lock:
            if self.active > unless_active_since or self.audience.people(self.data):
                return False
            await self._store.write(statements)
            self.removed = True
            self.audience.close(watch.Closing.REASON_TABLE_REMOVED, self.data)
            return True

    def _must_be_there(self) -> None:
        if self.removed:
            refuse("NO_SUCH_TABLE", f"the table {self.data.table_id} is gone")

    def _draft(self) -> Draft:
        return Draft(
            self.data, self.start, self.game, self._steps, self.clock, self.history.sequence
        )

    async def _commit(
        self,
        draft: Draft,
        key: Key | None = None,
        answered: Answered | None = None,
    ) -> None:
        batch = draft.batch()
        everything = batch.everything()
        moved = draft.game is not self.game
        if draft.turn_passed and draft.start is self.start and draft.clock and self.game:
            draft.clock = draft.clock.after_move(self.game.turn, self.elapsed())
        statements = [
            insert_command(self.number, draft, everything, key, answered),
            *draft.statements,
        ]
        if draft.data is not self.data:
            statements.insert(0, update_table(draft.data))
        gone = await self._write(statements)
        before = self.data
        self._take_over(draft)
        self.history.add(everything, draft.events)
        if key and answered:
            self._answered[key] = answered
            self.acted[key[0]] = time.monotonic()
        for effect in draft.afterwards:
            effect()
        if self.data is not before:
            self.audience.take_seats(self.data)
        self._tell(batch, moved=moved)
        if self.data is not before:
            self.audience.tell_seating(before, self.data)
        self.tell_table()
        if self.data is not before or self.data.timed or self.awaited:
            self._changed(self)
        if gone:
            raise gone

    async def _write(self, statements: list[Statement]) -> asyncio.CancelledError | None:
        """Wait for the store; tells if the caller went away meanwhile, when it is too late."""
        try:
            await self._store.write(statements)
        except StoreError as error:
            raise Problem.of_store(error) from None
        except asyncio.CancelledError as gone:
            return gone
        return None

    def _take_over(self, draft: Draft) -> None:
        if draft.turn_passed or draft.clock_restarts:
            self.turn_since = time.monotonic()
        self.data = draft.data
        if draft.game is not self.game:
            self._options = {}
        self.start, self.game, self.clock = draft.start, draft.game, draft.clock
        self._steps = draft.steps
        self._steps += draft.new_steps
        self.awaited = self._awaited_with(draft)
        self.number += 1
        self.active = draft.time

    # ---- asking --------------------------------------------------------------------------------

    def elapsed(self) -> int:
        """Milliseconds since the turn began."""
        return int((time.monotonic() - self.turn_since) * 1000)

    @property
    def running(self) -> Seat | None:
        """The seat to move, while a game is on."""
        if self.game is None or self.game.outcome or self.data.state is not State.PLAYING:
            return None
        return self.game.turn

    @property
    def game_number(self) -> int:
        return self.data.game_number(self.game)

    def connected(self, seat: Seat) -> bool:
        return self.audience.has(self.data.chairs[seat].token)

    def present(self) -> Iterator[Seat]:
        return (Seat(seat) for seat in range(self.data.players) if self.connected(Seat(seat)))

    def message(self, draft: Draft | None = None) -> pb.Table:
        """The table as everybody may see it; or as it will be with a draft."""
        spectators = self.audience.spectators()
        data, game = (draft.data, draft.game) if draft else (self.data, self.game)
        awaited = self._awaited_with(draft) if draft else self.awaited
        number = data.game_number(game)
        return wire.table(data, number, self.present(), awaited, spectators)

    def _awaited_with(self, draft: Draft) -> dict[Seat, str]:
        if not draft.expected:
            return self.awaited
        awaited = self.awaited | draft.expected
        return {seat: bot for seat, bot in awaited.items() if bot}

    def expect(self, seat: Seat, bot: str) -> None:
        """The seat waits for a bot; for none any more if no name is given."""
        if bot:
            self.awaited[seat] = bot
        else:
            self.awaited.pop(seat, None)
        self.tell_table()
        self._changed(self)

    # ---- watching ------------------------------------------------------------------------------

    def check_sequence(self, after: int) -> None:
        last = self.history.sequence
        if after > last:
            refuse(
                "SEQUENCE_UNKNOWN",
                f"event {after} has not happened yet; the last one is {last}",
                last=last,
            )

    def opening(self, watcher: Watcher, after: int) -> Iterator[Chunk]:
        """What a new watcher is sent first: a snapshot, or what it missed."""
        response = watch.WatchResponse(table_id=self.data.table_id)
        if after:
            for event in self.history.after(after, watcher.seat):
                response.events.append(event)
                if len(response.events) == EVENTS_PER_MESSAGE:
                    yield Chunk(response.SerializeToString(), joinable=False)
                    response.ClearField("events")
            response.table.CopyFrom(self.message())
            response.presences.extend(
                watch.Presence(seat=seat + 1, connected=self.connected(Seat(seat)))
                for seat in range(self.data.players)
            )
        else:
            response.snapshot.CopyFrom(self._snapshot(watcher.seat))
        yield Chunk(
            response.SerializeToString() + self._clocks() + self._options_for(watcher),
            joinable=False,
        )

    def _snapshot(self, seat: Seat | None) -> watch.Snapshot:
        game = None
        if self.game is not None and self.start is not None:
            game = wire.game_view(self.game, seat, self.game_number, self.start.turn)
        return watch.Snapshot(
            sequence=self.history.sequence,
            table=self.message(),
            game=game,
            seat=0 if seat is None else seat + 1,
            chat=self.history.chat,
        )

    def _clocks(self) -> bytes:
        """The clocks as a field of a WatchResponse; nothing where none runs."""
        running = self.running
        if self.clock is None or running is None:
            return b""
        clocks = self.clock.message(running, self.elapsed())
        return field(watch.WatchResponse.CLOCKS_FIELD_NUMBER, clocks.SerializeToString())

    def _options_for(self, watcher: Watcher) -> bytes:
        """The same for a watcher's options; nothing for who did not ask, or is not to move."""
        running = self.running
        if not watcher.options or running is None or watcher.seat != running:
            return b""
        return field(watch.WatchResponse.OPTIONS_FIELD_NUMBER, self.options(watcher.effects))

    def options(self, effects: bool) -> bytes:  # noqa: FBT001 - there is nothing else to ask for
        """What the seat to move may place, as `Options`: made once a move, for whoever asks."""
        known = self._options.get(effects)
        if known is None:
            assert self.game is not None
            listed = wire.options(self.game, self.game.turn, effects=effects)
            message = watch.Options(ply=self.game.ply, options=listed)
            known = self._options[effects] = message.SerializeToString()
        return known

    def _tell(self, batch: Batch, *, moved: bool) -> None:
        """Send events to all, and what rides along with a move."""
        if not len(self.audience):
            return
        table = field(watch.WatchResponse.TABLE_ID_FIELD_NUMBER, self.data.table_id.encode())
        clocks = self._clocks() if moved else b""
        public = batch.chunk_for(None)
        for watcher in self.audience:
            if batch:
                watcher.put(public if watcher.seat is None else batch.chunk_for(watcher.seat))
            if moved and (rides := clocks + self._options_for(watcher)):
                watcher.put(Chunk(table + rides, joinable=False))

    def tell_table(self) -> None:
        """Tell the watchers of seats and state, where these have changed."""
        told = (self.data, tuple(self.awaited))
        if told[0] is self._told[0] and told[1] == self._told[1]:
            return
        self._told = told
        if len(self.audience):
            response = watch.WatchResponse(table_id=self.data.table_id, table=self.message())
            chunk = Chunk(response.SerializeToString(), joinable=False)
            for watcher in self.audience:
                watcher.put(chunk)

    def enter(self, watcher: Watcher) -> None:
        """A watcher is told everything from now on. What this brings about comes after it."""
        self.audience.enter(watcher, self.data)

    def leave(self, watcher: Watcher) -> None:
        self.audience.leave(watcher, self.data)
        if is_person(watcher, self.data):
            self.active = time.time()
        self._changed(self)

    # ---- waking up -----------------------------------------------------------------------------

    def remember(self, when: float, everything: bytes) -> None:
        """Take in the events of one command of the past."""
        self.number += 1
        self.active = when
        self.history.add(everything, watch.WatchResponse.FromString(everything).events)

    def remember_answer(self, key: Key, answered: Answered) -> None:
        self._answered[key] = answered

    def resume(self, start: Game, game: Game, steps: list[Step], clock: Clock | None) -> None:
        """The game is where it was."""
        self.start, self.game, self._steps, self.clock = start, game, steps, clock
