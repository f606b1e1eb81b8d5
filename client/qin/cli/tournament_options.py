"""The options of a tournament: what it is, and how it is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click
from qin.bots.tournament.crew import cores
from qin.bots.tournament.settings import Entrant, Format, Orders, Settings, Sprt, grounds
from qin.cli.options import BOARD, PLAYERS, json_option, seed_option
from qin.engine import Board, board_names
from qin.engine.names import NAME_LENGTH

Command = TypeVar("Command", bound=Callable[..., Any])
FOLDER = click.Path(path_type=Path)


class BoardsType(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks only
    """Boards by their names or files, parted by commas."""

    name = "boards"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        del param, ctx
        return "NAME|FILE,..."

    def convert(
        self,
        value: str | tuple[Board, ...],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[Board, ...]:
        if isinstance(value, tuple):
            return value
        return tuple(BOARD.convert(part.strip(), param, ctx) for part in value.split(","))


class SprtType(click.ParamType):  # type: ignore[type-arg]  # likewise
    """`elo0=0,elo1=20`, and if wanted `alpha` and `beta`."""

    name = "sprt"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        del param, ctx
        return "elo0=N,elo1=N"

    def convert(
        self, value: str | Sprt, param: click.Parameter | None, ctx: click.Context | None
    ) -> Sprt:
        if isinstance(value, Sprt):
            return value
        known: dict[str, float] = {}
        for part in value.split(","):
            name, _, number = part.partition("=")
            if name.strip() in known:
                return self.fail(f"{name.strip()} stands twice; name it once", param, ctx)
            try:
                known[name.strip()] = float(number)
            except ValueError:
                return self.fail(f"{part!r} is not NAME=NUMBER", param, ctx)
        if missing := {"elo0", "elo1"} - set(known):
            return self.fail(f"{min(missing)} is missing; write elo0=0,elo1=20", param, ctx)
        if strange := set(known) - {"elo0", "elo1", "alpha", "beta"}:
            return self.fail(
                f"there is no {min(strange)!r}; there are elo0, elo1, alpha and beta",
                param,
                ctx,
            )
        return Sprt(**known)


def what_options(command: Command) -> Command:
    """What decides the games; kept in the folder."""
    options = (
        click.option(
            "--games",
            type=click.IntRange(min=1),
            default=100,
            show_default=True,
            help="Games in all, over all pairings and boards; rounded up to whole deals.",
        ),
        click.option(
            "--board",
            "boards",
            type=BoardsType(),
            default=board_names()[0],
            show_default=True,
            help="Boards by their names or files, parted by commas.",
        ),
        click.option(
            "--players", type=PLAYERS, default=2, show_default=True, help="Seats at each table."
        ),
        seed_option,
        click.option(
            "--out", type=FOLDER, required=True, metavar="DIR", help="The folder to write to."
        ),
        click.option("--name", help="What it is called.", show_default="the name of the folder"),
        click.option(
            "--format",
            "kind",
            type=click.Choice([each.value for each in Format]),
            default=Format.ROUND_ROBIN.value,
            show_default=True,
            help="Who meets whom. In a gauntlet the first bot meets all others.",
        ),
        click.option("--rounds", type=click.IntRange(min=1), help="Rounds of a Swiss tournament."),
        click.option(
            "--orders",
            type=click.Choice([each.value for each in Orders]),
            default=Orders.ROTATIONS.value,
            show_default=True,
            help="In which orders of the seats each deal is played.",
        ),
        click.option(
            "--no-duplicates",
            is_flag=True,
            help="Play every deal once, for bots that cannot be trusted to forget it.",
        ),
        click.option(
            "--time",
            "seconds",
            type=float,
            default=10.0,
            show_default=True,
            help="Seconds that a bot may take for a decision.",
        ),
        click.option(
            "--memory",
            "megabytes",
            type=int,
            default=2048,
            show_default=True,
            help="Megabytes that the process of a bot may hold.",
        ),
        click.option(
            "--faults",
            type=click.IntRange(min=0),
            default=10,
            show_default=True,
            help="Withdraw a bot that has so many; 0 for never.",
        ),
        click.option(
            "--sprt",
            type=SprtType(),
            help="Two bots: stop as soon as it is decided which Elo difference is true.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Chosen:
    """What `what_options` brought."""

    out: Path
    games: int
    boards: tuple[Board, ...]
    players: int
    seed: int
    name: str | None
    kind: str
    rounds: int | None
    orders: str
    no_duplicates: bool
    seconds: float
    megabytes: int
    faults: int
    sprt: Sprt | None

    @property
    def label(self) -> str:
        """What the tournament is called, as a record and a table can hold it."""
        name = self.name or self.out.resolve().name
        kept = "".join(each for each in name if each.isprintable() and each not in '/"\\')
        return kept.strip()[:NAME_LENGTH].strip() or "tournament"

    def settings(self, bots: tuple[Entrant, ...], *, over_grpc: bool) -> Settings:
        return Settings(
            bots=bots,
            boards=grounds(self.boards),
            games=self.games,
            seed=self.seed,
            players=self.players,
            format=Format(self.kind),
            orders=Orders(self.orders),
            duplicates=not self.no_duplicates,
            rounds=self.rounds or 0,
            seconds=self.seconds,
            megabytes=self.megabytes,
            faults=self.faults,
            sprt=self.sprt,
            over_grpc=over_grpc,
            name=self.label,
        )


def how_options(command: Command) -> Command:
    """How it is run; may be another way each time."""
    options = (
        click.option(
            "--concurrency",
            type=click.IntRange(min=1),
            default=cores,
            show_default="the cores of this machine",
            help="Games at a time.",
        ),
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Play on the Dask cluster whose scheduler is there.",
        ),
        json_option,
    )
    for option in reversed(options):
        command = option(command)
    return command
