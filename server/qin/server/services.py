"""The services of the contract: each method finds its table and hands the request on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from importlib.metadata import version

from qin.engine import RULES_VERSION, Board, Seat, board_names, name_problem
from qin.engine.spaces import SIDE
from qin.server import playing, seating, wire
from qin.server.callers import Caller, same
from qin.server.draft import Draft
from qin.server.frames import Answer
from qin.server.hall import Hall
from qin.server.logs import log_detail
from qin.server.model import State
from qin.server.offers import Offer
from qin.server.options import Limits, Options
from qin.server.problems import Problem, refuse
from qin.server.streams import Chunk
from qin.server.table import Table
from qin.v1 import info_pb2 as info
from qin.v1 import lobby_pb2 as lobby
from qin.v1 import offer_pb2 as offer
from qin.v1 import play_pb2 as play
from qin.v1 import records_pb2 as records
from qin.v1 import watch_pb2 as watch
from qin.v1.conventions import PROTOCOL_VERSION

LONGEST_CLIENT = 64
"""What the log takes of a client's own name."""


class InfoService:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def get_info(self, _caller: Caller, request: info.GetInfoRequest) -> Answer:
        log_detail("a client asks what this is", client=request.client[:LONGEST_CLIENT])
        options: Options = self._hall.options
        limits = options.limits
        return info.GetInfoResponse(
            server_version=version("qin-game"),
            protocol_version=PROTOCOL_VERSION,
            rules_version=RULES_VERSION,
            boards=[info.Board(name=name, map=Board.named(name).map) for name in board_names()],
            house_bots=self._hall.offers.house_bots(),
            limits=info.Limits(
                message_bytes=limits.message_bytes,
                name_length=limits.name_length,
                chat_length=limits.chat_length,
                map_side=SIDE,
                games=limits.games,
                tables_per_address=limits.tables_per_address,
                watchers_per_table=limits.watchers_per_table,
                requests_per_second=limits.requests_per_second,
                code_length=limits.code_length,
                seconds=limits.seconds,
                page_size=limits.page_size,
                commands_per_message=limits.commands_per_message,
                watches_per_token=limits.watches_per_token,
            ),
            heartbeat_seconds=max(1, round(options.heartbeat_seconds)),
            allows_deals=options.allow_deals,
            needs_password=bool(options.password),
        )


class LobbyService:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def list_tables(self, _caller: Caller, request: lobby.ListTablesRequest) -> Answer:
        size = page_size(request.page_size, self._hall.options)
        return await self._hall.page(size, request.page_token, request.state)

    async def watch_tables(
        self, _caller: Caller, _request: lobby.WatchTablesRequest
    ) -> AsyncIterator[Answer]:
        nothing = Chunk(b"", joinable=False)
        stream = self._hall.streams.open(lambda: nothing, nothing, nothing)
        try:
            await self._hall.enter_lobby(stream)
            while bodies := await stream.next():
                for body in bodies:
                    yield body
        finally:
            self._hall.leave_lobby(stream)
            self._hall.streams.forget(stream)

    async def get_table(self, _caller: Caller, request: lobby.GetTableRequest) -> Answer:
        table = await self._hall.table(request.table_id)
        return lobby.GetTableResponse(table=table.message())

    async def create_table(self, caller: Caller, request: lobby.CreateTableRequest) -> Answer:
        return await self._hall.create(caller, request)

    async def join_table(self, caller: Caller, request: lobby.JoinTableRequest) -> Answer:
        table = await self._hall.table(request.table_id)

        def command(draft: Draft) -> lobby.JoinTableResponse:
            if request.ticket:
                seat = self._hall.alarms.replacing.sit_down(draft, table, caller, request)
            else:
                seat = seating.join(draft, caller, request, table.awaited)
            return lobby.JoinTableResponse(seat=seat + 1, table=table.message(draft))

        return await table.act(caller, request, command)

    async def leave_table(self, caller: Caller, request: lobby.LeaveTableRequest) -> Answer:
        table = await self._hall.table(request.table_id)

        def command(draft: Draft) -> lobby.LeaveTableResponse:
            seating.leave(draft, caller)
            return lobby.LeaveTableResponse(table=table.message(draft))

        return await table.act(caller, request, command)

    async def add_bot(self, caller: Caller, request: lobby.AddBotRequest) -> Answer:
        table = await self._hall.table(request.table_id)

        def command(draft: Draft) -> lobby.AddBotResponse:
            seating.check_owner(draft.data, caller)
            if draft.data.state is State.PLAYING:
                refuse("NOT_OPEN", "a game is on at this table")
            seat = seating.free_seat(draft, request.seat, table.awaited)
            self._hall.alarms.replacing.ask(draft, table, seat, request.bot, request.tournament)
            return lobby.AddBotResponse(seat=seat + 1, table=table.message(draft))

        return await table.act(caller, request, command)

    async def remove_seat(self, caller: Caller, request: lobby.RemoveSeatRequest) -> Answer:
        table = await self._hall.table(request.table_id)

        def command(draft: Draft) -> lobby.RemoveSeatResponse:
            seat = seating.remove(draft, caller, request.seat)
            draft.expected[seat] = ""
            draft.afterwards.append(lambda: self._hall.offers.cancel(request.table_id, seat))
            return lobby.RemoveSeatResponse(table=table.message(draft))

        return await table.act(caller, request, command)

    async def start_table(self, caller: Caller, request: lobby.StartTableRequest) -> Answer:
        table = await self._hall.table(request.table_id)

        def command(draft: Draft) -> lobby.StartTableResponse:
            seating.start(draft, caller)
            return lobby.StartTableResponse(table=table.message(draft))

        return await table.act(caller, request, command)

    async def rematch(self, caller: Caller, request: lobby.RematchRequest) -> Answer:
        table = await self._hall.table(request.table_id)

        def command(draft: Draft) -> lobby.RematchResponse:
            seating.rematch(draft, caller, request.nonce)
            return lobby.RematchResponse(table=table.message(draft))

        return await table.act(caller, request, command)


