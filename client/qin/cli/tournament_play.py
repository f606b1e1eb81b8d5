"""What all commands that play a tournament do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
from qin.bots.tournament.crew import Crew
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.rounds import extent
from qin.bots.tournament.runner import run as play_on
from qin.bots.tournament.store import Store
from qin.cli.tournament_progress import Display
from qin.engine.words import printable


def play_with(ledger: Ledger, folder: Store, crew: Crew, display: Display) -> None:
    """Play what is still to be played, and tell what was found."""
    display.begins(ledger.settings, extent(ledger.settings))
    try:
        play_on(ledger, folder, crew, display.tell)
        display.ends()
        display.result(ledger)
    except KeyboardInterrupt:
        display.ends()
        where = printable(str(folder.folder))
        click.echo(f"stopped; go on with: qin tournament resume {where}", err=True)
        raise click.Abort from None
    except BaseException:
        display.ends()
        raise


@contextmanager
def stoppable(told: str) -> Iterator[None]:
    """Ctrl-C before anything is played."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"stopped; {told}", err=True)
        raise click.Abort from None
