"""How calls reach the services: who calls, may he, what did it cost, and how a refusal is told.

The handlers are made from the descriptors of the contract. Answers may be messages or messages
that are serialized already, because what a table answers has been serialized for the store.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass
from qin.server.callers import Caller, hashed, stranger_at, token_of
from qin.server.frames import Answer, serialize
from qin.server.logs import log_failure
from qin.server.options import Options
from qin.server.problems import Problem, refuse
from qin.server.store import StoreError

Unary = Callable[[Caller, Any], Awaitable[Answer]]
Streaming = Callable[[Caller, Any], AsyncIterator[Answer]]
Read = Callable[[Any], Any]
"""From what gRPC gives to what the method takes."""

Observer = Callable[[str, str, float], None]
"""Is told of every call that ends: method, code, seconds."""


class Calls:
    """Turns methods of services into gRPC handlers."""

    def __init__(self, options: Options, observer: Observer, stopping: Callable[[], bool]) -> None:
        self._password = hashed(options.password)
        self._limit = options.limits.requests_per_second
        self._recent: dict[str, deque[float]] = {}
        self._observer = observer
        self._stopping = stopping

    def handler(self, service: ServiceDescriptor, implementation: object) -> grpc.GenericRpcHandler:
        """All methods of a service; the implementation has them in snake_case."""
        handlers = {
            method.name: self._method(method, getattr(implementation, snake_case(method.name)))
            for method in service.methods
        }
        return grpc.method_handlers_generic_handler(service.full_name, handlers)

    def _method(
        self, method: MethodDescriptor, function: Callable[..., Any]
    ) -> grpc.RpcMethodHandler[Any, Any]:
        parse = GetMessageClass(method.input_type).FromString
        name = f"{method.containing_service.name}/{method.name}"
        if method.client_streaming:
            streaming = self._streaming(name, function, lambda requests: requests)
            return grpc.stream_stream_rpc_method_handler(streaming, parse, serialize)
        # gRPC itself would call it an unknown error, in the words of Python, if it could not read.
        read = _reader(parse)
        if method.server_streaming:
            streaming = self._streaming(name, function, read)
            return grpc.unary_stream_rpc_method_handler(streaming, None, serialize)
        return grpc.unary_unary_rpc_method_handler(
            self._unary(name, function, read), None, serialize
        )

    def _unary(self, name: str, function: Unary, read: Read) -> Callable[..., Awaitable[Answer]]:
        async def call(request: bytes, context: grpc.aio.ServicerContext[Any, Any]) -> Answer:
            began = time.perf_counter()
            code = "OK"
            try:
                return await function(self._caller(name, context), read(request))
            except (Problem, StoreError) as refused:
                problem = refused if isinstance(refused, Problem) else Problem.of_store(refused)
                code = problem.code.name
                await context.abort_with_status(problem.status())
            except asyncio.CancelledError:
                code = "CANCELLED"
                raise
            except Exception as error:  # noqa: BLE001 - the edge of the process: it is logged, not told
                code = "INTERNAL"
                await context.abort_with_status(unexpected(error, name).status())
            finally:
                self._observer(name, code, time.perf_counter() - began)
            raise AssertionError

        return call

    def _streaming(
        self, name: str, function: Streaming, read: Read
    ) -> Callable[..., AsyncIterator[Answer]]:
        async def call(
            request: Any, context: grpc.aio.ServicerContext[Any, Any]
        ) -> AsyncIterator[Answer]:
            began = time.perf_counter()
            code = "OK"
            try:
                async for answer in function(self._caller(name, context), read(request)):
                    yield answer
            except (Problem, StoreError) as refused:
                problem = refused if isinstance(refused, Problem) else Problem.of_store(refused)
                code = problem.code.name
                await context.abort_with_status(problem.status())
            except (asyncio.CancelledError, GeneratorExit):
                code = "CANCELLED"
                raise
            except Exception as error:  # noqa: BLE001 - as above
                code = "INTERNAL"
                await context.abort_with_status(unexpected(error, name).status())
            finally:
                self._observer(name, code, time.perf_counter() - began)

        return call

    def _caller(self, name: str, context: grpc.aio.ServicerContext[Any, Any]) -> Caller:
        stranger = stranger_at(context.peer())
        self.count(stranger)  # before all else: who guesses at the password gets no more guesses
        # Without the password one may learn what the server is, and that it wants one.
        password = b"" if name == "InfoService/GetInfo" else self._password
        token = token_of(context.invocation_metadata() or (), password)
        if self._stopping():
            refuse("STOPPING", "the server is stopping; try again in a moment")
        return Caller(token, stranger.address, stranger.local)

    def count(self, caller: Caller) -> None:
        """At most so many requests of an address in any second; from this machine any number."""
        if caller.local:
            return
        now = time.monotonic()
        recent = self._recent.setdefault(caller.address, deque())
        while recent and recent[0] < now - 1:
            recent.popleft()
        if len(recent) >= self._limit:
            refuse(
                "TOO_MANY_REQUESTS",
                f"at most {self._limit} requests a second; wait a moment",
                limit=self._limit,
            )
        recent.append(now)

    def forget_the_quiet(self) -> None:
        """Addresses that have not called for a while need not be remembered."""
        now = time.monotonic()
        for address, recent in list(self._recent.items()):
            if not recent or recent[-1] < now - 60:
                del self._recent[address]


def _reader(parse: Callable[[bytes], Message]) -> Read:
    def read(body: bytes) -> Message:
        try:
            return parse(body)
        except DecodeError:
            refuse("BAD_MESSAGE", "this message cannot be read; look at the encoder of the client")

    return read


def snake_case(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_")


def unexpected(error: Exception, name: str) -> Problem:
    """What a client is told of a failure that nobody foresaw: nothing but that there was one."""
    log_failure(error, method=name)
    return Problem("INTERNAL", "the server failed at this; its log says why")
