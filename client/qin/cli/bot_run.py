"""`qin bot run`: a bot at a table, or waiting for one."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import sys
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import click
from qin.bots import Spec
from qin.bots.runner import Runner
from qin.cli.failure import Failure
from qin.cli.servers import ADDRESS, password_options, the_password
from qin.cli.specs import SPEC
from qin.client import Address, ConnectError, connect
from qin.client.discover import discover
from qin.engine import name_problem
from qin.engine.words import counted, printable

_HERE = Address("127.0.0.1")


@click.command(short_help="Let a bot play.")
@click.argument("spec", type=SPEC)
@click.argument("server", type=ADDRESS, required=False)
@click.option("--table", default="", help="The table to join; or write SERVER/TABLE.")
@click.option("--code", default="", help="The table's invite code, where it needs one.")
@click.option("--seat", type=click.IntRange(1, 4), help="Which seat; any that is free without.")
@click.option("--games", type=click.IntRange(1), help="Leave after so many games.")
@click.option("--forever", is_flag=True, help="Wait for seats until Ctrl-C.")
@click.option("--tournament", default="", metavar="NAME", help="Wait for a tournament's seats.")
@click.option("--name", help="What the bot is called at the table.", show_default="by its spec")
@click.option("--seed", default=None, help="The same seed gives the same choices.")
@click.option("--quiet", is_flag=True, help="Say nothing unless something goes wrong.")
@click.option("--tied", is_flag=True, hidden=True, help="End when standard input ends.")
@click.option("--secret", envvar="QIN_BOT_SECRET", default="", hidden=True)
@password_options
def run(
    spec: Spec,
    server: Address | None,
    table: str,
    code: str,
    seat: int | None,
    games: int | None,
    forever: bool,  # noqa: FBT001
    tournament: str,
    name: str | None,
    seed: str | None,
    quiet: bool,  # noqa: FBT001
    tied: bool,  # noqa: FBT001
    secret: str,
    password: str,
    password_file: Path | None,
) -> None:
    """Let a bot play at a table; without one it waits until somebody asks for it.

    Without a SERVER this machine's is used, or else the only one on the LAN.
    A lost connection is taken up again.

    \b
    Example:
      qin bot run greedy 192.168.1.5/k3v9x2
      qin bot run lookahead:width=8 --forever
      qin bot run 'exec:node bot.js' 'qin://192.168.1.5:50713?pin=…' --games 10
    """
    if forever and games:
        raise click.UsageError("give --games or --forever, not both")
    if problem := name_problem(name or spec.name):
        raise click.BadParameter(problem, param_hint="--name")
    runner = Runner(
        bot=spec.load(),
        name=name or spec.name,
        seed=seed if seed is not None else secrets.token_hex(8),
        password=the_password(password, password_file),
        secret=secret,
        told=(lambda _: None) if quiet else lambda line: click.echo(printable(line)),
    )
    table_id = table or (server.table if server else "")
    if table_id and (tournament or forever):
        raise click.UsageError("a bot that sits at a table does not wait for others; leave one out")

    async def play() -> None:
        address = server or await _find()
        async with connect(address, password=runner.password) as client:
            if table_id:
                invite = code or address.code
                played = await runner.join(client, table_id, code=invite, seat=seat or 0)
            else:
                for_what = f"tournament {tournament}" if tournament else "anybody who asks for it"
                runner.told(f"{runner.name} waits at {address.target} for {for_what}")
                wanted = None if forever or tournament else games or 1
                played = await runner.offer(client, games=wanted, tournament=tournament)
            runner.told(f"{runner.name} has played {counted(played, 'game')}")

    asyncio.run(_tied(play) if tied else play())


async def _find() -> Address:
    """This machine's server, or the only one on the LAN."""
    with contextlib.suppress(ConnectError):
        async with connect(_HERE):
            return _HERE
    found = await discover()
    if not found:
        raise Failure(
            "no server on this machine or the LAN; start one with `qin serve`, or name it"
        )
    if len(found) > 1:
        lines = ", ".join(f"{each.name} ({each.address})" for each in found)
        raise Failure(f"which server? there are {lines}")
    return found[0].address


async def _tied(play: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Play until standard input ends: that of a house bot ends with the server beside it."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def wait() -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stdin.buffer.read()
        with contextlib.suppress(RuntimeError):  # the loop is closed: all is over anyway
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait, daemon=True).start()
    playing = asyncio.create_task(play())
    waiting = asyncio.create_task(ended.wait())
    await asyncio.wait({playing, waiting}, return_when=asyncio.FIRST_COMPLETED)
    if playing.done():
        await playing
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
