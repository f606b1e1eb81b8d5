"""Fits the weights by which `champion` tells chances, and shows how well they predict who wins.

    .venv/bin/python tests/strength/weights.py --games 3000     # some twenty minutes on two cores

Games of a noisy `lookahead` are played from shuffled deals. At some of the positions it is noted
how the seat to move stands now, and how it stands one to four turns later if all take what brings
them most; then who won is regressed on that. Whole games are left out in turn to tell the loss.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from qin.bots import Options
from qin.bots.builtin.lookahead import LookaheadBot
from qin.bots.evaluation import WON, Judge
from qin.bots.replies import Replies
from qin.engine import Board, Deal, Game, LegalPlacement, Seat, view_of

Numbers = NDArray[np.float64]

_NOISE = 0.12
"""How often one of the eight placements that bring most is taken instead of the best."""
_LATER = 4
_FOLDS = 5


class Stand(NamedTuple):
    """How the first of two seats stands at a moment."""

    evaluation: float
    gain: float
    """What it could take if it were its turn."""
    rival_gain: float


class Row(NamedTuple):
    game: int
    won: float
    fewest: int
    """The pagodas that the first one has left."""
    stands: list[Stand]
    """Now, and after each of some turns."""


def rows_of(number: int) -> list[Row]:
    """Some positions of one game."""
    rng = Random(f"weights/{number}")
    board = Board.named(("bird", "lion")[number % 2])
    bots = [LookaheadBot(Random(rng.random()), width=4, samples=1) for _ in range(2)]
    game = Game.start(board, Deal.shuffled(2, rng))
    seen: list[tuple[Seat, int, list[Stand]]] = []
    while game.outcome is None:
        if game.must_pass:
            game, _ = game.pass_turn()
            continue
        if game.ply and rng.random() < 0.25:
            seen.append((game.turn, min(game.position.reserves), _stands(game)))
        game, _ = game.place(_choice(game, bots[game.turn], rng))
    winners = game.outcome.winners
    return [
        Row(number, 1 / len(winners) if seat in winners else 0.0, fewest, stands)
        for seat, fewest, stands in seen
    ]


def _choice(game: Game, bot: LookaheadBot, rng: Random) -> LegalPlacement:
    view = view_of(game, game.turn)
    options = Options(view)
    if game.ply >= 2 and rng.random() >= _NOISE:
        return bot.choose(view, options)
    judge = Judge(view.turn, 2)
    ranked = sorted(
        (-judge.lead(option.after), rng.random(), option.placement) for option in options
    )[:8]
    return ranked[int(rng.random() * len(ranked))][2]


def _stands(game: Game) -> list[Stand]:
    seat, rival = game.turn, Seat(1 - game.turn)
    judges = [Judge(Seat(each), 2) for each in range(2)]
    stands = []
    for _ in range(1 + _LATER):
        if game.outcome is not None:
            final = judges[seat].final(game.position)
            decided = 0.0 if abs(final) < WON / 2 else 15.0 if final > 0 else -15.0
            stands.append(Stand(decided, 0.0, 0.0))
            continue
        position = game.position
        best = [Replies(position, judges[each]).most(game.hands[each]) for each in range(2)]
        gains = [
            min(8.0, reply.worth - judge.lead(position)) if reply else 0.0
            for reply, judge in zip(best, judges, strict=True)
        ]
        stands.append(Stand(judges[seat].evaluate(position), gains[seat], gains[rival]))
        reply = best[game.turn]
        game, _ = game.place(reply.placement) if reply else game.pass_turn()
    return stands


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--jobs", type=int, default=multiprocessing.cpu_count())
    options = parser.parse_args()
    rows: list[Row] = []
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for some in pool.imap_unordered(rows_of, range(options.games), chunksize=8):
            rows += some
    rows.sort(key=lambda row: row.game)
    print(f"{len(rows)} positions of {options.games} games")
    now = {
        "evaluation": _column(rows, lambda s: s.evaluation),
        "gain": _column(rows, lambda s: s.gain),
        "rival's gain": _column(rows, lambda s: s.rival_gain),
    }
    for names in (["evaluation"], ["evaluation", "gain"], list(now)):
        _tell(rows, {name: now[name][:, 0] for name in names})
    # Whose turn it is changes with each turn, and with it whose gain comes first.
    standing = {
        turn: now["evaluation"][:, turn]
        + (0.62 if turn % 2 == 0 else 0.47) * now["gain"][:, turn]
        - (0.47 if turn % 2 == 0 else 0.62) * now["rival's gain"][:, turn]
        for turn in range(1 + _LATER)
    }
    for turns in ([0], [1], [2], [3], [4], [0, 1], [0, 1, 2], [0, 4], list(standing)):
        _tell(rows, {f"standing after {turn}": standing[turn] for turn in turns})
    return 0


def _column(rows: list[Row], value: Callable[[Stand], float]) -> Numbers:
    return np.array([[value(stand) for stand in row.stands] for row in rows], np.float64)


def _tell(rows: list[Row], columns: dict[str, Numbers]) -> None:
    """The loss where it was not fitted, and each weight with 20, 12 and 5 pagodas left."""
    won = np.array([row.won for row in rows])
    fewest = np.array([row.fewest for row in rows])
    fold = np.array([row.game % _FOLDS for row in rows])
    stages = np.stack([np.ones(len(rows)), 1 / (fewest + 1), fewest / 24], 1)
    table = np.concatenate([stages, *(stages * each[:, None] for each in columns.values())], 1)
    losses = [
        _losses(table[fold == out], won[fold == out], _fit(table[fold != out], won[fold != out]))
        for out in range(_FOLDS)
    ]
    weights = _fit(table, won)[3:].reshape(-1, 3)
    told = ", ".join(
        f"{name} " + "/".join(f"{w[0] + w[1] / (m + 1) + w[2] * m / 24:.2f}" for m in (20, 12, 5))
        for name, w in zip(columns, weights, strict=True)
    )
    print(f"loss {np.concatenate(losses).mean():.4f}  {told}", flush=True)


def _fit(table: Numbers, won: Numbers) -> Numbers:
    """Logistic regression by Newton's method, with a breath of ridge."""
    ridge = 1e-4
    weights = np.zeros(table.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-table @ weights))
        slope = table.T @ (chance - won) / len(won) + ridge * weights
        curve = (table * (chance * (1 - chance))[:, None]).T @ table / len(won)
        step = np.linalg.solve(curve + ridge * np.eye(len(weights)), slope)
        weights -= step
        if np.abs(step).max() < 1e-7:
            break
    return weights


def _losses(table: Numbers, won: Numbers, weights: Numbers) -> Numbers:
    chance = np.clip(1 / (1 + np.exp(-table @ weights)), 1e-6, 1 - 1e-6)
    return -(won * np.log(chance) + (1 - won) * np.log(1 - chance))


if __name__ == "__main__":
    sys.exit(main())
