"""`qin simulate`: random games that can be repeated, counted and written."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from qin.engine import Board, Game, Recorder, parse_record

Qin = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_json_has_the_promised_keys(qin: Qin) -> None:
    result = qin("simulate", "--games", 3, "--seed", 7, "--json")
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert list(told) == [
        "games",
        "plies",
        "seconds",
        "games_per_second",
        "plies_per_second",
        "seed",
    ]
    assert (told["games"], told["seed"]) == (3, 7)
    assert told["games_per_second"] == pytest.approx(3 / told["seconds"])
    assert told["plies_per_second"] == pytest.approx(told["plies"] / told["seconds"])


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", ["bird", "lion"])
def test_the_records_are_right_and_hold_the_counted_plies(
    qin: Qin, tmp_path: Path, board: str, players: int
) -> None:
    arguments = ("--board", board, "--players", players, "--games", 4, "--seed", 1, "--json")
    written = json.loads(qin("simulate", *arguments, "--out", tmp_path / "new" / "games").stdout)
    files = contents(tmp_path / "new" / "games")
    assert sorted(files) == ["000001.qin", "000002.qin", "000003.qin", "000004.qin"]
    plies = 0
    for content in files.values():
        record = parse_record(content.decode())
        plies += record.check().ply
        assert str(record).encode() == content
        assert record.board == Board.named(board)
        assert record.board.name == board
        assert record.seats == ("random", "random-2", "random-3", "random-4")[:players]
    assert written["plies"] == plies
    assert json.loads(qin("simulate", *arguments).stdout)["plies"] == plies


def test_a_game_depends_on_the_seed_and_its_number_alone(qin: Qin, tmp_path: Path) -> None:
    for games, folder in ((2, "few"), (5, "many")):
        qin("simulate", "--seed", 7, "--games", games, "--out", tmp_path / folder)
    qin("simulate", "--seed", 8, "--games", 2, "--out", tmp_path / "other")
    few, many = contents(tmp_path / "few"), contents(tmp_path / "many")
    assert few == {name: many[name] for name in few}
    assert len(set(many.values())) == 5
    assert not set(contents(tmp_path / "other").values()) & set(few.values())


def test_the_same_seed_gives_the_same_bytes_in_any_process(
    qin_process: Process, tmp_path: Path
) -> None:
    for hash_seed in ("1", "2"):
        done = qin_process(
            *("simulate", "--seed", 7, "--games", 3, "--out", tmp_path / hash_seed),
            PYTHONHASHSEED=hash_seed,
        )
        assert done.returncode == 0, done.stderr
    first = contents(tmp_path / "1")
    assert len(first) == 3
    assert first == contents(tmp_path / "2")


def test_the_lot_decides_who_starts(qin: Qin, tmp_path: Path) -> None:
    qin("simulate", "--seed", 1, "--players", 3, "--games", 30, "--out", tmp_path)
    first = [parse_record(content.decode()).first for content in contents(tmp_path).values()]
    assert set(first) == {0, 1, 2}


def test_a_seed_drawn_by_lot_is_printed_and_repeats_the_games(qin: Qin) -> None:
    one = qin("simulate", "--games", 2).stdout.splitlines()
    other = qin("simulate", "--games", 2).stdout.splitlines()
    assert one[0] != other[0]
    seed = one[0].rpartition("seed ")[2]
    again = qin("simulate", "--games", 2, "--seed", seed).stdout.splitlines()
    assert again[0] == one[0] == f"2 random games of 2 players on bird, seed {seed}"
    assert again[1].partition(" plies")[0] == one[1].partition(" plies")[0]
    assert again[2].endswith(" plies a second")


def test_without_a_folder_nothing_is_recorded(
    qin: Qin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Recorder] = []

    def counted(game: Game, names: tuple[str, ...]) -> Recorder:
        made.append(Recorder(game, names))
        return made[-1]

    monkeypatch.setattr("qin.cli.playout.Recorder", counted)
    assert qin("simulate", "--games", 3).exit_code == 0
    assert not made
    assert qin("simulate", "--games", 3, "--out", tmp_path).exit_code == 0
    assert len(made) == 3


def test_a_folder_with_records_is_refused_before_any_game(
    qin: Qin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_early(*_: object) -> None:
        pytest.fail("a game was played")

    (tmp_path / "mine.qin").write_text("precious")
    monkeypatch.setattr("qin.cli.simulate.random_start", too_early)
    result = qin("simulate", "--out", tmp_path)
    assert result.exit_code == 1
    assert result.stderr == (
        f"{tmp_path}: holds records already, such as mine.qin;"
        " name a new folder, or empty this one\n"
    )
    assert contents(tmp_path) == {"mine.qin": b"precious"}


@pytest.mark.parametrize("inside", ["", "/deeper"])
def test_a_file_in_place_of_the_folder_is_refused(qin: Qin, tmp_path: Path, inside: str) -> None:
    (tmp_path / "file").write_text("precious")
    result = qin("simulate", "--out", f"{tmp_path}/file{inside}")
    assert result.exit_code == 1
    assert "this is not a folder" in result.stderr
    assert (tmp_path / "file").read_text() == "precious"


def test_a_board_of_ones_own_names_the_record(qin: Qin, tmp_path: Path) -> None:
    board = tmp_path / 'my "first"\\board.txt'
    board.write_text("R . . .\n. . . V\n. . Y .\n")
    out = tmp_path / "games"
    result = qin("simulate", "--board", board, "--games", 1, "--seed", 1, "--out", out)
    assert result.exit_code == 0, result.output
    record = parse_record((out / "000001.qin").read_text())
    assert record.board.name == "my -first--board"
    assert record.board.rows == ("R...", "...V", "..Y.")


def test_a_known_name_wins_over_a_file(
    qin: Qin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lion").write_text("R..\n...\n")
    monkeypatch.chdir(tmp_path)
    assert "13 x 13" in qin("boards", "show", "lion").stdout
    assert "3 x 2" in qin("boards", "show", "./lion").stdout
