"""Tournaments for tests: settings, and results of games that nobody played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from qin.bots.tournament.crew import local
from qin.bots.tournament.games import Fault, Result, Times
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.runner import run
from qin.bots.tournament.schedule import Group
from qin.bots.tournament.settings import Settings, entrants, grounds
from qin.bots.tournament.store import RESULTS, create
from qin.engine import Board

BIRD = Board.named("bird")
BROKEN = Path(__file__).parent.parent / "broken"

Outcome = Callable[[Sequence[str]], tuple[int, ...]]
"""From who sits where to the seats, from 0, of those who win."""


def settings(*specs: str, **further: Any) -> Settings:
    facts: dict[str, Any] = {"games": 8, "seed": 1, "boards": grounds([BIRD]), **further}
    return Settings(bots=entrants(specs or ("random", "random")), **facts)


def broken(text: str) -> str:
    """The spec of a bot at fault, such as `slow.py:SlowBot`."""
    return f"{BROKEN}/{text}"


def result(
    made: Settings, group: Group, game: int, winners: Sequence[int], faults: Sequence[Fault] = ()
) -> Result:
    """A game that went so: the winners, from 0, have no pagodas left, the others some."""
    order = group.orders[game - group.first_game]
    return Result(
        game=game,
        deal=group.deal,
        round=group.round,
        board=group.ground.name,
        seats=tuple(made.names[bot] for bot in order),
        first=1,
        winners=tuple(seat + 1 for seat in winners),
        reserves=tuple(0 if seat in winners else 3 + bot for seat, bot in enumerate(order)),
        ending="last-pagoda",
        plies=30,
        times=(Times(10, 0.5, 0.2),) * len(order),
        faults=tuple(faults),
    )


def results_of(made: Settings, group: Group, outcome: Outcome) -> Iterator[Result]:
    for game in group.games:
        order = group.orders[game - group.first_game]
        yield result(made, group, game, outcome([made.names[bot] for bot in order]))


def played(made: Settings, outcome: Outcome) -> Ledger:
    """A whole tournament that nobody played."""
    ledger = Ledger(made)
    while not ledger.over:
        for each in results_of(made, next(ledger.open_groups()), outcome):
            ledger.add(each)
    return ledger


def by_chance(rng: Random, share: Callable[[str], float]) -> Outcome:
    """Who wins is drawn, each with a share of the lots."""

    def outcome(names: Sequence[str]) -> tuple[int, ...]:
        lot = rng.random() * sum(map(share, names))
        for seat, name in enumerate(names):
            lot -= share(name)
            if lot < 0:
                return (seat,)
        return (len(names) - 1,)

    return outcome


def play_here(folder: Path, made: Settings, concurrency: int = 2) -> Ledger:
    """A whole tournament that is really played, in processes."""
    ledger = Ledger(made)
    with create(folder, made) as store, local(concurrency) as crew:
        run(ledger, store, crew, lambda _: None)
    return ledger


def lines(folder: Path) -> list[dict[str, Any]]:
    """The file of results, without what differs from one run to the next: how long it took."""
    read = [json.loads(line) for line in (folder / RESULTS).read_text("utf-8").splitlines()]
    for each in read:
        del each["seconds"], each["slowest"]
    return read
