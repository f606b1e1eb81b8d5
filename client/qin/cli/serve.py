"""`qin serve`: the server, on this machine or for the LAN."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import signal
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import click
import platformdirs
from qin.bots import Spec
from qin.cli.failure import Failure
from qin.cli.house import house_bots, house_specs
from qin.cli.options import json_option
from qin.cli.serve_options import (
    DURATION,
    is_loopback,
    is_wildcard,
    limit_options,
    limits_of,
    one_line,
)
from qin.cli.servers import password_options, the_password
from qin.client.address import Address
from qin.engine import QinError
from qin.engine.words import printable
from qin.server.announce import Announcement, announced, own_addresses
from qin.server.certificate import (
    Certificate,
    CertificateError,
    kept_certificate,
    read_certificate,
)
from qin.server.logs import log_to_stderr
from qin.server.metrics import MetricsError
from qin.server.options import MEMORY, Options
from qin.server.server import Server, StartError, collect_garbage_rarely, running
from qin.server.store import StoreError
from qin.v1.conventions import CERTIFICATE_NAME, DEFAULT_PORT

FILE = click.Path(path_type=Path)
PORT = click.IntRange(0, 65535)
HOUSE_BOTS = "greedy,lookahead,random"


class Start(NamedTuple):
    """What is to be started, and how it is told."""

    options: Options
    certificate: Certificate | None
    lan: bool
    name: str
    as_json: bool
    house: list[Spec]


@click.command(short_help="Serve games, here or on the LAN.")
@click.option(
    "--host",
    show_default="127.0.0.1, with --lan all addresses",
    help="The address to listen on.",
)
@click.option(
    "--port", type=PORT, default=DEFAULT_PORT, show_default=True, help="0 takes any free one."
)
@click.option(
    "--db",
    metavar="FILE",
    show_default="qin.db in your data directory",
    help=f"Where tables and records are kept; {MEMORY} keeps nothing.",
)
@click.option(
    "--durability",
    type=click.Choice(["full", "normal"]),
    default="full",
    show_default=True,
    help="Whether moves survive a power cut too, or only the end of the server.",
)
@click.option(
    "--keep",
    type=DURATION,
    default="24h",
    show_default=True,
    help="How long a table stays that nobody is at.",
)
@click.option("--lan", is_flag=True, help="Listen on all addresses, with TLS, and be found.")
@click.option(
    "--name",
    callback=one_line,
    show_default="this machine's",
    help="What the LAN finds it by.",
)
@click.option("--plaintext", is_flag=True, help="No TLS, also for the LAN.")
@click.option("--tls-cert", type=FILE, metavar="FILE", help="A certificate of your own, in PEM.")
@click.option("--tls-key", type=FILE, metavar="FILE", help="Its key, in PEM.")
@password_options
@click.option(
    "--house-bots",
    "house",
    default=HOUSE_BOTS,
    show_default=True,
    envvar="QIN_HOUSE_BOTS",
    metavar="SPECS",
    help="Bots for empty and abandoned seats, parted by commas; none goes without.",
)
@click.option("--allow-deals", is_flag=True, help="Take given deals; only on this machine.")
@click.option("--metrics-port", type=click.IntRange(1, 65535), help="Figures for Prometheus.")
@click.option(
    "--log-level",
    type=click.Choice(["error", "warning", "info", "debug"]),
    default="info",
    show_default=True,
    help="What is logged to stderr, as lines of JSON.",
)
@limit_options
@json_option
def serve(
    host: str | None,
    port: int,
    db: str | None,
    durability: str,
    keep: float,
    lan: bool,  # noqa: FBT001
    name: str | None,
    plaintext: bool,  # noqa: FBT001
    tls_cert: Path | None,
    tls_key: Path | None,
    password: str,
    password_file: Path | None,
    house: str,
    allow_deals: bool,  # noqa: FBT001
    metrics_port: int | None,
    log_level: str,
    as_json: bool,  # noqa: FBT001
    **limits: int,
) -> None:
    """Serve games until Ctrl-C.

    Alone it serves this machine only. With --lan it prints one line to pass
    on, which every command takes as its server. Whoever has the database can
    read all tiles; where that matters, let somebody serve who does not play.

    The --max options are limits for other machines; this one is exempt from
    those that count by address.

    \b
    Example:
      qin serve
      qin serve --lan --name "Ann's table"
      QIN_PASSWORD=tea qin serve --lan --keep 7d
    """
    host = host or ("0.0.0.0" if lan else "127.0.0.1")  # noqa: S104 - --lan asks for it
    outside = lan or not is_loopback(host)
    if allow_deals and outside:
        raise click.UsageError("--allow-deals is for this machine alone: no --lan, no other --host")
    if lan and not is_wildcard(host) and _ipv4(host) is None:
        raise click.UsageError("--lan is found by IPv4: give such a --host, or none")
    if (tls_cert is None) is not (tls_key is None):
        raise click.UsageError("--tls-cert and --tls-key belong together")
    if tls_cert and plaintext:
        raise click.UsageError("--plaintext and --tls-cert contradict each other")
    data = platformdirs.user_data_path("qin", appauthor=False)
    certificate: Certificate | None = None
    try:
        if tls_cert and tls_key:
            certificate = read_certificate(tls_cert, tls_key)
        elif outside and not plaintext:
            certificate = kept_certificate(data)
    except CertificateError as error:
        raise Failure(str(error)) from None
    if db is None:
        # Nobody else on this machine is to read the tiles.
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        db = str(data / "qin.db")
    options = Options(
        host=host,
        port=port,
        database=db,
        durable=durability == "full",
        keep_seconds=keep,
        password=the_password(password, password_file),
        allow_deals=allow_deals,
        certificate=(certificate.key, certificate.chain) if certificate else None,
        metrics_port=metrics_port,
        limits=limits_of(limits),
    )
    log_to_stderr(log_level)
    specs = house_specs(house)
    start = Start(options, certificate, lan, name or socket.gethostname(), as_json, specs)
    collect_garbage_rarely()
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_serve(start))
    except (StartError, StoreError, MetricsError) as error:
        raise Failure(str(error)) from None


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop where it is installed: a tenth to a third faster."""
    try:
        uvloop: Any = importlib.import_module("uvloop")
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


