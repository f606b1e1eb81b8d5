"""A table as an actor: one command at a time, written to the store before it is acknowledged.

Nothing but this module changes what a table is. A command works on a `Draft`; once the store has
its rows the table takes the draft over, tells the watchers, and the caller gets the answer.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple, Protocol

from google.protobuf.message import Message
from qin.engine import Game, Seat
from qin.server import wire
from qin.server.callers import Caller
from qin.server.clock import Clock
from qin.server.draft import Draft, Step
from qin.server.model import State, TableData
from qin.server.problems import Problem, refuse
from qin.server.store import Statement, Store, StoreError
from qin.server.streams import Chunk
from qin.server.watching import Batch, Watcher, redacted
from qin.v1 import types_pb2 as pb
from qin.v1 import watch_pb2 as watch

CHAT_KEPT = 30


class Repeatable(Protocol):
    """An acting request: whoever repeats it gets the same answer."""

    @property
    def request_id(self) -> str: ...
    def SerializeToString(self, *, deterministic: bool = ...) -> bytes: ...  # noqa: N802


class Answered(NamedTuple):
    digest: bytes
    response: bytes


class Past(NamedTuple):
    """The events of one command that is over."""

    last_sequence: int
    events: bytes
    """A serialized WatchResponse with all that is hidden."""


Command = Callable[[Draft], Message]
"""Changes the draft, or raises `Problem`; gives the answer."""


class Table:
    """One table. Use it on the event loop alone."""

    def __init__(self, data: TableData, store: Store, changed: Callable[[Table], None]) -> None:
        self.data = data
        self.start: Game | None = None
        self.game: Game | None = None
        self.clock: Clock | None = None
        self.sequence = 0
        self.number = 0
        """Commands so far."""
        self.active = time.time()
        """When something happened here last."""
        self.turn_since = time.monotonic()
        self.watchers: dict[Watcher, None] = {}
        """In the order in which they came."""
        self._present: Counter[bytes] = Counter()
        """How many watches each token has open."""
        self.awaited: dict[Seat, str] = {}
        """Seats that wait for a bot, and for which."""
        self.removed = False
        self.acted: dict[bytes, float] = {}
        """When each token did something last, by the monotonic clock."""
        self._steps: list[Step] = []
        self._past: list[Past] = []
        self._chat: list[pb.Event] = []
        self._answered: dict[tuple[bytes, str], Answered] = {}
        self._store = store
        self._changed = changed
        self._lock = asyncio.Lock()

    # ---- acting --------------------------------------------------------------------------------

    async def act(self, caller: Caller, request: Repeatable, command: Command) -> bytes:
        """Do what a caller asks for, once, however often it is asked; gives the answer."""
        token = caller.needs_token()
        key = (token, checked_id(request.request_id))
        digest = digest_of(request)
        self.acted[token] = time.monotonic()
        async with self._lock:
            self._must_be_there()
            if known := self._answered.get(key):
                if known.digest != digest:
                    refuse("REQUEST_ID_REUSED", f"{key[1]!r} was another request before")
                return known.response
            draft = self._draft()
            response = command(draft).SerializeToString()
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

    async def remove(self, statements: list[Statement]) -> None:
        """The table goes; whoever watches is told."""
        async with self._lock:
            await self._store.write(statements)
            self.removed = True
            self.close_watches(watch.Closing.REASON_TABLE_REMOVED)

    def _must_be_there(self) -> None:
        if self.removed:
            refuse("NO_SUCH_TABLE", f"the table {self.data.table_id} is gone")

    def _draft(self) -> Draft:
        return Draft(self.data, self.start, self.game, self._steps, self.clock, self.sequence)

    async def _commit(
        self,
        draft: Draft,
        key: tuple[bytes, str] | None = None,
        answered: Answered | None = None,
    ) -> None:
        batch = Batch(self.data.table_id, draft.events)
        everything = batch.everything()
        moved = draft.game is not self.game
        if moved:
            draft.clock = self._clock_after(draft)
        statements = [
            insert_command(self, draft, everything, key, answered),
            *draft.statements,
        ]
        if draft.data is not self.data:
            statements.insert(0, update_table(draft.data))
        gone = await self._write(statements)
        before = self.data
        self._take_over(draft)
        if draft.events:
            self._past.append(Past(self.sequence, everything))
        if key and answered:
            self._answered[key] = answered
        if self.data is not before:
            self._seat_watchers()
        self._tell_watchers(batch, moved=moved)
        if self.data is not before:
            self._tell_seating(before)
        self._changed(self)
        if gone:
            raise gone

    async def _write(self, statements: list[Statement]) -> asyncio.CancelledError | None:
        """Wait for the store; tells if the caller went away meanwhile, when it is too late."""
        writing = self._store.write(statements)
        gone: asyncio.CancelledError | None = None
        while not writing.done():
            try:
                await asyncio.shield(writing)
            except asyncio.CancelledError as cancelled:
                gone = cancelled
            except StoreError:
                break
        error = writing.exception()
        if isinstance(error, StoreError):
            raise Problem("STORE_FULL" if error.full else "STORE_FAILED", str(error)) from None
        return gone

    def _take_over(self, draft: Draft) -> None:
        if draft.game is not self.game:
            self.turn_since = time.monotonic()
        self.data = draft.data
        self.start, self.game, self.clock = draft.start, draft.game, draft.clock
        self._steps = draft.steps
        self._steps += draft.new_steps
        self.sequence += len(draft.events)
        self.number += 1
        self.active = draft.time
        self._note_chat(draft.events)

    def _note_chat(self, events: Iterable[pb.Event]) -> None:
        self._chat += [event for event in events if event.HasField("said")]
        del self._chat[:-CHAT_KEPT]

    def _clock_after(self, draft: Draft) -> Clock | None:
        """The clocks when the seat that was to move has moved."""
        before, clock = self.game, draft.clock
        if clock is None or before is None or draft.start is not self.start:
            return clock
        if not draft.moves or "=" in draft.moves[0]:
            return clock  # somebody resigned out of turn: the clock of the turn runs on
        return clock.after_move(before.turn, self.elapsed())

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
        return self._present[self.data.chairs[seat].token] > 0

    def present(self) -> Iterator[Seat]:
        return (Seat(seat) for seat in range(self.data.players) if self.connected(Seat(seat)))

    def message(self, data: TableData | None = None) -> pb.Table:
        """The table as everybody may see it; or as it will be with other data."""
        spectators = sum(watcher.seat is None for watcher in self.watchers)
        shown = data or self.data
        return wire.table(shown, self.game_number, self.present(), self.awaited, spectators)

    # ---- watching ------------------------------------------------------------------------------

    def opening(self, watcher: Watcher, after: int) -> Chunk:
        """What a new watcher is sent first: a snapshot, or what it missed."""
        if after > self.sequence:
            refuse(
                "SEQUENCE_UNKNOWN",
                f"event {after} has not happened yet; the last one is {self.sequence}",
                last=self.sequence,
            )
        response = watch.WatchResponse(table_id=self.data.table_id)
        if after:
            response.events.extend(self._missed(watcher.seat, after))
            response.presences.extend(
                watch.Presence(seat=seat + 1, connected=self.connected(Seat(seat)))
                for seat in range(self.data.players)
            )
        else:
            response.snapshot.CopyFrom(self._snapshot(watcher.seat))
        self._add_clocks_and_options(response, watcher)
        return Chunk(response.SerializeToString(), joinable=False)

    def _snapshot(self, seat: Seat | None) -> watch.Snapshot:
        game = None
        if self.game is not None and self.start is not None:
            game = wire.game_view(self.game, seat, self.game_number, self.start.turn)
        return watch.Snapshot(
            sequence=self.sequence,
            table=self.message(),
            game=game,
            seat=0 if seat is None else seat + 1,
            chat=self._chat,
        )

    def _missed(self, seat: Seat | None, after: int) -> Iterator[pb.Event]:
        for past in reversed_until(self._past, after):
            for event in watch.WatchResponse.FromString(past.events).events:
                if event.sequence > after:
                    yield redacted(event, seat)

    def _add_clocks_and_options(self, response: watch.WatchResponse, watcher: Watcher) -> bool:
        """What rides along with the events; tells whether anything does."""
        running = self.running
        if self.clock is not None:
            response.clocks.CopyFrom(self.clock.message(running, self.elapsed()))
        mine = watcher.options and running is not None and watcher.seat == running
        if mine and self.game is not None and running is not None:
            response.options.ply = self.game.ply
            response.options.options.extend(
                wire.options(self.game, running, effects=watcher.effects)
            )
        return mine or self.clock is not None

    def _tell_watchers(self, batch: Batch, *, moved: bool) -> None:
        for watcher in list(self.watchers):
            watcher.put(batch.chunk_for(watcher.seat))
            if moved and (watcher.options or self.clock is not None):
                response = watch.WatchResponse(table_id=self.data.table_id)
                if self._add_clocks_and_options(response, watcher):
                    watcher.put(Chunk(response.SerializeToString(), joinable=False))

    def enter(self, watcher: Watcher) -> None:
        """A watcher is told everything from now on."""
        self.watchers[watcher] = None
        if watcher.token:
            self._present[watcher.token] += 1
            if self._present[watcher.token] == 1:
                self._tell_presence(watcher.token, connected=True)
        self._changed(self)

    def leave(self, watcher: Watcher) -> None:
        if watcher in self.watchers:  # else the server has ended it already
            del self.watchers[watcher]
            self._forget(watcher)

    def _forget(self, watcher: Watcher) -> None:
        if watcher.token:
            self._present[watcher.token] -= 1
            if not self._present[watcher.token]:
                del self._present[watcher.token]
                self._tell_presence(watcher.token, connected=False)
        self._changed(self)

    def _seat_watchers(self) -> None:
        """Whoever watches and has sat down sees from now on what the seat sees."""
        for watcher in self.watchers:
            watcher.seat = self.data.chair_of(watcher.token)

    def _tell_seating(self, before: TableData) -> None:
        """Those who watch are told of who came already watching; who lost a seat sees no more."""
        had, have = before.tokens(), self.data.tokens()
        for token in have - had:
            if self._present[token]:
                self._tell_presence(token, connected=True)
        for token in had - have:
            self.close_watches(watch.Closing.REASON_SEAT_LOST, token)

    def _tell_presence(self, token: bytes, *, connected: bool) -> None:
        """Unnumbered, and not stored: it is true only while the server runs."""
        presences = [
            watch.Presence(seat=seat + 1, connected=connected)
            for seat, chair in enumerate(self.data.chairs)
            if chair.token == token
        ]
        if not presences:
            return
        response = watch.WatchResponse(table_id=self.data.table_id, presences=presences)
        chunk = Chunk(response.SerializeToString(), joinable=True)
        for watcher in self.watchers:
            watcher.put(chunk)

    def close_watches(
        self, reason: watch.Closing.Reason.ValueType, token: bytes | None = None
    ) -> None:
        """End all watches, or those of one token."""
        closing = watch.WatchResponse(
            table_id=self.data.table_id, closing=watch.Closing(reason=reason)
        )
        chunk = Chunk(closing.SerializeToString(), joinable=False)
        for watcher in list(self.watchers):
            if token is None or watcher.token == token:
                del self.watchers[watcher]
                self._forget(watcher)
                watcher.gone(chunk)

    # ---- waking up -----------------------------------------------------------------------------

    def remember(self, when: float, everything: bytes) -> None:
        """Take in the events of one command of the past."""
        self.number += 1
        self.active = when
        events = watch.WatchResponse.FromString(everything).events
        if events:
            self.sequence = events[-1].sequence
            self._past.append(Past(self.sequence, everything))
            self._note_chat(events)

    def remember_answer(self, token: bytes, request_id: str, answered: Answered) -> None:
        self._answered[token, request_id] = answered

    def resume(self, start: Game, game: Game, steps: list[Step], clock: Clock | None) -> None:
        """The game is where it was."""
        self.start, self.game, self._steps, self.clock = start, game, steps, clock


def reversed_until(past: list[Past], after: int) -> list[Past]:
    """The commands of the past with events after a number, in order."""
    first = len(past)
    while first and past[first - 1].last_sequence > after:
        first -= 1
    return past[first:]


def insert_command(
    table: Table,
    draft: Draft,
    everything: bytes,
    key: tuple[bytes, str] | None,
    answered: Answered | None,
) -> Statement:
    clocks = " ".join(map(str, draft.clock.remaining)) if draft.clock else ""
    return (
        "INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            table.data.table_id,
            table.number,
            draft.time,
            key[0] if key else None,
            key[1] if key else None,
            answered.digest if answered else None,
            answered.response if answered else None,
            everything,
            draft.data.game_index(draft.game),
            " ".join(draft.moves),
            clocks,
        ),
    )


def update_table(data: TableData) -> Statement:
    return (
        "UPDATE tables SET state = ?, timed = ?, body = ? WHERE id = ?",
        (data.state.value, data.timed, data.to_json(), data.table_id),
    )


def digest_of(request: Repeatable) -> bytes:
    kind = type(request).__name__.encode()
    return sha256(kind + b"\0" + request.SerializeToString(deterministic=True)).digest()


def checked_id(request_id: str) -> str:
    if not 1 <= len(request_id) <= 64 or not request_id.isprintable():
        refuse("BAD_REQUEST_ID", "a request_id has 1 to 64 characters and no control characters")
    return request_id
