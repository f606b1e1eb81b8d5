"""Make the golden counts and records anew: `python tests/engine/golden/make.py`.

Every count is made by the engine and again by the reference; nothing is written when they differ.
It takes a few minutes. A change in what it writes is a change of the rules or of the order in which
placements are listed: look at it before it is committed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # tests/, as pytest has it

from engine.golden.counting import (
    COUNTS,
    FOLDER,
    Counted,
    Counts,
    GameCount,
    Plan,
    TreeCount,
    count_game,
    count_tree,
    recount_game,
    recount_tree,
    root,
)
from engine.strategies import table_of
from qin.engine import Ending, Record

SMALL = ("tight", "strip", "towns", "ladder")
GAMES = [
    *(
        Plan(board, players, seed)
        for board in ("bird", "lion")
        for players in (2, 3, 4)
        for seed in (1, 2, 3)
    ),
    *(
        Plan(board, players, 10 + players, 0.02)
        for board in ("bird", "lion", "plain")
        for players in (3, 4)
    ),
    *(Plan(board, players, seed) for board in SMALL for players in (2, 3, 4) for seed in (1, 2)),
]
TREES = [
    *((Plan(board, players, 5), 0, 2) for board in ("bird", "lion") for players in (2, 3, 4)),
    *((Plan(board, 2, 5), 0, 3) for board in ("bird", "lion")),
    *((Plan(board, players, 6), 30, 2) for board in ("bird", "lion") for players in (2, 3, 4)),
    *((Plan(board, players, 7), 0, 3) for board in SMALL for players in (2, 3)),
    *((Plan(board, players, 8), 5, 3) for board in SMALL for players in (2, 4)),
]

RECORDS: dict[str, tuple[str, int, float, Callable[[Record], bool]]] = {
    "bird-2-last-pagoda": ("bird", 2, 0, lambda r: r.outcome.ending is Ending.LAST_PAGODA),
    "lion-3-last-pagoda": ("lion", 3, 0, lambda r: r.outcome.ending is Ending.LAST_PAGODA),
    "bird-4-board-full": ("bird", 4, 0, lambda r: r.outcome.ending is Ending.BOARD_FULL),
    "plain-4-out-of-tiles": ("plain", 4, 0, lambda r: r.outcome.ending is Ending.OUT_OF_TILES),
    "corner-2-no-placement": ("corner", 2, 0, lambda r: r.outcome.ending is Ending.NO_PLACEMENT),
    "ladder-2-pass": ("ladder", 2, 0, lambda r: "pass" in moves_of(r)),
    "tight-3-shared": ("tight", 3, 0, lambda r: len(r.outcome.winners) == 2),
    "lion-3-resign": ("lion", 3, 0.02, lambda r: went_on(r) and "resign" in moves_of(r)),
    "bird-4-forfeit-out-of-turn": (
        "bird",
        4,
        0.02,
        lambda r: went_on(r) and any(move.endswith("=forfeit") for move in moves_of(r)),
    ),
    "lion-2-resigned": ("lion", 2, 0.02, lambda r: r.outcome.ending is Ending.RESIGNED),
    "bird-3-all-forfeit": ("bird", 3, 0.05, lambda r: r.outcome.ending is Ending.FORFEIT),
    "lion-4-last-pagoda-of-one-who-is-out": (
        "lion",
        4,
        0.02,
        lambda r: r.outcome.ending is Ending.LAST_PAGODA and r.reserves[r.outcome.winners[0]] > 0,
    ),
}
"""Board, players, how likely somebody withdraws, and what the record is to show."""


def moves_of(record: Record) -> list[str]:
    return [str(move) for moves in record.rounds for move in moves]


def went_on(record: Record) -> bool:
    """Whether the game ended on the board, whoever left it before."""
    return record.outcome.ending not in {Ending.RESIGNED, Ending.FORFEIT}


def confirmed(what: object, one: object, other: object) -> None:
    sys.stdout.write(f"{what}: {one}\n")
    if one != other:
        sys.exit(f"{what}: the engine counts {one}, the reference {other}")


def counted(plan: Plan) -> Counted:
    return Counted(board=plan.board, players=plan.players, seed=plan.seed, quitters=plan.quitters)


def make_counts() -> Counts:
    counts = Counts(games=[], trees=[])
    for plan in GAMES:
        plies, placements = count_game(plan)
        confirmed(plan, (plies, placements), recount_game(plan))
        game = GameCount(
            **counted(plan),
            plies=plies,
            placements=placements,
        )
        counts["games"].append(game)
    for plan, after, depth in TREES:
        start = root(plan, after)
        sequences = count_tree(start, depth)
        confirmed((plan, after, depth), sequences, recount_tree(table_of(start), depth))
        tree = TreeCount(
            **counted(plan),
            after=after,
            depth=depth,
            sequences=sequences,
        )
        counts["trees"].append(tree)
    return counts


def make_records() -> dict[str, str]:
    texts = {}
    for name, (board, players, quitters, shows) in RECORDS.items():
        records = (Plan(board, players, seed, quitters).record() for seed in count(1))
        texts[name] = str(next(record for record in records if shows(record)))
    return texts


def main() -> None:
    texts = make_records()
    counts = make_counts()
    for name, text in texts.items():
        (FOLDER / f"{name}.qin").write_text(text, "utf-8")
    lines = {
        kind: ",\n".join(f"    {json.dumps(entry)}" for entry in counts[kind])
        for kind in ("games", "trees")
    }
    COUNTS.write_text(
        "{\n" + ",\n".join(f'  "{kind}": [\n{rows}\n  ]' for kind, rows in lines.items()) + "\n}\n",
        "utf-8",
    )


if __name__ == "__main__":
    main()
