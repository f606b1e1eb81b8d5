"""`qin tournament host`: wait for bots that offer themselves, and let them play each other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from time import sleep

import click
from qin.bots.tournament import store
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.serving import Where, served
from qin.bots.tournament.settings import Entrant, check, entrants
from qin.cli.failure import Failure
from qin.cli.tournament_options import Chosen, how_options, what_options
from qin.cli.tournament_play import play_with, stoppable
from qin.cli.tournament_progress import display_for
from qin.cli.tournament_server import hosting, hosting_options
from qin.engine import name_problem
from qin.engine.words import counted, listed, printable

_TICK = 0.1


@click.command(short_help="Wait for bots on the LAN, and let them play.")
@click.argument("specs", metavar="[BOT]...", nargs=-1)
@click.option(
    "--wait-for", metavar="NAME,...", default="", help="The names of the bots that are to come."
)
@click.option(
    "--bots", type=click.IntRange(min=1), help="How many are to come, whatever their names."
)
@hosting_options
@what_options
@how_options
def host(
    specs: tuple[str, ...],
    wait_for: str,
    bots: int | None,
    port: int,
    password: str,
    password_file: Path | None,
    out: Path,
    concurrency: int,
    cluster: str | None,
    *,
    lan: bool,
    plaintext: bool,
    as_json: bool,
    **chosen: object,
) -> None:
    """Wait until the bots that are named, or so many, have offered themselves; then play.

    Others bring theirs with `qin bot run BOT SERVER --tournament NAME`, or with
    any program that opens the Offer stream. BOTs named here play, too.

    \b
    Example:
      qin tournament host --lan --bots 4 --name spring --games 200 --out spring
      qin tournament host greedy --wait-for ann,bob --name spring --out spring
    """
    if bool(wait_for) is bool(bots):
        raise click.UsageError("give --wait-for or --bots: who, or how many, are to come?")
    if cluster:
        raise click.UsageError("a hosted tournament plays here; leave --cluster out")
    own = entrants(specs)
    names = [name.strip() for name in wait_for.split(",") if name.strip()]
    for name in names:
        if problem := name_problem(name):
            raise click.BadParameter(f"{name!r}: {problem}", param_hint="--wait-for")
    store.check_free(out)
    settings = Chosen(out=out, **chosen)  # type: ignore[arg-type]
    # Whoever comes, all but their names is known; what is wrong is told before anybody waits.
    expected = names or [f"remote bot {number + 1}" for number in range(bots or 0)]
    check(settings.settings((*own, *_remote(expected)), over_grpc=True))
    display = display_for(as_json=as_json)
    server = hosting(
        lan=lan, port=port, plaintext=plaintext, password=password, password_file=password_file
    )
    with (
        stoppable("nothing was played yet"),
        served(server.server, concurrency, tell_how_to_come(settings.label)) as house,
    ):
        come = wait_until_offered(house.where, settings.label, names, bots or 0)
        if clash := {bot.name for bot in own} & set(come):
            raise Failure(f"two bots are called {min(clash)!r}; one of them needs another --name")
        made = settings.settings((*own, *_remote(come)), over_grpc=True)
        check(made)
        with store.create(out, made) as folder:
            play_with(Ledger(made), folder, house.crew, display)


def _remote(names: Iterable[str]) -> Iterator[Entrant]:
    return (Entrant(name, "") for name in names)


def tell_how_to_come(tournament: str) -> Callable[[Where], None]:
    """Tells where a server is to those who bring the bots."""

    def told(where: Where) -> None:
        click.echo(
            printable(
                f"bots come with: qin bot run BOT '{where.public}' --tournament {tournament!r}"
            ),
            err=True,
        )

    return told


def wait_until_offered(
    where: Where, tournament: str, names: Collection[str], number: int
) -> list[str]:
    """Those who have come, once all that were named, or enough of any names, have."""
    told: list[str] | None = None
    while True:
        there = where.offered(tournament)
        if names and set(names) <= set(there):
            return sorted(names)
        if number and len(there) >= number:
            return there[:number]
        if there != told:
            told = there
            click.echo(printable(_waiting(there, names, number)), err=True)
        sleep(_TICK)


def _waiting(there: Collection[str], names: Collection[str], number: int) -> str:
    here = listed(list(there)) if there else "nobody"
    if names:
        missing = listed([name for name in names if name not in there])
        return f"{here} is here; waiting for {missing}"
    return f"{here} is here; waiting for {counted(number - len(there), 'more bot')}"
