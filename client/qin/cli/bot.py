"""`qin bot`: run bots, check them, write new ones."""

from __future__ import annotations

import click
from qin.cli.lazy import LazyCommand, LazyGroup

COMMANDS = {
    "run": LazyCommand("qin.cli.bot_run:run", "Let a bot play."),
    "check": LazyCommand("qin.cli.bot_check:check", "Try a bot in awkward games."),
    "new": LazyCommand("qin.cli.bot_new:new", "Write a bot to begin with."),
    "list": LazyCommand("qin.cli.bot_list:list_bots", "List the bots that have a name."),
}


@click.group(cls=LazyGroup, lazy=COMMANDS, short_help="Run, check and write bots.")
def bot() -> None:
    """Run bots, check them, and write your own.

    A bot is named by a SPEC:

    \b
      greedy                    a bot that comes along, or that a package brings
      lookahead:width=12        with parameters
      ./mine.py:MyBot           a class in a file
      exec:node bot.js          any program that speaks the protocol

    \b
    Example:
      qin bot new mine.py
      qin bot check ./mine.py:MyBot
      qin bot run ./mine.py:MyBot 192.168.1.5 --forever
    """