async def _serve(start: Start) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows
            # Twice is the same as once: wrappers pass on what the terminal sent already.
            loop.add_signal_handler(number, stop.set)
    async with running(start.options) as server, contextlib.AsyncExitStack() as stack:
        if start.lan:
            await stack.enter_async_context(_announced(start, server))
        _tell(start, server.port)
        house = asyncio.create_task(_keep_house(start, server.port))
        await stop.wait()
        house.cancel()
        await asyncio.gather(house, return_exceptions=True)


async def _keep_house(start: Start, port: int) -> None:
    """House bots for as long as the server runs. Without them it is a server all the same."""
    host = "127.0.0.1" if is_wildcard(start.options.host) else start.options.host
    pin = start.certificate.pin if start.certificate else ""
    try:
        async with house_bots(start.house, Address(host, port, pin=pin), start.options.password):
            await asyncio.Event().wait()
    except (Failure, QinError) as error:
        click.echo(printable(str(error)), err=True)


def _announced(start: Start, server: Server) -> AbstractAsyncContextManager[None]:
    """Found on all networks, or on the one that it listens on."""
    one = None if is_wildcard(start.options.host) else _ipv4(start.options.host)
    announcement = Announcement(
        name=start.name,
        version=version("qin-game"),
        port=server.port,
        addresses=[one] if one else own_addresses() or ["127.0.0.1"],
        pin=start.certificate.pin if start.certificate else "",
        needs_password=bool(start.options.password),
    )
    interfaces = [one] if one else None
    return announced(announcement, lambda: open_tables(server), interfaces=interfaces)


def _ipv4(host: str) -> str | None:
    try:
        return socket.gethostbyname(host)
    except OSError:
        return None  # an IPv6 address


async def open_tables(server: Server) -> int:
    """How many tables wait for players."""
    rows = await server.hall.store.read("SELECT count(*) FROM tables WHERE state = 'open'")
    count = rows[0][0]
    assert isinstance(count, int)
    return count


def _tell(start: Start, port: int) -> None:
    """Say on stdout where the server is, and what others need to come to it."""
    options, certificate = start.options, start.certificate
    host = options.host
    if is_wildcard(host):
        host = next(iter(own_addresses()), "127.0.0.1")
    address = Address(host, port, pin=certificate.pin if certificate else "")
    if start.as_json:
        facts = {
            "address": address.target,
            "port": port,
            "uri": str(address),
            "pin": address.pin or None,
            "certificate": str(certificate.path) if certificate else None,
            "database": None if options.database == MEMORY else options.database,
        }
        click.echo(json.dumps(facts))
        return
    kept = "keeps nothing" if options.database == MEMORY else f"keeps all in {options.database}"
    click.echo(f"Qin {version('qin-game')} listens on {Address(options.host, port).target}")
    click.echo(printable(f"and {kept}."))
    if certificate or start.lan:
        click.echo(f"\nPass this line on to those who are to play:\n  {address}\n")
    if certificate:
        click.echo(
            "Clients in other languages trust this certificate, whose name is"
            f" {CERTIFICATE_NAME} if qin made it:\n  {printable(str(certificate.path))}"
        )
    elif not is_loopback(options.host):
        click.echo("There is no TLS: anybody on the way can read and change everything.")
    if options.password:
        click.echo("Everybody needs the password, in QIN_PASSWORD or with --password-file.")
    click.echo("Ctrl-C stops it.")
