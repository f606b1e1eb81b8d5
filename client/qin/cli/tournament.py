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
from qin.bots.tournament.serving import Where, served
from qin.bots.tournament.settings import Settings, check, entrants
from qin.cli.failure import Failure
from qin.cli.tournament_host import host, tell_how_to_come, wait_until_offered
from qin.cli.tournament_options import FOLDER, Chosen, how_options, what_options
from qin.cli.tournament_play import play_with, stoppable
from qin.cli.tournament_progress import display_for
from qin.cli.tournament_server import Hosting, hosting, hosting_options
from qin.engine.words import printable


@click.group(short_help="Let bots play each other.")
def tournament() -> None:
    """Let bots play each other, and learn who is better.

    \b
    Example:
      qin tournament run greedy random --games 200 --out first
      qin tournament report first
    """


tournament.add_command(host)


@tournament.command(short_help="Play a tournament.")
@click.argument("specs", metavar="BOT...", nargs=-1, required=True)
@what_options
@click.option("--over-grpc", is_flag=True, help="Play through a real server instead of in process.")
@how_options
def run(
    specs: tuple[str, ...],
    out: Path,
    concurrency: int,
    cluster: str | None,
    *,
    over_grpc: bool,
    as_json: bool,
    **chosen: object,
) -> None:
    """Play a tournament between bots, and tell who is better.

    Every deal is played once for each rotation of the seats, so that the luck
    of the draw and of the seat cancels. Stop it at any moment; `qin tournament
    resume DIR` goes on.

    \b
    Example:
      qin tournament run greedy random --games 200 --out first
      qin tournament run greedy lookahead ./mine.py:MyBot --players 3 --out second
      qin tournament run lookahead lookahead:width=16 --sprt elo0=0,elo1=20 \\
        --games 4000 --out third
    """
    bots = entrants(specs)
    # A program knows no other way to play.
    served_only = any(Spec.parse(bot.spec).is_command for bot in bots)
    settings = Chosen(out=out, **chosen).settings(  # type: ignore[arg-type]
        bots, over_grpc=over_grpc or served_only
    )
    check(settings)
    store.check_free(out)
    with (
        stoppable("nothing was played yet"),
        _crew(settings, concurrency, cluster) as crew,
        store.create(out, settings) as folder,
    ):
        play_with(Ledger(settings), folder, crew, display_for(as_json=as_json))


@tournament.command(short_help="Go on with a tournament.")
@click.argument("folder", metavar="DIR", type=FOLDER)
@hosting_options
@how_options
def resume(
    folder: Path,
    port: int,
    password: str,
    password_file: Path | None,
    concurrency: int,
    cluster: str | None,
    *,
    lan: bool,
    plaintext: bool,
    as_json: bool,
) -> None:
    """Go on with a tournament that was stopped; the final table is the same.

    Run it from the folder where the tournament was begun, so that the files of
    bots are found. One that was hosted waits for its bots again.

    \b
    Example:
      qin tournament resume first
    """
    settings = store.read_settings(folder)
    check(settings)
    server = hosting(
        lan=lan, port=port, plaintext=plaintext, password=password, password_file=password_file
    )
    with (
        store.Store(folder) as opened,
        stoppable("nothing more was played"),
        _crew(settings, concurrency, cluster, server) as crew,
    ):
        ledger = store.read_ledger(folder, settings)
        opened.tidy(ledger)
        play_with(ledger, opened, crew, display_for(as_json=as_json))


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


@contextmanager
def _crew(
    settings: Settings, concurrency: int, address: str | None, server: Hosting | None = None
) -> Iterator[Crew]:
    """Who plays the games of these settings."""
    if address and settings.over_grpc:
        raise Failure("a cluster plays in process; leave --cluster or --over-grpc out")
    if not settings.over_grpc:
        with cluster(address) if address else local(concurrency) as crew:
            yield crew
        return
    remote = [bot.name for bot in settings.bots if not bot.spec]
    starter = server if server and remote else Hosting()
    tell = tell_how_to_come(settings.name) if remote else _tell_where
    with served(starter.server, concurrency, tell) as house:
        if remote:
            wait_until_offered(house.where, settings.name, remote, 0)
        yield house.crew


def _tell_where(where: Where) -> None:
    click.echo(f"look on with: qin tables '{where.public}', and qin watch", err=True)
