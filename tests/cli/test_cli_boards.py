"""`qin boards`: listed, shown, and refused with the line and the reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from qin.engine import Board

Qin = Callable[..., Result]


def test_bare_it_lists(qin: Qin) -> None:
    assert qin("boards").stdout == (
        "bird  13 x 13, 10 villages, no water\nlion  13 x 13, 18 villages, with water\n"
    )
    assert qin("boards", "list").stdout == qin("boards").stdout


def test_the_list_as_json(qin: Qin) -> None:
    told = json.loads(qin("boards", "list", "--json").stdout)
    assert [board["name"] for board in told] == ["bird", "lion"]
    assert Board.parse(told[1]["map"]) == Board.named("lion")
    assert qin("boards", "--json").stdout == qin("boards", "list", "--json").stdout


def test_show(qin: Qin) -> None:
    lines = qin("boards", "show", "lion").stdout.splitlines()
    assert lines[0] == "lion: 13 x 13, 18 villages, with water"
    assert lines[1].split() == list("abcdefghijklm")
    assert ["".join(line.split()[1:]) for line in lines[2:]] == list(Board.named("lion").rows)


def test_show_as_json(qin: Qin) -> None:
    told = json.loads(qin("boards", "show", "bird", "--json").stdout)
    assert told["starts"] == {"red": ["g9"], "yellow": ["g7"], "blue": ["g5"]}
    assert (told["width"], told["height"], told["villages"]) == (13, 13, 10)


def test_show_a_file(qin: Qin, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(b"\xef\xbb\xbfR.~\r\n.V#\r\n..V\r\n\r\n")
    result = qin("boards", "show", tmp_path / "mine.txt")
    assert result.stdout.splitlines()[0] == "mine: 3 x 3, 2 villages, with water"


def test_check_a_right_one(qin: Qin, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("R . .\n. . V\n")
    result = qin("boards", "check", tmp_path / "mine.txt")
    assert result.exit_code == 0
    assert result.stdout == f"{tmp_path / 'mine.txt'}: ok, 3 x 2, 1 village, no water\n"


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "line 1: the board is empty"),
        (b"R..\n.x.\n", "line 2: 'x' at column 2; use . grassland"),
        (b"R..\n....\n", "line 2: the row has 4 spaces, the first row has 3"),
        (b"...\n...\n", "line 2: the board ends without a start space"),
        (b"RR.\n...\n", "line 1: the red start spaces a1 b1 touch"),
        (b"R~.\n~..\n", "line 1: no room to place a tile"),
        (b"R..\n" * 27, "line 27: a board has at most 26 rows"),
        (b"R" + b"." * 26 + b"\n...\n", "line 1: a board has at most 26 columns"),
        (b"R..\n.\xff.\n", "line 2: byte 0xff is not UTF-8 text"),
    ],
)
def test_what_is_not_a_board_is_refused(
    qin: Qin, tmp_path: Path, content: bytes, fault: str
) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(content)
    for command in (["boards", "check"], ["boards", "show"], ["simulate", "--board"]):
        result = qin(*command, path)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr.startswith(f"{path}: {fault}")
        assert result.stderr.count("\n") == 1


def test_a_folder_and_a_missing_file_are_refused(qin: Qin, tmp_path: Path) -> None:
    assert "this is a folder" in qin("boards", "check", tmp_path).stderr
    missing = qin("boards", "check", tmp_path / "none.txt")
    assert missing.exit_code == 1
    assert "there is no such file" in missing.stderr
