"""Figures for Prometheus. They count calls and tables, and know nothing of any game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from qin.server.rpc import Observer

if TYPE_CHECKING:
    from qin.server.hall import Hall


class MetricsError(Exception):
    """Metrics were asked for, but cannot be had; the message says what to do."""


def no_metrics(method: str, code: str, seconds: float) -> None:
    """Where nobody asked for figures."""


def serve_metrics(port: int, hall: Callable[[], Hall]) -> tuple[Observer, Callable[[], None]]:
    """Answer Prometheus on a port; gives what to tell of each call, and how to stop."""
    try:
        from prometheus_client import (  # noqa: PLC0415 - an extra that few need
            CollectorRegistry,
            Counter,
            Gauge,
            Histogram,
            start_http_server,
        )
    except ImportError:
        raise MetricsError(
            "metrics need a further package: pip install 'qin-game[metrics]'"
        ) from None
    registry = CollectorRegistry()
    handled = Counter(
        "grpc_server_handled", "Calls that ended.", ["method", "code"], registry=registry
    )
    seconds = Histogram(
        "grpc_server_handling_seconds", "How long calls took.", ["method"], registry=registry
    )
    for name, text, value in (
        ("qin_tables", "Tables.", lambda: len(hall())),
        ("qin_tables_awake", "Tables in memory.", lambda: sum(1 for _ in hall().awake())),
        ("qin_streams", "Open streams.", lambda: len(hall().streams)),
        ("qin_store_writes", "Commands written.", lambda: hall().store.writes),
        ("qin_store_commits", "Commits of the store.", lambda: hall().store.commits),
    ):
        Gauge(name, text, registry=registry).set_function(value)

    def observe(method: str, code: str, took: float) -> None:
        handled.labels(method, code).inc()
        seconds.labels(method).observe(took)

    try:
        server, _ = start_http_server(port, "127.0.0.1", registry)
    except OSError as error:
        raise MetricsError(f"metrics cannot be served on port {port}: {error}") from None

    def stop() -> None:
        server.shutdown()
        server.server_close()

    return observe, stop
