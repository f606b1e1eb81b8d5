"""`qin record`: golden games are found right, shown and counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import Result
from qin.engine import Board, Deal, Game, Record, Recorder, Seat, parse_record

Qin = Callable[..., Result]


@pytest.fixture
def resigned() -> Record:
    """Four players; one resigns in turn, one out of turn, and one forfeits, which ends it."""
    rng = Random(5)
    game = Game.start(Board.named("bird"), Deal.shuffled(4, rng), Seat(2))
    recorder = Recorder(game, ["ann", "bob", "cho", "dan"])
    for step in ("place", "place", "resign", "place", 2, "place", "forfeit"):
        turn = game.turn
        if step == "place":
            game, events = game.place(game.legal.choice(rng))
        elif isinstance(step, int):
            game, events = game.withdraw(Seat(step))
        else:
            game, events = game.withdraw(turn, forfeit=step == "forfeit")
        recorder.note(turn, events)
    return recorder.record(game)


def test_golden_games_are_right(qin: Qin, each_golden: Path) -> None:
    result = qin("record", "check", each_golden)
    assert result.exit_code == 0, result.stderr
    board, players, ending = each_golden.stem[3:].split("-", 2)
    assert result.stdout.startswith(f"{each_golden}: ok, {players} players, ")
    assert f", {ending}, winner" in result.stdout
    assert board == parse_record(each_golden.read_text()).board.name


def test_the_verdict_names_the_winners(qin: Qin, golden: Path) -> None:
    shared = golden.parent / "12-ladder-2-board-full.qin"
    assert qin("record", "check", golden, shared).stdout.splitlines() == [
        f"{golden}: ok, 2 players, 64 plies, last-pagoda, winner bob",
        f"{shared}: ok, 2 players, 11 plies, board-full, winners ann and bob",
    ]


def test_check_as_json(qin: Qin, golden: Path) -> None:
    assert json.loads(qin("record", "check", "--json", golden).stdout) == {
        "file": str(golden),
        "board": "bird",
        "seats": ["ann", "bob"],
        "plies": 64,
        "ending": "last-pagoda",
        "winners": [2],
        "reserves": [1, 0],
        "shuffle": None,
    }


@pytest.mark.parametrize("change", ["", "\ufeff", "\r\n"], ids=["plain", "bom", "crlf"])
def test_standard_input_and_the_habits_of_editors(qin: Qin, golden: Path, change: str) -> None:
    text = golden.read_text()
    text = text.replace("\n", change) if change == "\r\n" else change + text
    result = qin("record", "check", "-", stdin=text.encode())
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("standard input: ok, 2 players")


def test_legal_counts_are_those_of_an_independent_count(qin: Qin, each_golden: Path) -> None:
    result = qin("record", "check", "--legal-counts", each_golden)
    assert result.exit_code == 0
    games = [game for game, _ in parse_record(each_golden.read_text()).replay()]
    expected = [
        f"{ply} {len({str(placement) for placement in game.legal})}"
        for ply, game in enumerate(games[:-1], start=1)
    ]
    assert result.stdout.splitlines() == expected


def test_legal_counts_give_0_for_a_pass(qin: Qin, golden: Path) -> None:
    passed = next(path for path in golden.parent.glob("*.qin") if " pass" in path.read_text())
    moves = [
        move
        for moves in parse_record(passed.read_text()).rounds
        for move in moves
        if "=" not in move
    ]
    lines = qin("record", "check", "--legal-counts", passed).stdout.splitlines()
    assert len(lines) == len(moves)
    for line, move in zip(lines, moves, strict=True):
        assert (line.split()[1] == "0") == (move == "pass")


def test_legal_counts_leave_out_withdrawals(qin: Qin, resigned: Record) -> None:
    assert [len(moves) for moves in resigned.rounds] == [4, 3]
    result = qin("record", "check", "--legal-counts", "-", stdin=str(resigned))
    assert result.exit_code == 0, result.stderr
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["1", "2", "3", "4"]
    assert all(int(line.split()[1]) for line in result.stdout.splitlines())


def test_legal_counts_print_nothing_of_a_record_that_is_wrong(qin: Qin, golden: Path) -> None:
    wrong = golden.read_text().replace('Winners "2"', 'Winners "1"')
    result = qin("record", "check", "--legal-counts", "-", stdin=wrong)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Winners says '1'" in result.stderr


@pytest.mark.parametrize("extra", [["-"], ["--json"]])
def test_legal_counts_take_one_file(qin: Qin, golden: Path, extra: list[str]) -> None:
    assert qin("record", "check", "--legal-counts", golden, *extra).exit_code == 2


def test_show_the_start(qin: Qin, golden: Path) -> None:
    lines = qin("record", "show", golden, "--ply", 0).stdout.splitlines()
    assert lines[:2] == ["ann and bob on bird", "After 0 of 64 plies: ann is to move."]
    assert lines[3].split() == list("abcdefghijklm")
    assert lines[8] == " 5  .  .  .  .  .  .  B  .  .  .  .  V  ."
    assert lines[-3:] == [
        "> 1  ann               24  YB YY YB",
        "  2  bob               24  RY RR YB",
        "Tiles in the piles: 17 17 16 16",
    ]


def test_show_a_ply_with_its_events(qin: Qin, golden: Path) -> None:
    text = qin("record", "show", golden, "--ply", 2).stdout
    assert "After 2 of 64 plies: ann is to move." in text
    assert text.endswith(
        "What has just happened:\n"
        "  bob places Bg8Yh8\n"
        "  bob founds a blue province at f8 g8: 1 pagoda\n"
        "  bob draws BB from pile 2\n"
    )
    assert " 8  .  V  .  .  .  B2 B2 Y  .  .  .  .  .\n" in text


def test_show_the_end(qin: Qin, golden: Path) -> None:
    text = qin("record", "show", golden).stdout
    assert text == qin("record", "show", golden, "--ply", 64).stdout
    assert "After 64 of 64 plies: a last pagoda is placed: bob wins." in text
    assert ">" not in text
    assert text.endswith("  the game is over, a last pagoda is placed: bob wins\n")


def test_show_as_json(qin: Qin, golden: Path) -> None:
    told = json.loads(qin("record", "show", golden, "--ply", 1, "--json").stdout)
    game = [game for game, _ in parse_record(golden.read_text()).replay()][1]
    assert (told["ply"], told["plies"], told["turn"]) == (1, 64, 2)
    assert told["seats"] == ["ann", "bob"]
    assert told["reserves"] == [24, 24]
    assert told["hands"][0] == "YY YB RY"
    assert told["position"].split("/")[7].split()[5] == "B"
    assert [len(pile.split()) for pile in told["piles"]] == [len(pile) for pile in game.piles]
    assert told["events"] == ["ann places Bf8Yf9", "ann draws RY from pile 4"]
    assert (told["ending"], told["winners"]) == (None, None)
    end = json.loads(qin("record", "show", golden, "--json").stdout)
    assert (end["turn"], end["ending"], end["winners"]) == (None, "last-pagoda", [2])


def test_show_tells_withdrawals_with_the_ply_before(qin: Qin, resigned: Record) -> None:
    third = qin("record", "show", "-", "--ply", 3, stdin=str(resigned)).stdout
    assert third.endswith("  cho resigns\n")
    assert third.count("(out)") == 2
    end = qin("record", "show", "-", stdin=str(resigned)).stdout
    assert "After 4 of 4 plies: all others are out: " in end
    assert " forfeits\n" in end


def test_show_beyond_the_end_says_how_many_plies_there_are(qin: Qin, golden: Path) -> None:
    result = qin("record", "show", golden, "--ply", 65)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        f"{golden}: there is no ply 65; the game has 64 plies, and 0 is its start\n"
    )
