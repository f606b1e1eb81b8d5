"""Events of the engine come through the wire unchanged."""

from __future__ import annotations

from random import Random

import pytest
from qin.client.events import colour, outcome, table_event
from qin.client.happenings import GameEnded, Said, Unknown
from qin.engine import Board, Deal, Ended, Event, Game, Outcome, ParseError, Seat
from qin.engine.events import Lost
from qin.server import wire
from qin.v1 import types_pb2 as pb


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_the_server_writes_the_client_reads(players: int) -> None:
    rng = Random(players)
    happened: list[Event] = [Lost(Seat(1), 0b11)]
    for _ in range(20):
        game = Game.start(Board.named("bird"), Deal.shuffled(players, rng))
        while game.outcome is None:
            if game.must_pass:
                game, events = game.pass_turn()
            elif game.ply == 30:
                game, events = game.withdraw(game.turn, forfeit=rng.random() < 0.5)
            else:
                game, events = game.place(game.legal.choice(rng))
            happened += events
            if game.ply == 30 and rng.random() < 0.5:
                break
    assert len({type(event) for event in happened}) >= 10
    for event in happened:
        message = wire.event(event, game)
        if isinstance(event, Ended):
            assert table_event(message) == GameEnded(0, Outcome(*event), game.position.reserves, "")
        else:
            assert table_event(message) == event


def test_what_only_a_server_knows_is_told_too() -> None:
    said = pb.Event(said=pb.Said(name="ann", text="hello"))
    assert table_event(said) == Said(None, "ann", "hello")
    assert table_event(pb.Event()) == Unknown("")


def test_what_a_newer_server_says_is_refused_in_words() -> None:
    with pytest.raises(ParseError, match="colour 0 is unknown here"):
        colour(pb.COLOUR_UNSPECIFIED)
    with pytest.raises(ParseError, match="ending 0 is unknown here"):
        outcome(pb.Outcome())
