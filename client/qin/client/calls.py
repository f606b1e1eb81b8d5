"""Calls that survive a lost connection: each is repeated until it is answered, or patience ends.

Every acting call carries a request id, so that the server does it once however often it is asked.
"""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Awaitable
from typing import Protocol, TypeVar

import grpc
import grpc.aio
from qin.client.channel import Metadata
from qin.client.errors import refusal, unreachable

Request_contra = TypeVar("Request_contra", contravariant=True)
Response_co = TypeVar("Response_co", covariant=True)
Request = TypeVar("Request")
Response = TypeVar("Response")

SECONDS = 10.0
"""What a call may take that is answered at once."""
PATIENCE = 30.0
"""How long a call is repeated while the server is not there."""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0

MAY_PASS = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,  # by a server that stops; our own is asyncio's CancelledError
)
"""Failures of the connection, not refusals: it is worth trying again."""


class Method(Protocol[Request_contra, Response_co]):
    """A unary call of a stub."""

    def __call__(
        self, request: Request_contra, /, *, timeout: float, metadata: Metadata
    ) -> Awaitable[Response_co]: ...


def new_request_id() -> str:
    return uuid.uuid4().hex


class Pauses:
    """Longer and longer, and never the same for two clients that lost the same server."""

    def __init__(self) -> None:
        self._next = FIRST_PAUSE

    def reset(self) -> None:
        self._next = FIRST_PAUSE

    async def wait(self) -> None:
        await asyncio.sleep(self._next * random.uniform(0.5, 1.0))
        self._next = min(2 * self._next, LONGEST_PAUSE)


async def call(
    method: Method[Request, Response],
    request: Request,
    sent: Metadata,
    *,
    patience: float = PATIENCE,
) -> Response:
    """The answer; `CallError` if the server refuses, `ConnectError` if nobody answers."""
    until = time.monotonic() + patience
    pause = Pauses()
    while True:
        try:
            return await method(request, timeout=SECONDS, metadata=sent)
        except grpc.aio.AioRpcError as error:
            if error.code() not in MAY_PASS:
                raise refusal(error) from None
            if time.monotonic() > until:
                raise unreachable(error) from None
        await pause.wait()