class PlayService:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def place_tile(self, caller: Caller, request: play.PlaceTileRequest) -> bytes:
        table = await self._hall.table(request.table_id)
        try:
            return await table.act(
                caller, request, lambda draft: playing.place_tile(draft, caller, request)
            )
        except Problem as problem:
            log_detail("placement refused", table=request.table_id, reason=problem.reason)
            raise

    async def resign(self, caller: Caller, request: play.ResignRequest) -> bytes:
        table = await self._hall.table(request.table_id)
        return await table.act(
            caller, request, lambda draft: playing.resign(draft, caller, request)
        )

    async def say(self, caller: Caller, request: play.SayRequest) -> bytes:
        table = await self._hall.table(request.table_id)
        longest = self._hall.options.limits.chat_length
        return await table.act(
            caller, request, lambda draft: playing.say(draft, caller, request, longest)
        )

    async def list_placements(self, caller: Caller, request: play.ListPlacementsRequest) -> bytes:
        return playing.list_placements(await self._hall.table(request.table_id), caller, request)

    async def preview_placement(
        self, caller: Caller, request: play.PreviewPlacementRequest
    ) -> play.PreviewPlacementResponse:
        return playing.preview_placement(await self._hall.table(request.table_id), caller, request)


class OfferService:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def offer(self, caller: Caller, request: offer.OfferRequest) -> AsyncIterator[Answer]:
        if problem := name_problem(request.name):
            refuse("BAD_NAME", problem)
        stream = self._hall.streams.open(
            lambda: _offer_chunk(offer.OfferResponse(heartbeat=wire.heartbeat())),
            _offer_chunk(_closing(watch.Closing.REASON_SERVER_STOPPING)),
            _offer_chunk(_closing(watch.Closing.REASON_TOO_SLOW)),
        )
        offered = Offer(request.name, request.tournament, request.seats, stream, local=caller.local)
        self._hall.offers.add(offered)
        try:
            while bodies := await stream.next():
                for body in bodies:
                    yield body
        finally:
            self._hall.offers.remove(offered)
            self._hall.streams.forget(stream)


def _offer_chunk(message: offer.OfferResponse) -> Chunk:
    return Chunk(message.SerializeToString(), joinable=False)


def _closing(reason: watch.Closing.Reason.ValueType) -> offer.OfferResponse:
    return offer.OfferResponse(closing=watch.Closing(reason=reason))


class RecordsService:
    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    async def list_records(self, caller: Caller, request: records.ListRecordsRequest) -> Answer:
        size = page_size(request.page_size, self._hall.options)
        token = request.page_token
        if token and not (token.isascii() and token.isdecimal() and len(token) <= 18):
            refuse("BAD_PAGE_TOKEN", "this is no page token of a list of records")
        before = int(token) if token else 1 << 62
        if request.table_id:
            there = await self._hall.is_at(caller.token, request.table_id)
            rows = await self._hall.store.read(
                "SELECT number, info FROM records WHERE table_id = ? AND (public OR ?)"
                " AND number < ? ORDER BY number DESC LIMIT ?",
                request.table_id,
                there,
                before,
                size + 1,
            )
        else:
            rows = await self._hall.store.read(
                "SELECT number, info FROM records WHERE public AND number < ?"
                " ORDER BY number DESC LIMIT ?",
                before,
                size + 1,
            )
        known = [row[1] for row in rows[:size] if isinstance(row[1], bytes)]
        return records.ListRecordsResponse(
            records=[records.RecordInfo.FromString(each) for each in known],
            next_page_token=str(rows[size - 1][0]) if len(rows) > size else "",
        )

    async def get_record(self, caller: Caller, request: records.GetRecordRequest) -> Answer:
        rows = await self._hall.store.read(
            "SELECT info, text FROM records WHERE id = ?", request.record_id
        )
        if not rows:
            refuse("NO_SUCH_RECORD", f"there is no record {request.record_id[:40]!r}")
        known, text = rows[0]
        assert isinstance(known, bytes)
        assert isinstance(text, str)
        info = records.RecordInfo.FromString(known)
        if self._hall.options.withhold_records and not await self._hall.owns(
            caller.token, info.table_id
        ):
            refuse("NO_SUCH_RECORD", "the owner of the table gives its record out, in his time")
        return records.GetRecordResponse(info=info, text=text)


def page_size(wanted: int, options: Options) -> int:
    return min(wanted or options.limits.page_size, options.limits.page_size)


def viewer(table: Table, caller: Caller, code: str, limits: Limits) -> Seat | None:
    """The seat of a caller who may watch; None for a spectator."""
    seat = table.data.chair_of(caller.token)
    watchers, watches = limits.watchers_per_table, limits.watches_per_token
    if seat is None and not same(caller.token, table.data.owner):
        seating.check_code(table.data, code)
        if table.data.settings.no_spectators:
            refuse("NO_SPECTATORS", "this table has no spectators")
    if seat is None and table.audience.spectators() >= watchers:
        refuse("TOO_MANY_WATCHERS", f"a table has at most {watchers} spectators", limit=watchers)
    if caller.token and table.audience.watches(caller.token) >= watches:
        refuse("TOO_MANY_WATCHERS", f"a token watches a table {watches} times", limit=watches)
    return seat
