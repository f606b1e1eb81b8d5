"""`qin record`: check recorded games, and look into them."""

from __future__ import annotations

import json
from pathlib import Path

import click
from qin.cli.failure import Failure
from qin.cli.files import FILE, blamed_on, label, read_text
from qin.cli.moments import legal_counts, moments_of
from qin.cli.options import json_option
from qin.engine import Game, Record, parse_record
from qin.engine.words import counted, listed, printable


@click.group(short_help="Check and show recorded games.")
def record() -> None:
    """Check recorded games, and look into them.

    \b
    Example:
      qin record check games/*.qin
      qin record show games/000001.qin --ply 20
    """


@record.command(short_help="Replay games and verify them.")
@click.argument("files", metavar="FILE...", type=FILE, nargs=-1, required=True)
@click.option(
    "--legal-counts",
    is_flag=True,
    help="Print PLY COUNT for each placement and pass instead: the distinct placements"
    " that were open, 0 for a pass. Takes one FILE.",
)
@json_option
def check(files: tuple[Path, ...], legal_counts: bool, as_json: bool) -> None:  # noqa: FBT001
    """Replay games and verify that they end as they say.

    Ends at the first fault, with its line and the reason. Of a game whose server
    has revealed its salt, the shuffle is checked, too, and the line says so. A
    FILE - is standard input.

    \b
    Example:
      qin record check games/*.qin
      qin record check --legal-counts games/000001.qin
    """
    if legal_counts:
        if len(files) > 1 or as_json:
            raise click.UsageError("--legal-counts takes one FILE, and no --json")
        _print_legal_counts(files[0])
        return
    for path in files:
        with blamed_on(path):
            read = parse_record(read_text(path))
            end = read.check()
        click.echo(json.dumps(_facts(path, read, end)) if as_json else _verdict(path, read, end))


@record.command(short_help="Show a game at any ply.")
@click.argument("path", metavar="FILE", type=FILE)
@click.option(
    "--ply",
    type=click.IntRange(min=0),
    show_default="the end",
    help="The game after this many placements and passes; 0 is the start.",
)
@json_option
def show(path: Path, ply: int | None, as_json: bool) -> None:  # noqa: FBT001
    """Show a recorded game as it stood after a ply.

    Hands are open: the game is over. A FILE - is standard input.

    \b
    Example:
      qin record show games/000001.qin
      qin record show games/000001.qin --ply 20
    """
    with blamed_on(path):
        moments = moments_of(parse_record(read_text(path)))
    plies = len(moments) - 1
    if ply is not None and ply > plies:
        raise Failure(
            f"{label(path)}: there is no ply {ply};"
            f" the game has {counted(plies, 'ply', 'plies')}, and 0 is its start"
        )
    moment = moments[plies if ply is None else ply]
    click.echo(json.dumps(moment.facts()) if as_json else moment.text())


def _print_legal_counts(path: Path) -> None:
    with blamed_on(path):
        counts = legal_counts(parse_record(read_text(path)))
    for ply, count in enumerate(counts, start=1):
        click.echo(f"{ply} {count}")


def _shuffle(read: Record) -> str | None:
    """What a record that is right tells of its shuffle; without a salt there is no check."""
    if "Salt" in read.tags:
        return "checked"
    return "not revealed" if "Commitment" in read.tags else None


def _verdict(path: Path, read: Record, end: Game) -> str:
    winners = [read.seats[seat] for seat in read.outcome.winners]
    shuffle = _shuffle(read)
    return (
        f"{printable(label(path))}: ok, {end.players} players, {counted(end.ply, 'ply', 'plies')},"
        f" {read.outcome.ending.value}, winner{'s' if len(winners) > 1 else ''} {listed(winners)}"
        + (f", shuffle {shuffle}" if shuffle else "")
    )


def _facts(path: Path, read: Record, end: Game) -> dict[str, object]:
    return {
        "file": str(path),
        "board": read.board.name,
        "seats": read.seats,
        "plies": end.ply,
        "ending": read.outcome.ending.value,
        "winners": [seat + 1 for seat in read.outcome.winners],
        "reserves": read.reserves,
        "shuffle": _shuffle(read),
    }
