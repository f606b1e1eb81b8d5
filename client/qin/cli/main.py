"""`qin`: the commands, and what they have in common."""

from __future__ import annotations

import io
import os
import platform
import sys
from importlib.metadata import version

import click
from qin.cli.edge import EdgeGroup
from qin.cli.lazy import LazyCommand
from qin.engine import RULES_VERSION
from qin.engine.record import VERSION as RECORD_VERSION
from qin.v1.conventions import PROTOCOL_VERSION

COMMANDS = {
    "play": LazyCommand("qin.cli.play:play", "Play a game here, or with others."),
    "serve": LazyCommand("qin.cli.serve:serve", "Serve games, here or on the LAN."),
    "tables": LazyCommand("qin.cli.tables:tables", "List tables."),
    "watch": LazyCommand("qin.cli.watch:watch", "Look on at a table."),
    "tournament": LazyCommand("qin.cli.tournament:tournament", "Let bots play each other."),
    "bot": LazyCommand("qin.cli.bot:bot", "Run, check and write bots."),
    "simulate": LazyCommand("qin.cli.simulate:simulate", "Play random games, and measure."),
    "replay": LazyCommand("qin.cli.replay:replay", "Step through a recorded game."),
    "record": LazyCommand("qin.cli.record:record", "Check and show recorded games."),
    "boards": LazyCommand("qin.cli.boards:boards", "List, show and check boards."),
}


def _tell_versions(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:  # noqa: FBT001
    if wanted and not ctx.resilient_parsing:
        click.echo(f"qin-game {version('qin-game')}")
        click.echo(f"rules {RULES_VERSION}")
        click.echo(f"protocol {PROTOCOL_VERSION}")
        click.echo(f"record {RECORD_VERSION}")
        click.echo(f"Python {platform.python_version()}")
        ctx.exit()


@click.group(cls=EdgeGroup, lazy=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_tell_versions,
    help="Tell all versions and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Qin, the tile-laying game for 2 to 4 players.

    \b
    Example:
      qin play
      qin simulate --games 1000
      qin COMMAND --help
    """
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        ctx.color = False


def main() -> None:
    for stream in (sys.stdout, sys.stderr):
        # A name that the terminal cannot show must not end the program.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # gRPC's core writes to stderr, and looks here when it is imported.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    cli(prog_name="qin")
