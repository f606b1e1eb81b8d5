"""Seats that survive quitting."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest
from qin.client.tui.keeping import KeptSeat, SeatKeeper

ONE = KeptSeat("t1", "a" * 64, "", "play", owner=True, board="bird", players="with greedy")
OTHER = KeptSeat("t2", "b" * 64, "qin://192.168.1.5:50713")


def test_seats_are_kept_the_latest_first_and_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "data" / "seats.json"
    keeper = SeatKeeper(path)
    assert keeper.seats() == []
    keeper.keep(ONE)
    keeper.keep(OTHER)
    assert SeatKeeper(path).seats() == [OTHER, ONE]
    keeper.keep(ONE)
    assert keeper.seats() == [ONE, OTHER]
    assert keeper.find("qin://192.168.1.5:50713", "t2") == OTHER
    assert keeper.find("qin://192.168.1.5:50713", "t1") is None
    keeper.forget(ONE)
    keeper.forget(ONE)
    assert keeper.seats() == [OTHER]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_nobody_else_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "data" / "seats.json"
    SeatKeeper(path).keep(ONE)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"seats": 1}', '{"seats": [{}]}', '{"seats": [{"table": 1, "token": 2}]}'],
)
def test_a_broken_file_holds_no_seats(tmp_path: Path, content: str) -> None:
    path = tmp_path / "seats.json"
    path.write_text(content)
    assert SeatKeeper(path).seats() == []


def test_what_a_newer_version_wrote_beside_it_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "seats.json"
    path.write_text('{"seats": [{"table": "t", "token": "x", "address": "", "new": 1}]}')
    assert [seat.table for seat in SeatKeeper(path).seats()] == ["t"]
