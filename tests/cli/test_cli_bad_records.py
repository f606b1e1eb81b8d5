"""Records that are cut short, tampered with or none at all: the line, the reason, exit 1."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Qin = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]


def fault_in(qin: Qin, text: str | bytes) -> str:
    """The one line that a bad record is told in, without the name of the file."""
    result = qin("record", "check", "-", stdin=text)
    assert result.exit_code == 1, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    name, _, fault = result.stderr.strip().partition(": ")
    assert name == "standard input"
    return fault


def test_cut_after_any_line(qin: Qin, each_golden: Path) -> None:
    lines = each_golden.read_text().splitlines(keepends=True)
    for kept in range(1, len(lines)):
        fault = fault_in(qin, "".join(lines[:kept]))
        assert fault.startswith(f"line {kept}: ")
        assert "cut short" in fault or "the game goes on" in fault


def test_cut_at_any_character(qin: Qin, golden: Path) -> None:
    text = (golden.parent / "12-ladder-2-board-full.qin").read_text()
    assert qin("record", "check", "-", stdin=text.rstrip()).exit_code == 0
    for kept in range(1, len(text.rstrip())):
        line = text[:kept].rstrip("\n").count("\n") + 1
        fault = fault_in(qin, text[:kept])
        found = re.match(r"line (\d+): .", fault)
        assert found, fault
        assert int(found[1]) in (line, line + 1)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("1 Bf8Yf9:4", "1 Bf8Yf9:3", r"line 15: .*not-in-hand: RY is not in your hand"),
        ("1 Bf8Yf9:4", "1 Bf8Yf9", r"line 12: .*no pile is named"),
        ("1 Bf8Yf9:4", "1 Bf8Yf9:9", r"line 12: .*empty-pile"),
        ("2 Yh4Yh5:1", "2 Ya1Ya2:1", r"line 13: Ya1Ya2:1: no-contact.* \(a1 a2\)"),
        ("2 Yh4Yh5:1", "2 Yh4Yh6:1", r"line 13: .*not-adjacent"),
        ("2 Yh4Yh5:1", "2 Yh8Yi8:1", r"line 13: .*not-grassland.* \(h8\)"),
        ("2 Yh4Yh5:1", "2 pass", r"line 13: pass: must-place"),
        ("2 Yh4Yh5:1", "2 castles", r"line 13: castles: "),
        ("2 Yh4Yh5:1", "2 Yh4Yh5:1 \x1b[2J", r"line 13: \\x1b\[2J: not a placement"),
        ("2 Yh4Yh5:1", "3 Yh4Yh5:1", r"line 13: expected round 2, found '3'"),
        ("2 Yh4Yh5:1 Rf10Rg10:2", "2", r"line 13: round 2 is empty"),
        ("Bb2:1 Rm5Rm6", "Bb2:1\n33 Rm5Rm6", r"line 44: .*by seat 2 does not belong to round 33"),
        ("2 Yh4Yh5:1", '[Date "today"]\n2 Yh4Yh5:1', r"line 13: a tag among the moves"),
        ("2 Yh4Yh5:1", "2 3=resign Yh4Yh5:1", r"line 13: 3=resign: out-of-game"),
        ("2 Yh4Yh5:1", "2 resign", r"line 13: .*after the end of the game"),
        ("Rm5Rm6", "Rm5Rm6:3", r"line 43: .*nothing is drawn"),
        ("Rm5Rm6", "Rm5Rm6 Bg13Bh13", r"line 43: .*after the end of the game"),
        ('Reserves "1/0"', 'Reserves "2/0"', r"line 43: Reserves says '2/0', .* '1/0'"),
        ('Reserves "1/0"', 'Reserves "1/x"', r"line 9: Reserves: "),
        ('Winners "2"', 'Winners "1"', r"line 43: Winners says '1', .* '2'"),
        ('Winners "2"', 'Winners "1/2"', r"line 43: Winners says '1/2'"),
        ('Winners "2"', 'Winners "3"', r"line 8: Winners: '3' does not name seats"),
        ('"last-pagoda"', '"board-full"', r"line 43: Ending says 'board-full'"),
        (
            '"last-pagoda"',
            '"checkmate"',
            r"line 10: .*'checkmate' is not an ending; there are last",
        ),
        ('First "1"', 'First "2"', r"line 13: .*not-in-hand"),
        ('First "1"', 'First "1/2"', r"line 5: First: only one seat starts"),
        ('Hands "YB', 'Hands "RB', r"line 7: .*11 tiles YB, the game has 12"),
        ('Hands "YB', 'Hands "XX', r"line 6: Hands: 'XX' is not a tile"),
        ('Hands "YB ', 'Hands "', r"line 6: Hands: each of 2 seats is dealt 3 tiles"),
        ('Piles "BB YB', 'Piles "YB BB', r"line \d+: .*not-in-hand"),
        ('Seats "ann/bob"', 'Seats "ann/ann"', r"line 4: Seats: two seats have the same name"),
        ('Seats "ann/bob"', 'Seats "ann"', r"line 4: Seats: 2 to 4 players"),
        ('Map "....VV', 'Map "....VX', r"line 3: Map: .*'X'"),
        ('Map "....VV', 'Map "....V', r"line 3: Map: "),
        ('[Qin "1"]', '[Qin "2"]', r"line 1: Qin: this program reads version 1"),
        ('[First "1"]\n', "", r"line 42: there is no tag First"),
        ('[First "1"]\n', '[First "1"]\n[First "1"]\n', r"line 6: a second tag First"),
        ('[First "1"]', "[First 1]", r"line 5: not a tag: "),
    ],
)
def test_tampered(qin: Qin, golden: Path, old: str, new: str, fault: str) -> None:
    text = golden.read_text()
    assert text.count(old) == 1
    assert re.match(fault, fault_in(qin, text.replace(old, new)))


def test_any_move_left_out(qin: Qin, golden: Path) -> None:
    text = golden.read_text()
    moves = re.findall(r" [RYB][a-m]\S+", text)
    assert len(moves) == 64
    for move in moves:
        assert re.match(r"line \d+: ", fault_in(qin, text.replace(move, "", 1)))


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "line 1: not a record: the file is empty"),
        (b"\n \n", "line 1: not a record: the file is empty"),
        (b"hello\n", 'line 1: not a record: it does not begin with [Qin "1"]'),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "line 1: byte 0x89 is not UTF-8 text"),
        (b'[Qin "1"]\n[Board "\xff"]\n', "line 2: byte 0xff is not UTF-8 text"),
        (b"\0" * 100, "line 1: not a record"),
        ('[Qin "1"]'.encode("utf-16"), "line 1: byte 0xff is not UTF-8 text"),
        (b" " * 1_000_001, "more than 1,000,000 bytes"),
        (b'[Qin "1"]\n1 ' + b"x" * 10_000, "line 2: there is no tag Board"),
    ],
    ids=["empty", "blank", "prose", "png", "latin", "zeros", "utf-16", "huge", "long"],
)
def test_not_a_record_at_all(qin: Qin, content: bytes, fault: str) -> None:
    assert fault_in(qin, content).startswith(fault)


def test_a_long_token_is_not_printed_whole(qin: Qin, golden: Path) -> None:
    fault = fault_in(qin, golden.read_text().replace("1 Bf8Yf9:4", "1 " + "x" * 10_000))
    assert len(fault) < 600


@pytest.mark.parametrize("command", [["check"], ["show"], ["check", "--legal-counts"]])
def test_no_traceback_leaves_the_process(
    qin_process: Process, golden: Path, tmp_path: Path, command: list[str]
) -> None:
    cut = tmp_path / "cut.qin"
    cut.write_bytes(golden.read_bytes()[:-30])
    image = tmp_path / "image.qin"
    image.write_bytes(b"\x89PNG\r\n")
    for path, fault in (
        (cut, "line 42: the record ends here, but the game goes on"),
        (image, "line 1: byte 0x89"),
        (tmp_path, "this is a folder; name a file in it\n"),
        (tmp_path / "none.qin", "there is no such file; check the path\n"),
        (cut / "inside.qin", "not a directory\n"),
    ):
        done = qin_process("record", *command, path)
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr.startswith(f"{path}: {fault}")
        assert done.stderr.count("\n") == 1


def test_checking_ends_at_the_first_fault(qin: Qin, golden: Path, tmp_path: Path) -> None:
    result = qin("record", "check", golden, tmp_path / "none.qin", golden)
    assert result.exit_code == 1
    assert result.stdout.count(": ok, ") == 1
    assert result.stderr.startswith(f"{tmp_path}")
