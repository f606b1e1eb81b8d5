"""The lobby without a terminal."""

from __future__ import annotations

import pytest
from qin.client import Address
from qin.client.tui.home import Wishes
from qin.client.tui.keeping import KeptSeat
from qin.client.tui.lobby_model import GoOn, Join, LobbyModel, NewGame, Watch
from qin.engine import Board
from qin.v1 import types_pb2 as pb

HERE, THERE = Address("127.0.0.1"), Address("192.168.1.5", pin="a" * 32)


def table(name: str, *seats: str, state: pb.TableState.ValueType = pb.TABLE_STATE_OPEN) -> pb.Table:
    return pb.Table(
        table_id=name, state=state, board_name="bird", seats=[pb.Seat(name=seat) for seat in seats]
    )


@pytest.fixture
def model() -> LobbyModel:
    return LobbyModel(Wishes("ann", Board.named("bird"), 2, ("greedy",)), ("greedy", "x"), None)


def test_each_table_is_told_once_and_those_with_room_come_first(model: LobbyModel) -> None:
    playing = table("t1", "ann", "bob", state=pb.TABLE_STATE_PLAYING)
    over = table("t3", "ann", "bob", state=pb.TABLE_STATE_FINISHED)
    model.hear("here", HERE, [playing, table("t2", "cho", ""), over])
    model.hear("lan", THERE, [table("t2", "cho", ""), table("t4", "", "")])
    choices = [row.choice for row in model.tables]
    assert [type(choice) for choice in choices] == [Join, Join, Watch]
    assert choices[0] == Join(Address("127.0.0.1", table="t2"))
    assert choices[1] == Join(Address("192.168.1.5", table="t4", pin="a" * 32))
    model.lose(THERE)
    assert len(model.tables) == 2


def test_what_comes_and_goes_does_not_move_the_choice(model: LobbyModel) -> None:
    model.hear("here", HERE, [table("t1", "", "")])
    model.move(-1)
    chosen = model.row
    assert chosen.choice == Join(Address("127.0.0.1", table="t1"))
    model.hear("lan", THERE, [table("t0", "", "")])
    model.hear("here", HERE, [table("t9", "", ""), table("t1", "", "bob")])
    assert model.row.choice == chosen.choice
    model.lose(HERE)
    assert model.row in model.rows


def test_a_kept_seat_is_offered_first(model: LobbyModel) -> None:
    seat = KeptSeat("t1", "x", "", "play", board="bird", players="with greedy")
    model.kept = (seat, KeptSeat("t2", "y", "qin://host:1", board="lion", players="with \x1bbob"))
    assert model.row.choice == GoOn(seat)
    assert [row.key for row in model.menu] == ["g", "", "n", "h", "t", "a"]
    assert model.menu[1].what == "lion, with \\x1bbob (at host:1, table t2)"
    model.kept = (KeptSeat("t1", "x", "", "play"),)
    assert model.menu[0].what == "a game (here, table t1)"


def test_wishes_go_round(model: LobbyModel) -> None:
    first = model.wishes
    model.next_board()
    assert model.wishes.board.name == "lion"
    model.next_board()
    for _ in range(3):
        model.next_seats()
    for _ in range(3):
        model.next_opponents()
    assert model.wishes == first
    assert isinstance(model.row.choice, NewGame)


def test_hostile_names_cannot_steer_the_terminal(model: LobbyModel) -> None:
    model.hear("\x1b]0;x\x07", HERE, [table("t1", "\x1b[2J", "")])
    (row,) = model.tables
    assert (row.name + row.what).isprintable()


def test_to_watch_is_the_chosen_table_or_the_first(model: LobbyModel) -> None:
    assert model.to_watch() is None
    model.hear("here", HERE, [table("t1", "", ""), table("t2", "", "")])
    assert model.to_watch() == Watch(Address("127.0.0.1", table="t1"))
    model.move(-1)
    assert model.to_watch() == Watch(Address("127.0.0.1", table="t2"))
