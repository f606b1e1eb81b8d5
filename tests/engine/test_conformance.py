"""The conformance data: scenarios of single tiles, and records of whole games."""

import json
from pathlib import Path
from typing import Any

import pytest
from qin.engine import (
    Board,
    Colour,
    Mask,
    Placement,
    Position,
    Province,
    Refused,
    Seat,
    format_space,
    parse_record,
    spaces_of,
)

DATA = Path(__file__).parent.parent / "conformance"
SCENARIOS: list[dict[str, Any]] = json.loads((DATA / "scenarios.json").read_text("utf-8"))
RECORDS = sorted((DATA / "records").glob("*.qin"))


def cells(mask: Mask) -> list[str]:
    return sorted(format_space(space) for space in spaces_of(mask))


def start(scenario: dict[str, Any]) -> Position:
    """The position of a scenario, reached as it says. Its maps need not be boards for a game."""
    board = Board(scenario["name"], tuple(scenario["map"]))
    position = Position.start(board, scenario["players"])
    for move in scenario["before"]:
        legal = position.check(Placement.parse(move["placement"]))
        position, _ = position.place(Seat(move["seat"] - 1), legal)
    if reserves := scenario.get("reserves_before"):
        position = Position.of(board, position.realms, position.holders, tuple(reserves))
    return position


def provinces(position: Position) -> list[dict[str, object]]:
    def facts(colour: Colour, province: Province) -> dict[str, object]:
        return {
            "colour": colour.letter,
            "cells": cells(province.spaces),
            "seat": province.owner + 1,
            "pagodas": province.pagodas,
        }

    return sorted((facts(*pair) for pair in position.provinces()), key=repr)


def villages(position: Position) -> list[dict[str, object]]:
    return sorted(
        (
            {"cells": cells(village), "seat": None if holder is None else holder + 1}
            for village, holder in zip(position.board.villages, position.holders, strict=True)
        ),
        key=repr,
    )


def test_there_are_scenarios_and_records() -> None:
    assert len(SCENARIOS) == 55
    assert len({scenario["name"] for scenario in SCENARIOS}) == len(SCENARIOS)
    assert len(RECORDS) == 12


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: str(scenario["name"]))
def test_scenario(scenario: dict[str, Any]) -> None:
    before = start(scenario)
    placement = Placement.parse(scenario["placement"])
    listed = placement in before.placements([placement.tile])
    if "illegal" in scenario:
        with pytest.raises(Refused) as caught:
            before.check(placement)
        assert caught.value.reason.value == scenario["illegal"]
        assert not listed
        return
    assert listed
    after, _ = before.place(Seat(scenario["seat"] - 1), before.check(placement))
    expected = scenario["after"]
    winners = None if after.finisher is None else [after.finisher + 1]
    assert winners == expected["winners"]
    if winners is None:  # a won game stops at the winning pagoda, so nothing else is compared then
        assert list(after.reserves) == expected["reserves"]
        assert provinces(after) == sorted(expected["provinces"], key=repr)
        assert villages(after) == sorted(expected["villages"], key=repr)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_replays_to_its_stated_end(path: Path) -> None:
    record = parse_record(path.read_text("utf-8"))
    end = record.check()
    assert end.outcome == record.outcome
    assert end.position.reserves == record.reserves
    assert path.stem.endswith(record.outcome.ending.value)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_record_is_written_as_it_was_read(path: Path) -> None:
    written = path.read_bytes()
    assert str(parse_record(written.decode("utf-8"))).encode("utf-8") == written
