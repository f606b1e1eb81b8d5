"""The view of a seat, kept up to date from events: what a tile causes, the engine knows."""

from __future__ import annotations

from collections.abc import Iterable

from qin.client.events import outcome
from qin.engine import Board, Placement, Position, Seat, Tile, View, parse_position
from qin.engine.tiles import ALL_TILES, HAND_SIZE, count_tiles
from qin.v1 import types_pb2 as pb


def view_of_message(game: pb.GameView, board: Board, players: int, seat: Seat | None) -> View:
    return View(
        seat=seat,
        position=parse_position(
            game.cells, players=players, reserves=tuple(game.reserves), board=board
        ),
        hand=tuple(map(Tile.parse, game.hand)),
        hand_sizes=tuple(game.hand_sizes),
        pile_sizes=tuple(game.pile_sizes),
        unseen=tuple(game.unseen),
        turn=Seat(max(game.turn - 1, 0)),
        ply=game.ply,
        out=frozenset(Seat(each - 1) for each in game.out),
        outcome=outcome(game.outcome) if game.HasField("outcome") else None,
    )


def view_at_start(started: pb.GameStarted, board: Board, seat: Seat | None) -> View:
    players = len(started.reserves)
    hand = tuple(map(Tile.parse, started.hand))
    return View(
        seat=seat,
        position=Position.start(board, players),
        hand=hand,
        hand_sizes=(HAND_SIZE,) * players,
        pile_sizes=tuple(started.pile_sizes),
        unseen=_without(count_tiles(ALL_TILES), hand),
        turn=Seat(started.first - 1),
        ply=0,
        out=frozenset(),
        outcome=None,
    )


def view_after(view: View, message: pb.Event) -> View:
    """The view after an event. What is no event of the game, or comes with the tile, changes
    nothing."""
    match message.WhichOneof("kind"):
        case "tile_placed":
            placed = message.tile_placed
            seat, placement = Seat(placed.seat - 1), Placement.parse(placed.placement)
            after = _with_turn(_after_tile(view, seat, placement), placed.turn)
            return after._replace(ply=placed.ply)
        case "drawn":
            return _after_drawing(view, message.drawn)
        case "passed":
            return _with_turn(view, message.passed.turn)._replace(ply=message.passed.ply)
        case "withdrew":
            out = view.out | {Seat(message.withdrew.seat - 1)}
            return _with_turn(view, message.withdrew.turn)._replace(out=out)
        case "game_ended":
            return view._replace(outcome=outcome(message.game_ended.outcome))
        case _:
            return view


def _with_turn(view: View, number: int) -> View:
    return view._replace(turn=Seat(number - 1)) if number else view


def _after_tile(view: View, seat: Seat, placement: Placement) -> View:
    position, _ = view.position.place(seat, view.position.check(placement))
    view = view._replace(position=position, hand_sizes=_counted(view.hand_sizes, seat, -1))
    if seat != view.seat:
        return view._replace(unseen=_without(view.unseen, [placement.tile]))
    hand = list(view.hand)
    hand.remove(placement.tile)
    return view._replace(hand=tuple(hand))


def _after_drawing(view: View, drawn: pb.Drawn) -> View:
    view = view._replace(
        hand_sizes=_counted(view.hand_sizes, drawn.seat - 1, 1),
        pile_sizes=_counted(view.pile_sizes, drawn.pile - 1, -1),
    )
    if not drawn.tile:
        return view
    tile = Tile.parse(drawn.tile)
    return view._replace(hand=(*view.hand, tile), unseen=_without(view.unseen, [tile]))


def _without(counts: tuple[int, ...], tiles: Iterable[Tile]) -> tuple[int, ...]:
    for tile in tiles:
        counts = _counted(counts, tile.number, -1)
    return counts


def _counted(counts: tuple[int, ...], place: int, change: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] + change, *counts[place + 1 :])
