"""Watching a table for as long as it lasts, over lost connections and restarted servers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable

import grpc
import grpc.aio
from qin.client.address import Address
from qin.client.channel import (
    ConnectError,
    Metadata,
    WrongServerError,
    connected,
    refusal,
)
from qin.engine import QinError
from qin.v1.info_pb2 import GetInfoRequest
from qin.v1.info_pb2_grpc import InfoServiceStub
from qin.v1.watch_pb2 import Closing, WatchRequest, WatchResponse
from qin.v1.watch_pb2_grpc import WatchServiceStub

_SECONDS = 10.0
"""What a call may take that is answered at once."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 8.0


async def follow(
    address: Address, sent: Metadata = (), *, lost: Callable[[str], None]
) -> AsyncGenerator[WatchResponse, None]:
    """Everything that happens at a table, each event once, until the table is gone.

    A server that cannot be reached at first is an error. Later on it is tried again and again,
    and `lost` is told why.
    """
    after, pause, met = 0, _FIRST_PAUSE, False
    while True:
        try:
            async with connected(address) as channel:
                async for response in _watch(channel, address, sent, after):
                    met, pause = True, _FIRST_PAUSE
                    after = _last(response, after)
                    yield response
                    if response.closing.reason == Closing.REASON_TABLE_REMOVED:
                        return
            why = "the server has ended the watch"
        except (ConnectError, TimeoutError, grpc.aio.AioRpcError) as error:
            if _is_unknown_sequence(error):
                after = 0  # the server does not know what we know; begin again
            elif not (met and _may_pass(error)):
                raise _in_words(error, address) from None
            why = str(_in_words(error, address))
        lost(why)
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _is_unknown_sequence(error: Exception) -> bool:
    return isinstance(error, grpc.aio.AioRpcError) and error.code() is grpc.StatusCode.OUT_OF_RANGE


def _may_pass(error: Exception) -> bool:
    """Whether it is worth trying again."""
    if isinstance(error, grpc.aio.AioRpcError):
        return error.code() is grpc.StatusCode.UNAVAILABLE
    return not isinstance(error, WrongServerError)


def _in_words(error: Exception, address: Address) -> QinError:
    if isinstance(error, grpc.aio.AioRpcError):
        return refusal(error)
    if isinstance(error, QinError):
        return error
    return ConnectError(f"nothing is heard of {address.target}")


async def _watch(
    channel: grpc.aio.Channel, address: Address, sent: Metadata, after: int
) -> AsyncIterator[WatchResponse]:
    """One watch until it ends; `TimeoutError` when not even a heartbeat comes."""
    info = await InfoServiceStub(channel).GetInfo(GetInfoRequest(), metadata=sent, timeout=_SECONDS)
    silence = 3 * max(1, info.heartbeat_seconds)
    request = WatchRequest(table_id=address.table, invite_code=address.code, after_sequence=after)
    call = WatchServiceStub(channel).Watch(request, metadata=sent)
    try:
        while True:
            response = await asyncio.wait_for(call.read(), silence)
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
