"""The table screen without a terminal: what is held, previewed, marked and told."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from qin.client.happenings import ConnectionBack, ConnectionLost, End, GameEnded, Said, WatchEnded
from qin.client.state import TableState
from qin.client.table import Update
from qin.client.tui.held import Held
from qin.client.tui.journal import Kind, LastMove
from qin.client.tui.panel_view import last_moves
from qin.client.tui.table_model import Phase, TableModel
from qin.engine import Board, Deal, Game, Outcome, Seat, format_space, redact, spaces_of, view_of
from qin.engine.events import Ending
from qin.engine.spaces import mask_of
from qin.v1 import types_pb2 as pb

ANN, BOB = Seat(0), Seat(1)


def table(state: pb.TableState.ValueType = pb.TABLE_STATE_PLAYING) -> pb.Table:
    seats = [pb.Seat(seat=1, name="ann", connected=True), pb.Seat(seat=2, name="bob")]
    return pb.Table(table_id="t", state=state, seats=seats, settings=pb.TableSettings(seats=2))


def state_of(game: Game | None, seat: Seat | None = ANN, sequence: int = 1) -> TableState:
    board = game.position.board if game else Board.named("bird")
    return TableState(
        table=table(pb.TABLE_STATE_PLAYING if game else pb.TABLE_STATE_OPEN),
        board=board,
        seat=seat,
        sequence=sequence,
        view=view_of(game, seat) if game else None,
        game=1,
    )


@pytest.fixture
def game() -> Game:
    return Game.start(Board.named("bird"), Deal.shuffled(2, Random(4)), ANN)


@pytest.fixture
def model(game: Game) -> TableModel:
    model = TableModel()
    model.take(Update((), state_of(game)))
    return model


def test_a_turn_begins_with_a_tile_held_where_it_may_lie(model: TableModel) -> None:
    assert model.phase is Phase.GAME
    assert model.my_turn
    preview = model.preview()
    assert preview is not None
    assert preview.legal
    assert model.held is not None
    assert 1 << model.held.at & model.marks().legal


def test_the_marked_spots_are_exactly_where_the_first_half_may_lie(
    model: TableModel, game: Game
) -> None:
    for choice in range(3):
        model.choose(choice)
        for _ in range(4):
            model.turn()
            held = model.held
            assert held is not None
            legal = {
                space
                for space in spaces_of(game.position.free)
                if (moved := held.put(game.position.board, space)).at == space
                and moved.placement in game.legal
            }
            assert model.marks().legal == mask_of(legal)


def test_stepping_visits_every_spot_and_comes_back(model: TableModel) -> None:
    spots = model.marks().legal
    seen = set()
    for _ in range(spots.bit_count()):
        model.step(1)
        assert model.held is not None
        seen.add(model.held.at)
    assert mask_of(seen) == spots
    here = model.held
    model.step(1)
    model.step(-1)
    assert model.held == here


def test_a_hint_is_the_best_of_the_hand_and_the_next_follow(model: TableModel, game: Game) -> None:
    def score(held: Held | None) -> int:
        assert held is not None
        after, _ = game.position.place(ANN, game.position.check(held.placement))
        gains = [a - b for a, b in zip(game.position.reserves, after.reserves, strict=True)]
        return gains[0] - gains[1]

    model.hint()
    best = score(model.held)
    every = (Held.of(placement) for placement in game.legal)
    assert best == max(score(held) for held in every)
    assert model.message is not None
    assert model.message.text.startswith("hint 1 of ")
    model.step(1)
    assert score(model.held) <= best
    assert model.message.text.startswith("hint 2 of ")
    model.choose(0)
    model.step(1)
    assert model.message is None


def test_a_refused_spot_says_why_and_shows_the_spaces(model: TableModel) -> None:
    model.move(-13, -13)
    preview = model.preview()
    assert preview is not None
    assert not preview.legal
    assert preview.text.startswith("a tile must share an edge with ")
    assert [format_space(space) for space in spaces_of(model.marks().refused)] == ["a1", "b1"]


def test_after_placing_no_tile_hides_the_board_until_one_is_taken_up(
    model: TableModel, game: Game
) -> None:
    after, events = game.place(game.legal[0])
    model.placed()
    model.see(state_of(after, sequence=5))
    model.take(Update(tuple(events), state_of(after, sequence=5)))
    assert not model.my_turn
    assert model.preview() is None
    assert model.marks().ghost is None
    model.move(1, 0)
    assert model.marks().ghost is not None
    assert model.marks().legal == 0
    model.hint()
    assert model.message is not None
    assert model.message.text == "a hint is for your own turn"


def test_what_the_others_did_is_marked_and_told(model: TableModel, game: Game) -> None:
    mine, events = game.place(game.legal[0])
    model.take(Update(tuple(events), state_of(mine, sequence=5)))
    assert model.journal.entries[-1].kind is Kind.MINE
    assert "draws" in model.journal.entries[-1].text
    placement = mine.legal[0]
    theirs, events = mine.place(placement)
    model.take(Update(tuple(redact(events, ANN)), state_of(theirs, sequence=9)))
    (move,) = model.journal.last
    assert move.laid == 1 << placement.first | 1 << placement.second == model.marks().last
    assert move.text.startswith(f"bob places {placement}")
    assert "draws" not in move.text
    assert model.my_turn


def test_a_move_that_has_no_room_beside_the_board_says_that_there_is_more(
    model: TableModel,
) -> None:
    move = LastMove(Seat(1), "bob places Rc4Yd4; founds a red province at c4 c5: 1 pagoda", 0, 0)
    model.journal.last = (move,)
    cut_off, whole = (last_moves(model, 30, room) for room in (2, 3))
    assert [len(cut_off), len(whole)] == [2, 3]
    assert cut_off[-1][-1][1].endswith("…")
    assert not whole[-1][-1][1].endswith("…")


def test_an_older_state_is_not_gone_back_to(model: TableModel, game: Game) -> None:
    after, _ = game.place(game.legal[0])
    model.see(state_of(after, sequence=5))
    model.see(state_of(game, sequence=3))
    assert model.view is not None
    assert model.view.ply == 1


def test_the_connection_the_end_and_the_record(model: TableModel, game: Game) -> None:
    state = state_of(game)
    model.take(Update((ConnectionLost("it\nfell"),), state))
    assert model.lost == "it\\nfell"
    model.take(Update((ConnectionBack(),), state))
    assert model.lost == ""
    outcome = Outcome(Ending.RESIGNED, (BOB,))
    model.take(Update((GameEnded(1, outcome, (3, 0), "r7"), WatchEnded(End.TABLE_REMOVED)), state))
    assert model.record_id == "r7"
    assert model.ended is End.TABLE_REMOVED
    assert model.journal.entries[-1].text == "the table is gone"


def test_a_spectator_holds_nothing(game: Game) -> None:
    model = TableModel()
    model.take(Update((), state_of(game, seat=None)))
    model.choose(1)
    model.move(1, 1)
    model.step(1)
    model.turn()
    assert model.spectator
    assert model.preview() is None
    assert model.marks().ghost is None


def test_before_the_first_game_there_is_the_printed_board_and_the_chat() -> None:
    assert TableModel().phase is Phase.LOADING
    assert TableModel().position is None
    model = TableModel()
    chat = (Said(BOB, "bob", "hi\x1b[2J"),)
    model.take(Update((), replace(state_of(None), chat=chat)))
    assert model.phase is Phase.ROOM
    assert model.position is not None
    assert model.journal.entries[-1].text == "bob: hi\\x1b[2J"
