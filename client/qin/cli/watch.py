"""`qin watch`: look on at a table, line by line."""

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
from qin.cli.servers import ADDRESS, password_options, the_password
from qin.client.address import Address
from qin.client.channel import connected, metadata
from qin.client.follow import follow
from qin.client.happenings import ConnectionLost
from qin.engine.words import printable
from qin.v1.watch_pb2 import WatchResponse


@click.command(short_help="Look on at a table.")
@click.argument("where", metavar="SERVER/TABLE", type=ADDRESS)
@click.option("--code", default="", help="The table's invite code, where it needs one.")
@password_options
@json_option
def watch(
    where: Address,
    code: str,
    password: str,
    password_file: Path | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """Print everything that happens at a table, until it is gone or Ctrl-C.

    A lost connection is taken up again without missing anything. With --json
    the first line is {"snapshot": …}, and each event is a line.

    \b
    Example:
      qin watch 192.168.1.5/k3v9x2
      qin watch 'qin://192.168.1.5:50713/k3v9x2?code=tea&pin=…'
    """
    if not where.table:
        raise click.UsageError(
            f"which table? write {where.target}/TABLE; `qin tables {where.target}` lists them"
        )
    if code:
        where = Address(where.host, where.port, where.table, code, where.pin)
    asyncio.run(_watch(where, the_password(password, password_file), as_json=as_json))


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
