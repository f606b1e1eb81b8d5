"""What commands that speak to a server have in common: its address and its password."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from qin.cli.failure import Failure
from qin.cli.files import FILE, label, read_text
from qin.client.address import Address, AddressError

Command = TypeVar("Command", bound=Callable[..., Any])

_LONGEST_PASSWORD = 256


class AddressType(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks only
    """A server: HOST, HOST:PORT or a whole qin:// line."""

    name = "server"

    def convert(
        self, value: str | Address, param: click.Parameter | None, ctx: click.Context | None
    ) -> Address:
        if isinstance(value, Address):
            return value
        try:
            return Address.parse(value)
        except AddressError as error:
            return self.fail(str(error), param, ctx)


ADDRESS = AddressType()


def password_options(command: Command) -> Command:
    """`--password`, `--password-file` and QIN_PASSWORD; see `the_password`."""
    command = click.option(
        "--password-file",
        type=FILE,
        metavar="FILE",
        help="The server's password in a file, out of sight of other users of this machine.",
    )(command)
    return click.option(
        "--password",
        envvar="QIN_PASSWORD",
        show_envvar=True,
        default="",
        help="The server's password; other users of this machine can see it here.",
    )(command)


def the_password(password: str, file: Path | None) -> str:
    """The password, wherever it was given; a file goes before the environment."""
    if file is not None:
        source = click.get_current_context().get_parameter_source("password")
        if source is click.core.ParameterSource.COMMANDLINE:
            raise click.UsageError("give --password or --password-file, not both")
        password = read_text(file).strip("\r\n")
        if not password:
            raise Failure(f"{label(file)}: is empty; write the password into it")
    if not (password.isascii() and password.isprintable() and password == password.strip()):
        raise Failure(
            "a password has letters, digits and signs of ASCII, and no blanks at its ends"
        )
    if len(password) > _LONGEST_PASSWORD:
        raise Failure(f"a password has at most {_LONGEST_PASSWORD} characters")
    return password
