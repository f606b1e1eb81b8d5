"""`qin watch`: look on at a table, full screen or line by line."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import aclosing
from pathlib import Path

import click
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from qin.cli.news import News
from qin.cli.options import json_option
from qin.cli.plain import is_dumb
from qin.cli.servers import ADDRESS, password_options, the_password
from qin.cli.terminal import is_terminal, terminal_stage, theme_options
from qin.client.address import Address
from qin.client.channel import connected, metadata
from qin.client.client import connect
from qin.client.follow import follow
from qin.client.happenings import ConnectionLost
from qin.client.tui.stage import Stage
from qin.client.tui.table_screen import TableScreen
from qin.engine.words import printable
from qin.v1.watch_pb2 import WatchResponse


@click.command(short_help="Look on at a table.")
@click.argument("where", metavar="SERVER/TABLE", type=ADDRESS, required=False)
@click.option("--code", default="", help="The table's invite code, where it needs one.")
@click.option("--plain", is_flag=True, help="Line by line, as without a terminal.")
@theme_options
@password_options
@json_option
def watch(
    where: Address | None,
    code: str,
    plain: bool,  # noqa: FBT001
    ascii_only: bool,  # noqa: FBT001
    palette: str,
    password: str,
    password_file: Path | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Look on at a table, until it is gone or Ctrl-C.

    A lost connection is taken up again without missing anything. Without a
    terminal everything that happens is printed, line by line; with --json the
    first line is {"snapshot": …}, and each event is a line.

    \b
    Example:
      qin watch 192.168.1.5/k3v9x2
      qin watch 'qin://192.168.1.5:50713/k3v9x2?code=tea&pin=…'
    """
    if where is None:
        raise click.UsageError("which table? write SERVER/TABLE; `qin tables` lists them")
    if not where.table:
        raise click.UsageError(
            f"which table? write {where.target}/TABLE; `qin tables {where.target}` lists them"
        )
    if code:
        where = Address(where.host, where.port, where.table, code, where.pin)
    secret = the_password(password, password_file)
    if plain or as_json or is_dumb() or not is_terminal():
        asyncio.run(_watch(where, secret, as_json=as_json))
    else:
        stage = terminal_stage(palette, ascii_only=ascii_only)
        asyncio.run(stage.run(lambda stage: _look_on(stage, where, secret)))


async def _look_on(stage: Stage, where: Address, password: str) -> None:
    async with connect(where, password=password) as client:
        screen = TableScreen(stage, client, client.table())
        screen.way_out = "quit"
        await stage.show(screen)


async def _watch(where: Address, password: str, *, as_json: bool) -> None:
    news = News()
    async with connected(where) as channel:
        sent = metadata(password=password)
        watching = follow(channel, where.table, sent, code=where.code)
        async with aclosing(watching) as responses:
            async for response in responses:
                if isinstance(response, ConnectionLost):
                    click.echo(printable(f"{response.why}; trying again …"), err=True)
                    continue
                for line in _json_lines(response) if as_json else news.lines(response):
                    click.echo(line)


def _json_lines(response: WatchResponse) -> Iterator[str]:
    if response.HasField("snapshot"):
        yield json.dumps({"snapshot": _plain(response.snapshot)})
    for event in response.events:
        yield json.dumps(_plain(event))
    if response.HasField("closing"):
        yield json.dumps({"closing": _plain(response.closing)})


def _plain(message: Message) -> dict[str, object]:
    plain: dict[str, object] = MessageToDict(message, preserving_proto_field_name=True)
    return plain
