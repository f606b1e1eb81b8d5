"""`qin tournament`: let bots play each other, and learn who is better."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from qin.bots.spec import Spec
from qin.bots.tournament import store, summary
from qin.bots.tournament.crew import Crew, cluster, local
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.report import write_report
from qin.bots.tournament.rounds import extent
from qin.bots.tournament.runner import run as play_on
from qin.bots.tournament.serving import Where, served
from qin.bots.tournament.settings import (
    Format,
    Orders,
    Settings,
    Sprt,
    check,
    entrants,
    grounds,
)
from qin.cli.failure import Failure
from qin.cli.tournament_options import FOLDER, how_options, what_options
from qin.cli.tournament_progress import Display, display_for
from qin.cli.tournament_server import embedded_server
from qin.engine import Board
from qin.engine.names import NAME_LENGTH
from qin.engine.words import printable


@click.group(short_help="Let bots play each other.")
def tournament() -> None:
    """Let bots play each other, and learn who is better.

    \b
    Example:
      qin tournament run greedy random --games 200 --out first
      qin tournament report first
    """


@tournament.command(short_help="Play a tournament.")
@click.argument("specs", metavar="BOT...", nargs=-1, required=True)
@what_options
@click.option("--over-grpc", is_flag=True, help="Play through a real server instead of in process.")
@how_options
def run(
    specs: tuple[str, ...],
    games: int,
    boards: tuple[Board, ...],
    players: int,
    seed: int,
    out: Path,
    name: str | None,
    kind: str,
    rounds: int | None,
    orders: str,
    seconds: float,
    megabytes: int,
    faults: int,
    sprt: Sprt | None,
    concurrency: int,
    cluster: str | None,
    *,
    no_duplicates: bool,
    over_grpc: bool,
    as_json: bool,
) -> None:
    """Play a tournament between bots, and tell who is better.

    Every deal is played once for each rotation of the seats, so that the luck
    of the draw and of the seat cancels. Stop it at any moment; `qin tournament
    resume DIR` goes on.

    \b
    Example:
      qin tournament run greedy random --games 200 --out first
      qin tournament run greedy lookahead ./mine.py:MyBot --board bird,lion --players 3 --out second
      qin tournament run lookahead lookahead:width=16 --sprt elo0=0,elo1=20 --games 4000 --out third
    """
    bots = entrants(specs)
    settings = Settings(
        bots=bots,
        boards=grounds(boards),
        games=games,
        seed=seed,
        players=players,
        format=Format(kind),
        orders=Orders(orders),
        duplicates=not no_duplicates,
        rounds=rounds or 0,
        seconds=seconds,
        megabytes=megabytes,
        faults=faults,
        sprt=sprt,
        # A program knows no other way to play.
        over_grpc=over_grpc or any(Spec.parse(bot.spec).is_command for bot in bots),
        name=_checked_name(name or out.resolve().name),
    )
    check(settings)
    with store.create(out, settings) as folder:
        _play(Ledger(settings), folder, concurrency, cluster, display_for(as_json=as_json))


@tournament.command(short_help="Go on with a tournament.")
@click.argument("folder", metavar="DIR", type=FOLDER)
@how_options
def resume(folder: Path, concurrency: int, cluster: str | None, *, as_json: bool) -> None:
    """Go on with a tournament that was stopped; the final table is the same.

    Run it from the folder where the tournament was begun, so that the files of
    bots are found.

    \b
    Example:
      qin tournament resume first
    """
    settings = store.read_settings(folder)
    check(settings)
    with store.Store(folder) as opened:
        ledger = store.read_ledger(folder, settings)
        opened.tidy(ledger)
        _play(ledger, opened, concurrency, cluster, display_for(as_json=as_json))


@tournament.command(short_help="Write a page about a tournament.")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option(
    "--json", "as_json", is_flag=True, help="Print what was found as JSON; write no page."
)
def report(folder: Path, *, as_json: bool) -> None:
    """Write what a tournament found: DIR/report.html and tables as CSV.

    The page needs no other file and no network. A tournament that is not over
    is reported as far as it is.

    \b
    Example:
      qin tournament report first
    """
    ledger = store.read_ledger(folder, store.read_settings(folder))
    if not ledger.accepted:
        raise Failure(f"{folder}: no deal has been played to its end yet; there is nothing to tell")
    if as_json:
        click.echo(json.dumps(summary.facts(ledger)))
        return
    for path in write_report(folder, ledger):
        click.echo(printable(str(path)))


def _checked_name(name: str) -> str:
    """A name that a record and a table can hold."""
    kept = "".join(letter for letter in name if letter.isprintable() and letter not in '/"\\')
    return kept.strip()[:NAME_LENGTH].strip() or "tournament"


def _play(
    ledger: Ledger, folder: store.Store, concurrency: int, address: str | None, display: Display
) -> None:
    settings = ledger.settings
    planned = extent(settings)
    display.begins(settings, planned)
    try:
        with _crew(settings, concurrency, address) as crew:
            play_on(ledger, folder, crew, display.tell)
    except KeyboardInterrupt:
        display.ends()
        click.echo(
            f"stopped; go on with: qin tournament resume {printable(str(folder.folder))}", err=True
        )
        raise click.Abort from None
    display.ends()
    display.result(ledger)


@contextmanager
def _crew(settings: Settings, concurrency: int, address: str | None) -> Iterator[Crew]:
    if settings.over_grpc:
        if address:
            raise Failure("a cluster plays in process; leave --cluster or --over-grpc out")
        with served(embedded_server, concurrency, _tell_where) as crew:
            yield crew
        return
    with cluster(address) if address else local(concurrency) as crew:
        yield crew


def _tell_where(where: Where) -> None:
    click.echo(f"look on with: qin watch {where.address.target}", err=True)
