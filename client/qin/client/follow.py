"""Watching a table for as long as it lasts, over lost connections and restarted servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress

import grpc
import grpc.aio
from qin.client.calls import MAY_PASS, SECONDS, Pauses
from qin.client.channel import Metadata
from qin.client.errors import ClientError, refusal, unreachable
from qin.client.happenings import ConnectionLost
from qin.v1.info_pb2 import GetInfoRequest
from qin.v1.info_pb2_grpc import InfoServiceStub
from qin.v1.types_pb2 import Event
from qin.v1.watch_pb2 import Closing, WatchRequest, WatchResponse
from qin.v1.watch_pb2_grpc import WatchServiceStub

_FOR_GOOD = (Closing.REASON_TABLE_REMOVED, Closing.REASON_SEAT_LOST)


async def follow(
    channel: grpc.aio.Channel,
    table_id: str,
    sent: Metadata = (),
    *,
    code: str = "",
) -> AsyncGenerator[WatchResponse | ConnectionLost, None]:
    """Everything that happens at a table, each event once, until the table or the seat is gone.

    A server that cannot be reached at first is an error. Later on it is tried again and again,
    which is told once.
    """
    after, met, lost, pauses = 0, False, False, Pauses()
    while True:
        request = WatchRequest(table_id=table_id, invite_code=code, after_sequence=after)
        try:
            async for response in _watch(channel, request, sent):
                met, lost = True, False
                pauses.reset()
                after = _last(response, after)
                yield response
                if response.closing.reason in _FOR_GOOD:
                    return
            why = "the server has ended the watch"
        except TimeoutError:
            why = "nothing is heard of the server"
        except grpc.aio.AioRpcError as error:
            if error.code() is grpc.StatusCode.OUT_OF_RANGE:
                after = 0  # the server does not know what we know; begin again
            elif not (met and error.code() in MAY_PASS):
                raise _in_words(error) from None
            why = str(_in_words(error))
        if not lost:
            yield ConnectionLost(why)
        lost = True
        await pauses.wait()


async def past(
    channel: grpc.aio.Channel, request: WatchRequest, sent: Metadata, *, until: int
) -> list[Event]:
    """The events after that of the request, up to a number that is known to be reached.

    As much as the server tells: what is past is worth no error.
    """
    told: list[Event] = []
    with suppress(TimeoutError, grpc.aio.AioRpcError):
        async with asyncio.timeout(SECONDS), aclosing(_watch(channel, request, sent)) as responses:
            async for response in responses:
                told += (event for event in response.events if event.sequence <= until)
                if _last(response, 0) >= until:
                    break
    return told


def _in_words(error: grpc.aio.AioRpcError) -> ClientError:
    if error.code() in MAY_PASS:
        return unreachable(error)
    return refusal(error)


async def _watch(
    channel: grpc.aio.Channel, request: WatchRequest, sent: Metadata
) -> AsyncGenerator[WatchResponse, None]:
    """One watch until it ends; `TimeoutError` when not even a heartbeat comes."""
    info = await InfoServiceStub(channel).GetInfo(GetInfoRequest(), metadata=sent, timeout=SECONDS)
    silence = 3 * max(1, info.heartbeat_seconds)
    call = WatchServiceStub(channel).Watch(request, metadata=sent)
    try:
        while True:
            # Not wait_for, which before Python 3.12 can lose a cancellation.
            async with asyncio.timeout(silence):
                response = await call.read()
            if not isinstance(response, WatchResponse):
                return
            yield response
    finally:
        call.cancel()


def _last(response: WatchResponse, before: int) -> int:
    """The number of the last event that is known now."""
    if response.events:
        return response.events[-1].sequence
    return response.snapshot.sequence if response.HasField("snapshot") else before
