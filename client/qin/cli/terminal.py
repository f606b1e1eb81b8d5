"""The terminal that a full screen is shown in: whether there is one, and how it is used."""

from __future__ import annotations

import asyncio
import getpass
import logging
import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any, TypeVar

import click
import platformdirs
from prompt_toolkit.output import create_output
from qin.client.discover import Found, announcements
from qin.client.tui.stage import Stage
from qin.client.tui.theme import Palette, Theme, theme_for
from qin.engine import name_problem
from qin.engine.names import NAME_LENGTH
from zeroconf import Error as ZeroconfError

Command = TypeVar("Command", bound=Callable[..., Any])


def theme_options(command: Command) -> Command:
    """`--ascii` and `--palette`; see `terminal_theme`."""
    command = click.option(
        "--palette",
        type=click.Choice([palette.value for palette in Palette]),
        default=Palette.USUAL.value,
        show_default=True,
        help="Which colours to use.",
    )(command)
    return click.option(
        "--ascii", "ascii_only", is_flag=True, help="Draw with ASCII characters alone."
    )(command)


def is_terminal() -> bool:
    """Whether somebody sits in front of both ends of this process."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def terminal_theme(palette: str, *, ascii_only: bool) -> Theme:
    return theme_for(
        os.environ,
        encoding=sys.stdout.encoding or "ascii",
        usual_depth=create_output().get_default_color_depth(),
        palette=Palette(palette),
        ascii_only=ascii_only,
    )


def terminal_stage(palette: str, *, ascii_only: bool) -> Stage:
    """A full screen, which nothing else writes on."""
    # Without a handler, warnings of libraries would go to the terminal.
    logging.getLogger().addHandler(logging.NullHandler())
    return Stage(terminal_theme(palette, ascii_only=ascii_only))


def data_folder() -> Path:
    return platformdirs.user_data_path("qin", appauthor=False)


def user_name() -> str:
    """What a player is called who does not say."""
    try:
        known = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "you"
    name = "".join(letter for letter in known if letter.isprintable() and letter not in '/"\\')
    name = name.strip()[:NAME_LENGTH].strip()
    return "you" if name_problem(name) else name


async def lan_servers() -> AsyncGenerator[Found, None]:
    """Servers on the LAN as they are heard of. Without a network there are none."""
    try:
        async with aclosing(announcements()) as heard:
            async for found in heard:
                yield found
    except (OSError, ZeroconfError):
        await asyncio.Event().wait()
