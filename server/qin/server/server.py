"""A server from start to stop."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from qin.server.hall import Hall
from qin.server.logs import log
from qin.server.metrics import MetricsError, no_metrics, serve_metrics
from qin.server.options import Options
from qin.server.problems import Problem
from qin.server.rpc import Calls, Observer
from qin.server.services import (
    InfoService,
    LobbyService,
    OfferService,
    PlayService,
    RecordsService,
)
from qin.server.sessions import SessionService, WatchService
from qin.server.store import Store, StoreError
from qin.server.streams import Streams
from qin.v1 import (
    info_pb2,
    lobby_pb2,
    offer_pb2,
    play_pb2,
    records_pb2,
    session_pb2,
    watch_pb2,
)

DRAIN_SECONDS = 2.0
"""How long a stopping server waits for calls and streams to end by themselves."""


class StartError(Exception):
    """The server cannot start; the message says why and what to do."""


class Server:
    """A server that runs. `running` makes one."""

    def __init__(self, hall: Hall, port: int) -> None:
        self.hall = hall
        self.port = port
        """Where it listens."""


@asynccontextmanager
async def running(options: Options) -> AsyncIterator[Server]:
    """Serve while the context lasts; leaving it drains: everybody is told, nothing is lost."""
    async with contextlib.AsyncExitStack() as stack:
        try:
            store = Store(options.database, durable=options.durable)
        except StoreError as error:
            raise StartError(str(error)) from None
        stack.push_async_callback(store.close)
        streams = Streams(options.limits.backlog_bytes)
        hall = Hall(options, store, streams)
        stack.callback(hall.alarms.stop)
        try:
            await hall.open()
        except StoreError as error:
            raise StartError(str(error)) from None
        observe: Observer = no_metrics
        if options.metrics_port is not None:
            try:
                observe, stop_metrics = serve_metrics(options.metrics_port, lambda: hall)
            except MetricsError as error:
                raise StartError(str(error)) from None
            stack.push_async_callback(asyncio.to_thread, stop_metrics)
        calls = Calls(options, observe, lambda: streams.stopping)
        checks = health.aio.HealthServicer()
        server = _grpc_server(options, hall, calls, checks)
        port = _listen(server, options)
        await server.start()
        for task in (
            streams.beat(options.heartbeat_seconds),
            _tidy_up(hall, calls),
        ):
            background = asyncio.create_task(task)
            stack.callback(background.cancel)
        log("server started", port=port, tables=len(hall))
        try:
            yield Server(hall, port)
        finally:
            log("server stopping")
            await checks.enter_graceful_shutdown()
            await streams.stop(DRAIN_SECONDS)
            await server.stop(DRAIN_SECONDS)
            log("server stopped")


def _grpc_server(
    options: Options, hall: Hall, calls: Calls, checks: health.aio.HealthServicer
) -> grpc.aio.Server:
    limit = options.limits.message_bytes
    server = grpc.aio.server(
        options=[
            ("grpc.so_reuseport", 0),  # a second server on the port is an error, not a silent twin
            ("grpc.max_receive_message_length", limit),
            ("grpc.max_metadata_size", 16 * 1024),
            ("grpc.http2.min_ping_interval_without_data_ms", 5000),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.keepalive_time_ms", round(1000 * options.heartbeat_seconds)),
            # Not keepalive_timeout_ms: gRPC waits a minute all the same.
            ("grpc.http2.ping_timeout_ms", round(1000 * options.silence_seconds)),
        ]
    )
    play = PlayService(hall)
    implementations = [
        (info_pb2.DESCRIPTOR, InfoService(hall)),
        (lobby_pb2.DESCRIPTOR, LobbyService(hall)),
        (play_pb2.DESCRIPTOR, play),
        (watch_pb2.DESCRIPTOR, WatchService(hall)),
        (session_pb2.DESCRIPTOR, SessionService(hall, play, calls.count)),
        (offer_pb2.DESCRIPTOR, OfferService(hall)),
        (records_pb2.DESCRIPTOR, RecordsService(hall)),
    ]
    names = [health_pb2.DESCRIPTOR.services_by_name["Health"].full_name, reflection.SERVICE_NAME]
    for file, implementation in implementations:
        for service in file.services_by_name.values():
            server.add_generic_rpc_handlers([calls.handler(service, implementation)])
            names.append(service.full_name)
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    reflection.enable_server_reflection(names, server)
    return server


def _listen(server: grpc.aio.Server, options: Options) -> int:
    host = f"[{options.host}]" if ":" in options.host else options.host
    address = f"{host}:{options.port}"
    try:
        if options.certificate is None:
            return server.add_insecure_port(address)
        credentials = grpc.ssl_server_credentials([options.certificate])
        return server.add_secure_port(address, credentials)
    except RuntimeError:
        raise StartError(
            f"cannot listen on {address}: another program does already, or the host is not this"
            " machine's; give another --port or --host"
        ) from None


async def _tidy_up(hall: Hall, calls: Calls) -> None:
    """Once a minute, or more often where tables are kept for a shorter time."""
    while True:
        await asyncio.sleep(min(60, max(0.05, hall.options.keep_seconds / 4)))
        calls.forget_the_quiet()
        try:
            await hall.expire(time.time())
        except (Problem, StoreError) as problem:
            log("tidying up failed", problem=str(problem))


def collect_garbage_rarely() -> None:
    """For a process that does nothing but serve.

    What a table remembers stays for long and has no cycles, but Python looks through all of it
    again and again while it grows. Doing so less often is worth a third of all moves a second.
    """
    gc.set_threshold(50_000, 20, 20)
