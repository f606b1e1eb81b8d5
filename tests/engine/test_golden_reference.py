"""The reference itself, held to the scenarios and records that came with the rules.

Nothing of the engine is used here: records are read by a few lines of their own.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TypedDict

import pytest
from engine.reference import PAGODAS, Cell, Half, Table

FOLDER = Path(__file__).parent
CONFORMANCE = FOLDER.parent / "conformance"
RECORDS = [*sorted((CONFORMANCE / "records").glob("*.qin")), *sorted(FOLDER.glob("golden/*.qin"))]
TAG = re.compile(r'\[(\w+) "(.*)"\]')
PLACEMENT = re.compile(r"([RYB])([a-z])(\d+)([RYB])([a-z])(\d+)(?::([1-4]))?")


class Move(TypedDict):
    seat: int
    placement: str


class ProvinceAfter(TypedDict):
    colour: str
    cells: list[str]
    seat: int
    pagodas: int


class VillageAfter(TypedDict):
    cells: list[str]
    seat: int | None


class After(TypedDict):
    reserves: list[int]
    provinces: list[ProvinceAfter]
    villages: list[VillageAfter]
    winners: list[int] | None


class Scenario(TypedDict, total=False):
    name: str
    map: list[str]
    players: int
    before: list[Move]
    reserves_before: list[int]
    seat: int
    placement: str
    after: After
    illegal: str


SCENARIOS: list[Scenario] = json.loads((CONFORMANCE / "scenarios.json").read_text("utf-8"))


def cell_named(name: str) -> Cell:
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


def read(placement: str) -> tuple[list[Half], int | None]:
    match = PLACEMENT.fullmatch(placement)
    assert match, placement
    one, column, row, other, next_column, next_row, pile = match.groups()
    halves = [(one, cell_named(column + row)), (other, cell_named(next_column + next_row))]
    return halves, int(pile) - 1 if pile else None


@pytest.mark.parametrize("scenario", SCENARIOS, ids=[scenario["name"] for scenario in SCENARIOS])
def test_the_reference_settles_every_scenario(scenario: Scenario) -> None:
    # Every seat has all kinds of tiles, and there is nothing to draw.
    hands = [["RR", "YY", "BB", "RY", "YB", "RB"] * 4 for _ in range(scenario["players"])]
    table = Table(scenario["map"], hands, [], 0)
    for move in scenario["before"]:
        table.turn = move["seat"] - 1
        table.place(read(move["placement"])[0], None)
    table.reserves = scenario.get("reserves_before", table.reserves)
    table.turn = scenario["seat"] - 1
    halves, _ = read(scenario["placement"])
    assert table.refusal(halves) == scenario.get("illegal")
    if "after" not in scenario:
        return
    table.place(halves, None)
    after = scenario["after"]
    assert table.reserves == after["reserves"]
    assert {(p.colour, p.cells, p.owner + 1) for p in table.provinces} == {
        (p["colour"], frozenset(map(cell_named, p["cells"])), p["seat"]) for p in after["provinces"]
    }
    if after["winners"] is None:  # after a last pagoda the data tell what would have been due
        assert {(p.cells, p.pagodas) for p in table.provinces} == {
            (frozenset(map(cell_named, p["cells"])), p["pagodas"]) for p in after["provinces"]
        }
    assert table.holders == {
        frozenset(map(cell_named, v["cells"])): None if v["seat"] is None else v["seat"] - 1
        for v in after["villages"]
    }
    if after["winners"] is not None:
        assert [seat + 1 for seat in table.winners] == after["winners"]
    else:
        assert table.ending != "last-pagoda"


def play_at_table(table: Table, move: str) -> None:
    seat, _, word = move.rpartition("=")
    if word in {"resign", "forfeit"}:
        table.withdraw(int(seat) - 1 if seat else table.turn, word)
    elif word == "pass":
        assert table.hands[table.turn]
        assert not table.can_place(table.turn)
        table.pass_turn()
    else:
        halves, pile = read(move)
        assert table.refusal(halves) is None
        left = sum(map(len, table.piles))
        table.place(halves, pile)
        drew = sum(map(len, table.piles)) < left
        assert drew == (pile is not None)
        assert drew or not left or table.ending == "last-pagoda"


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_the_reference_replays_every_record(file: Path) -> None:
    lines = file.read_text("utf-8").splitlines()
    tags = {match[1]: match[2] for line in lines if (match := TAG.fullmatch(line))}
    hands = [hand.split() for hand in tags["Hands"].split("/")]
    piles = [pile.split() for pile in tags["Piles"].split("/")]
    table = Table(tags["Map"].split("/"), hands, piles, int(tags["First"]) - 1)
    assert table.reserves == [PAGODAS[len(hands)]] * len(hands)
    for line in lines[lines.index("") + 1 :]:
        for move in line.split()[1:]:
            assert table.ending is None
            play_at_table(table, move)
    assert table.ending == tags["Ending"]
    assert "/".join(str(seat + 1) for seat in table.winners) == tags["Winners"]
    assert "/".join(map(str, table.reserves)) == tags["Reserves"]
