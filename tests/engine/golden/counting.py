"""Games and trees of games that are counted twice: by the engine and by the reference.

Chance comes from `Random.random()` alone, the one method that Python promises never to change.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple, TypedDict

from engine.reference import Half, Table
from engine.strategies import Act, Lay, Pass, Quit, Step, apply, follow, table_of
from qin.engine import Board, Deal, Game, Record, Recorder, Seat, board_names

FOLDER = Path(__file__).parent
COUNTS = FOLDER / "counts.json"

CUSTOM = {
    "tight": "......./.R...R./...V.../.Y...B./......./~R.V.Y.",
    "strip": "RY......BR......YB......RY",
    "towns": "R....R.V.Y....Y/.V...........V./R....R...Y....Y",
    "ladder": "R...R...R...R/#.#.#.#.#.#.#/R...R...R...R",
    "plain": "/".join(["." * 24] * 4 + ["...........R.Y.B........"] + ["." * 24] * 4),
    "corner": "B...R/.....",
}


class Counted(TypedDict):
    """What is counted: the parts of a `Plan`."""

    board: str
    players: int
    seed: int
    quitters: float


class GameCount(Counted):
    plies: int
    placements: int
    """Legal placements of the seat to move, summed over all plies."""


class TreeCount(Counted):
    after: int
    """How many steps of the game with this seed are played before the tree begins."""
    depth: int
    sequences: int
    """How many ways there are to go on for as many plies; each draws from the fullest pile."""


class Counts(TypedDict):
    games: list[GameCount]
    trees: list[TreeCount]


class Plan(NamedTuple):
    """Everything that decides a game here."""

    board: str
    players: int
    seed: int
    quitters: float = 0.0

    def start(self, rng: Random) -> Game:
        deal = Deal.shuffled(self.players, rng)
        return Game.start(board_called(self.board), deal, Seat(self.seed % self.players))

    def play(self) -> Iterator[Step]:
        rng = Random(self.seed)
        game = self.start(rng)
        while not game.outcome:
            act = self._choose(game, rng)
            after, events = apply(game, act)
            yield Step(game, act, after, events)
            game = after

    def _choose(self, game: Game, rng: Random) -> Act:
        if rng.random() < self.quitters:
            seat = game.remaining[int(rng.random() * len(game.remaining))]
            return Quit(seat, forfeit=rng.random() < 0.5)
        if game.must_pass:
            return Pass(game.turn)
        placement = game.legal.choice(rng)
        piles = [number for number, pile in enumerate(game.piles) if pile]
        return Lay(placement, piles[int(rng.random() * len(piles))] if piles else None)

    def record(self) -> Record:
        recorder: Recorder | None = None
        for step in self.play():
            if recorder is None:
                recorder = Recorder(step.before, ("ann", "bob", "cho", "dan")[: self.players])
            recorder.note(step.before.turn, step.events)
        assert recorder is not None
        return recorder.record(step.after)


def board_called(name: str) -> Board:
    return Board.named(name) if name in board_names() else Board.parse(CUSTOM[name], name=name)


# ---- games --------------------------------------------------------------------------------------


def count_game(plan: Plan) -> tuple[int, int]:
    """Plies and placements, by the engine."""
    steps = list(plan.play())
    return steps[-1].after.ply, sum(len(step.before.legal) for step in steps)


def recount_game(plan: Plan) -> tuple[int, int]:
    """The same at the reference's table, which is told the moves and nothing else."""
    plies = placements = 0
    table = table_of(plan.start(Random(plan.seed)))
    for step in plan.play():
        placements += len(options_at(table))
        follow(table, step.act)
        plies += not isinstance(step.act, Quit)
    assert table.ending
    return plies, placements


def options_at(table: Table) -> set[frozenset[Half]]:
    ways = [table.placements(tile) for tile in sorted(set(table.hands[table.turn]))]
    return set[frozenset[Half]]().union(*ways)


# ---- trees --------------------------------------------------------------------------------------


def root(plan: Plan, after: int) -> Game:
    steps = plan.play()
    for _ in range(after):
        next(steps)
    return next(steps).before


def count_tree(game: Game, depth: int) -> int:
    """Sequences of plies from here, by the engine."""
    if game.outcome:
        return 0
    if game.must_pass:
        return 1 if depth == 1 else count_tree(game.pass_turn()[0], depth - 1)
    if depth == 1:
        return len(game.legal)
    return sum(count_tree(game.place(placement)[0], depth - 1) for placement in game.legal)


def recount_tree(table: Table, depth: int) -> int:
    """The same at the reference's table."""
    if table.ending:
        return 0
    ways = options_at(table)
    if depth == 1:
        return len(ways) or 1
    sequences = 0
    for way in ways or [None]:
        after = table.copy()
        if way is None:
            after.pass_turn()
        else:
            sizes = [len(pile) for pile in table.piles]
            after.place(sorted(way), sizes.index(max(sizes)) if any(sizes) else None)
        sequences += recount_tree(after, depth - 1)
    return sequences
