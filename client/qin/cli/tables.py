"""`qin tables`: what is played where."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import NamedTuple

import click
from qin.cli.options import json_option
from qin.cli.servers import ADDRESS, password_options, the_password
from qin.client.address import Address
from qin.client.client import connect
from qin.client.discover import discover
from qin.client.errors import CallError, ConnectError
from qin.engine.words import counted, printable
from qin.v1 import types_pb2 as pb

_HERE = Address("127.0.0.1")
STATES = {
    pb.TABLE_STATE_OPEN: "open",
    pb.TABLE_STATE_PLAYING: "playing",
    pb.TABLE_STATE_FINISHED: "finished",
}


class Listed(NamedTuple):
    """A server with its tables."""

    address: Address
    name: str
    """As it announced itself; empty where it did not."""
    tables: list[pb.Table]
    problem: str = ""
    """Why the tables cannot be told."""


@click.command(short_help="List tables.")
@click.argument("server", type=ADDRESS, required=False)
@password_options
@json_option
def tables(
    server: Address | None,
    password: str,
    password_file: Path | None,
    as_json: bool,  # noqa: FBT001
) -> None:
    """List the tables of a SERVER; without one, of all on this machine and the LAN.

    A SERVER is HOST, HOST:PORT or the qin:// line that `qin serve` printed.

    \b
    Example:
      qin tables
      qin tables 192.168.1.5:50713
      qin tables 'qin://192.168.1.5:50713?pin=…' --json
    """
    secret = the_password(password, password_file)
    if server:
        listed = [Listed(server, "", asyncio.run(_tables_of(server, secret)))]
    else:
        listed = asyncio.run(_everywhere(secret))
    if as_json:
        click.echo(json.dumps([_facts(each) for each in listed]))
        return
    if not listed:
        click.echo("No server on this machine or the LAN; start one with: qin serve --lan")
    for each in listed:
        click.echo(_text(each))


async def _tables_of(address: Address, password: str) -> list[pb.Table]:
    async with connect(address, password=password) as client:
        return await client.tables()


async def _everywhere(password: str) -> list[Listed]:
    async def here() -> Listed | None:
        try:
            return Listed(_HERE, "this machine", await _tables_of(_HERE, password))
        except ConnectError:
            return None
        except CallError as error:
            return Listed(_HERE, "this machine", [], str(error))

    async def there(address: Address, name: str) -> Listed:
        try:
            return Listed(address, name, await _tables_of(address, password))
        except (ConnectError, CallError) as error:
            return Listed(address, name, [], str(error))

    local, announced = await asyncio.gather(here(), discover())
    listed = await asyncio.gather(*(there(each.address, each.name) for each in announced))
    if local and not any(_same(local, each) for each in listed):
        return [local, *listed]
    return listed


def _same(one: Listed, other: Listed) -> bool:
    """Whether this machine's server is one that was found on the LAN, too."""
    return one.address.port == other.address.port and (
        {table.table_id for table in one.tables} == {table.table_id for table in other.tables}
    )


def _text(listed: Listed) -> str:
    name = f"{printable(listed.name)}: " if listed.name else ""
    head = f"{name}{Address(listed.address.host, listed.address.port, pin=listed.address.pin)}"
    if listed.problem:
        return f"{head}\n  {printable(listed.problem)}"
    if not listed.tables:
        return f"{head}\n  no tables"
    return "\n".join([head, *(f"  {_line(table)}" for table in listed.tables)])


def _line(table: pb.Table) -> str:
    names = ", ".join(printable(seat.name) if seat.name else "(free)" for seat in table.seats)
    notes = [f"game {table.game} of {table.settings.games}"] if table.settings.games > 1 else []
    notes += ["needs a code"] if table.needs_code else []
    notes += ["no spectators"] if table.settings.no_spectators else []
    notes += [counted(table.spectators, "spectator")] if table.spectators else []
    state = STATES.get(table.state, "?")
    tail = f"  ({', '.join(notes)})" if notes else ""
    return (
        f"{printable(table.table_id)}  {state:<8}  {printable(table.board_name):<6}  {names}{tail}"
    )


def _facts(listed: Listed) -> dict[str, object]:
    return {
        "server": str(listed.address),
        "name": listed.name or None,
        "problem": listed.problem or None,
        "tables": [
            {
                "table": table.table_id,
                "state": STATES.get(table.state),
                "board": table.board_name,
                "seats": [seat.name or None for seat in table.seats],
                "game": table.game,
                "games": table.settings.games or 1,
                "needs_code": table.needs_code,
                "spectators": table.spectators,
            }
            for table in listed.tables
        ],
    }
