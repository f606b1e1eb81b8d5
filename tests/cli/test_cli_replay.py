"""`qin replay`: without a terminal it prints; with one it is stepped through."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from cli.terminals import on_terminal
from click.testing import Result

Qin = Callable[..., Result]


def test_it_prints_the_moves_line_by_line(qin: Qin, golden: Path) -> None:
    result = qin("replay", golden)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "ann and bob on bird. ann starts."
    assert lines[2] == "  1  ann places Bf8Yf9; draws RY from pile 4"
    assert lines[65].startswith(" 64  bob places Rm5Rm6; founds a red province at m5 m6: 1 pagoda;")
    assert lines[65].endswith("the game is over, a last pagoda is placed: bob wins")
    assert "     player  pagodas left  hand" in lines


def test_every_golden_record_is_told(qin: Qin, each_golden: Path) -> None:
    assert qin("replay", each_golden).exit_code == 0


def test_a_record_from_standard_input(qin: Qin, golden: Path) -> None:
    text = golden.read_text("utf-8")
    assert qin("replay", "-", stdin=text).stdout == qin("replay", golden).stdout


def test_a_broken_record_gets_the_line_and_the_reason(
    qin: Qin, golden: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.qin"
    broken.write_text(golden.read_text("utf-8").replace("Bf8Yf9", "Bf8Yg9", 1), "utf-8")
    result = qin("replay", broken)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith(f"{broken}: line 12: Bf8Yg9:4: not-adjacent: ")
    missing = qin("replay", tmp_path / "none.qin")
    assert missing.exit_code == 1
    assert missing.stderr.endswith("none.qin: there is no such file; check the path\n")


async def test_on_a_terminal_it_is_a_screen(golden: Path, tmp_path: Path) -> None:
    async with on_terminal(tmp_path, "replay", golden) as terminal:
        await terminal.until("move 0 of 64")
        terminal.type("q")
        assert await terminal.ended() == 0
        assert terminal.is_sane


async def test_a_dumb_terminal_gets_lines(golden: Path, tmp_path: Path) -> None:
    async with on_terminal(tmp_path, "replay", golden, TERM="dumb", rows=200) as terminal:
        await terminal.until("ann and bob on bird. ann starts.", "player  pagodas left  hand")
        assert await terminal.ended() == 0
