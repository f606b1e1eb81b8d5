"""`qin play`, as far as there is one: a whole game in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from qin.engine import parse_record

Qin = Callable[..., Result]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_it_tells_the_game_that_simulate_records(qin: Qin, tmp_path: Path, seats: int) -> None:
    result = qin("play", "--board", "lion", "--seats", seats, "--seed", 7)
    assert result.exit_code == 0
    arguments = ("--board", "lion", "--players", seats, "--seed", 7, "--games", 1)
    qin("simulate", *arguments, "--out", tmp_path)
    record = parse_record((tmp_path / "000001.qin").read_text())
    opening, moves, *_, outcome = result.stdout.split("\n\n")
    assert opening.endswith(f"play on lion, seed 7. {record.seats[record.first]} starts.")
    told = moves.splitlines()
    played = [move.partition(":")[0] for moves in record.rounds for move in moves]
    assert len(told) == len(played)
    for number, (line, move) in enumerate(zip(told, played, strict=True), start=1):
        assert line.split()[0] == str(number)
        assert f"places {move}" in line or (move == "pass" and "passes" in line)
    winners = [record.seats[seat] for seat in record.outcome.winners]
    assert outcome.strip().endswith((f": {winners[0]} wins.", "share the victory."))


def test_the_help_says_that_the_keyboard_is_to_come(qin: Qin) -> None:
    assert "cannot play from the keyboard yet" in qin("play", "--help").stdout
