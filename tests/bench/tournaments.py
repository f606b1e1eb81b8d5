"""Tournament games a second: bare, through the runner on one and two cores, and over gRPC.

All ways play the same games in turn, five times, so that all of them meet the same machine; what
counts are the ratios of the medians.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from qin.bots import Spec
from qin.bots.arena import play
from qin.bots.tournament.crew import Crew, local
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.runner import run
from qin.bots.tournament.schedule import job
from qin.bots.tournament.serving import served
from qin.bots.tournament.settings import Settings, entrants, grounds
from qin.bots.tournament.store import create
from qin.cli.tournament_server import Hosting
from qin.engine import Board
from rig import hosted
from served import raw_unary

BARE, BARE_TWICE = "bare engine", "bare, 2 processes"
ONE, TWO, GRPC = "runner, 1 at a time", "runner, 2 at a time", "over gRPC, 2 at a time"
MESSAGE = 60
"""Bytes of a call to place a tile, about."""


def settings(games: int, seed: int) -> Settings:
    return Settings(
        bots=entrants(["greedy", "greedy"]),
        boards=grounds([Board.named("bird")]),
        games=games,
        seed=seed,
    )


def bare(made: Settings) -> float:
    """The same games with nothing but the engine and the bots."""
    began = time.perf_counter()
    played(made)
    return made.games / (time.perf_counter() - began)


def played(made: Settings) -> int:
    """Play all games; tells how many plies that took."""
    board = made.boards[0].board()
    bot = Spec.parse("greedy").load_python()
    plies = 0
    for group in Ledger(made).round:
        for game in group.games:
            task = job(made, group, game)
            deal, first = task.dealt()
            bots = [bot(f"{task.bot_seed(seat)}/1") for seat in range(2)]
            over, record = play(board, deal, bots, first=first)
            plies += over.ply
            str(record)
    return plies


def run_by(crew: Crew, made: Settings) -> float:
    with tempfile.TemporaryDirectory() as folder, create(Path(folder) / "t", made) as store:
        ledger = Ledger(made)
        began = time.perf_counter()
        run(ledger, store, crew, lambda _: None)
        return made.games / (time.perf_counter() - began)


def ways(stack: ExitStack) -> Iterator[tuple[str, Callable[[Settings], float]]]:
    """All ways to play, each ready: processes are started and warm."""
    yield BARE, bare
    spawn = multiprocessing.get_context("spawn")
    pool = stack.enter_context(ProcessPoolExecutor(2, spawn))
    yield BARE_TWICE, lambda made: sum(pool.map(bare, [made, made]))
    for name, cores in ((ONE, 1), (TWO, 2)):
        crew = _lasting(stack.enter_context(local(cores)))
        yield name, partial(run_by, crew)
    house = stack.enter_context(served(Hosting().server, 2, lambda _: None))
    yield GRPC, partial(run_by, house.crew)


def _lasting(crew: Crew) -> Crew:
    """A crew that several tournaments use: the end of one does not send it home."""
    crew.interrupt = lambda: None
    return crew


def echo_rate() -> float:
    """Calls a second that a server which does nothing answers here."""
    with hosted("echo") as (address, _):
        return asyncio.run(raw_unary(address, 2.0, MESSAGE, MESSAGE))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rates: dict[str, list[float]] = {}
    with ExitStack() as stack:
        ready = list(ways(stack))
        for _, way in ready:
            way(settings(8, 0))
        for number in range(options.rounds):
            for name, way in ready:
                rates.setdefault(name, []).append(way(settings(options.games, number + 1)))
    medians = {name: statistics.median(each) for name, each in rates.items()}
    for name, median in medians.items():
        print(f"{name:<26}{median:>8.1f} games a second")
    overhead = statistics.median(
        plain / through - 1 for plain, through in zip(rates[BARE], rates[ONE], strict=True)
    )
    print(
        f"two cores against one     {medians[TWO] / medians[ONE]:>8.2f} times (goal: 1.7);"
        f" bare games gain {medians[BARE_TWICE] / medians[BARE]:.2f} here"
    )
    print(f"overhead of the runner    {overhead:>8.1%} (goal: under 10 %)")
    echo = echo_rate()
    plies = played(settings(options.games, 1)) / options.games
    print(
        f"raw echo                  {echo:>8.0f} calls a second, enough for {echo / plies:.0f}"
        f" games of {plies:.0f} plies; over gRPC {medians[GRPC] * plies / echo:.1%} of it"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
