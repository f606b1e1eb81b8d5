"""The options of `qin serve`, and how they fit together."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import Any, TypeVar

import click
from qin.server.options import Limits

Command = TypeVar("Command", bound=Callable[..., Any])

_LIMITS = {
    "message_bytes": "The size of a message.",
    "chat_length": "The length of what is said.",
    "games": "Games of a series.",
    "tables_per_address": "Tables that were made from one address.",
    "watchers_per_table": "Watchers of one table.",
    "watches_per_token": "Watches of one table by one player.",
    "commands_per_message": "Commands in one message of a session.",
    "requests_per_second": "Requests of one address in a second.",
    "backlog_bytes": "What may wait for a slow watcher.",
}
_LEAST = {"message_bytes": 4096, "backlog_bytes": 65536}
"""With less, nobody could play."""
_MOST = 2**31 - 1

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class DurationType(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks only
    """A time such as `90s`, `30m`, `24h` or `7d`, in seconds."""

    name = "duration"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        del param, ctx
        return "TIME"

    def convert(
        self, value: str | float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if not isinstance(value, str):
            return value
        found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,3})?)([smhd])", value, re.ASCII)
        if not found or not float(found[1]):
            return self.fail(f"{value!r} is not a time; write 90s, 30m, 24h or 7d", param, ctx)
        return float(found[1]) * _UNITS[found[2]]


DURATION = DurationType()


def limit_options(command: Command) -> Command:
    """A flag for each limit: `limits_of` reads them."""
    usual = Limits()
    for name in reversed(_LIMITS):
        command = click.option(
            f"--max-{name.replace('_', '-')}",
            type=click.IntRange(_LEAST.get(name, 1), _MOST),
            default=getattr(usual, name),
            show_default=True,
            metavar="N",
            help=_LIMITS[name],
        )(command)
    return command


def limits_of(flags: dict[str, int]) -> Limits:
    return Limits(**{name.removeprefix("max_"): value for name, value in flags.items()})


def one_line(_ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    """A text that may appear in other people's terminals."""
    if text is not None and not (text.strip() and text.isprintable()):
        raise click.BadParameter("it is empty, or has control characters in it")
    return text


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_wildcard(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
