"""Plays a tournament to its end, or goes on with one: hands out games and takes results in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from qin.bots.tournament import schedule
from qin.bots.tournament.crew import Crew
from qin.bots.tournament.games import Job, Result
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.store import Store

AHEAD = 500
"""So many deals may be played before the first one that is not decided; then they wait for it."""
_TICK = 0.5
"""Seconds between two looks at the time while nothing happens."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    played: int
    """Games since this run began, those that are not decided yet among them."""
    ledger: Ledger


def run(ledger: Ledger, store: Store, crew: Crew, tell: Callable[[Progress], None]) -> None:
    """Play all that is still to be played."""
    pending: dict[Future[Result], Job] = {}
    jobs = _jobs(ledger)
    held: Job | None = None
    played = 0
    try:
        while not ledger.over:
            while len(pending) < crew.wanted:
                held = held or next(jobs)
                if held is None or not _may_start(ledger, held):
                    break
                pending[crew.submit(held)] = held
                held = None
            done, _ = wait(pending, timeout=_TICK, return_when=FIRST_COMPLETED)
            for future in done:
                del pending[future]
                whole = ledger.add(crew.result(future))
                played += 1
                if whole:
                    store.write(whole)
            tell(Progress(played, ledger))
    finally:
        for future in pending:
            future.cancel()
        crew.interrupt()
    store.finish(ledger.results)


def _jobs(ledger: Ledger) -> Iterator[Job | None]:
    """All games that are to be played, in order; None while the next round is not drawn yet."""
    number = 0
    while True:
        if number == len(ledger.rounds):
            yield None
            continue
        for group in ledger.rounds[number]:
            if ledger.knows(group) or ledger.cancelled(group):
                continue
            for game in group.games:
                yield schedule.job(ledger.settings, group, game)
        number += 1


def _may_start(ledger: Ledger, job: Job) -> bool:
    first = next(ledger.open_groups(), None)
    return first is None or job.deal < first.deal + AHEAD
