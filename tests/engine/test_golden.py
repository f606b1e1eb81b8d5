"""Counts and records that are kept: a change of the rules shows here, and so does a slip."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Literal, cast

import pytest
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
from qin.engine import Board, Ending, Game, board_names, parse_record

KEPT = cast(Counts, json.loads(COUNTS.read_text("utf-8")))
RECORDS = sorted(FOLDER.glob("*.qin"))


def name_of(entry: Counted) -> str:
    return "-".join(map(str, entry.values()))


def plan_of(entry: Counted) -> Plan:
    return Plan(entry["board"], entry["players"], entry["seed"], entry["quitters"])


@pytest.mark.parametrize("entry", KEPT["games"], ids=name_of)
def test_games_have_as_many_plies_and_placements_as_ever(entry: GameCount) -> None:
    assert count_game(plan_of(entry)) == (entry["plies"], entry["placements"])


@pytest.mark.parametrize("entry", KEPT["trees"], ids=name_of)
def test_trees_have_as_many_leaves_as_ever(entry: TreeCount) -> None:
    assert count_tree(root(plan_of(entry), entry["after"]), entry["depth"]) == entry["sequences"]


@pytest.mark.parametrize("entry", KEPT["games"][::6], ids=name_of)
def test_the_reference_counts_the_same_games(entry: GameCount) -> None:
    """A sample; golden/make.py recounts them all."""
    assert recount_game(plan_of(entry)) == (entry["plies"], entry["placements"])


@pytest.mark.parametrize(
    "entry", [tree for tree in KEPT["trees"] if tree["sequences"] < 6000], ids=name_of
)
def test_the_reference_counts_the_same_trees(entry: TreeCount) -> None:
    start = table_of(root(plan_of(entry), entry["after"]))
    assert recount_tree(start, entry["depth"]) == entry["sequences"]


@pytest.mark.parametrize("kind", ["games", "trees"])
def test_both_boards_and_all_numbers_of_players_are_counted(
    kind: Literal["games", "trees"],
) -> None:
    counted = {(entry["board"], entry["players"]) for entry in KEPT[kind]}
    assert counted >= {(board, players) for board in board_names() for players in (2, 3, 4)}


# ---- records ------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_golden_records_replay_and_are_written_as_they_stand(file: Path) -> None:
    text = file.read_text("utf-8")
    record = parse_record(text)
    end = record.check()
    assert str(record) == text
    assert end.outcome == record.outcome
    assert end.position.reserves == record.reserves


def test_golden_records_show_everything_a_record_can_hold() -> None:
    records = [parse_record(file.read_text("utf-8")) for file in RECORDS]
    moves = {str(move) for record in records for moves in record.rounds for move in moves}
    assert {record.outcome.ending for record in records} == set(Ending)
    assert {len(record.seats) for record in records} == {2, 3, 4}
    assert {len(record.outcome.winners) for record in records} >= {1, 2}
    assert {record.board.name for record in records} > set(board_names())
    assert {"pass", "resign"} <= moves
    assert any(move.endswith("=forfeit") for move in moves)
    assert any("=" not in move and ":" not in move and move[0] in "RYB" for move in moves)


# ---- the same in any process --------------------------------------------------------------------

SCRIPT = """
import sys
from engine.golden.counting import Plan, count_tree, root
for board in ("bird", "lion", "tight"):
    for players in (2, 3, 4):
        plan = Plan(board, players, 77, 0.01)
        steps = list(plan.play())
        sys.stdout.write(str(plan.record()))
        for step in steps:
            sys.stdout.write(f"{step.events}\\n{list(step.after.legal)}\\n{step.after.position!r}\\n")
        sys.stdout.write(f"{steps[-1].after.outcome} {steps[-1].after.out}\\n")
"""


def told_by_a_process(hash_seed: str) -> bytes:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(FOLDER.parents[1])},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout


def test_the_same_seed_gives_the_same_bytes_in_any_process() -> None:
    one, other = told_by_a_process("1"), told_by_a_process("2")
    assert one == other
    assert str(Plan("bird", 2, 77, 0.01).record()).encode() in one
    assert len(one) > 100_000


def test_another_seed_gives_another_game() -> None:
    first, second = Plan("bird", 2, 1), Plan("bird", 2, 2)
    assert first.start(Random(1)).hands != second.start(Random(2)).hands
    assert str(first.record()) != str(second.record())
    assert isinstance(first.start(Random(1)), Game)
    assert first.start(Random(1)).position.board == Board.named("bird")
