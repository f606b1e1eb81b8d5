"""From the values of the engine to the messages of the contract. Nothing here decides anything."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import assert_never

from google.protobuf.timestamp_pb2 import Timestamp
from qin.engine import (
    Colour,
    Connected,
    Conquered,
    Drawn,
    Ended,
    Ending,
    Expanded,
    Founded,
    Game,
    Joined,
    LegalPlacement,
    Lost,
    Major,
    Outcome,
    Passed,
    Placed,
    Seat,
    View,
    Withdrew,
    view_of,
)
from qin.engine import Event as EngineEvent
from qin.engine.events import Settled
from qin.engine.spaces import NAMES, Mask, spaces_of
from qin.server.model import State, TableData
from qin.v1 import types_pb2 as pb
from qin.v1 import watch_pb2 as watch

COLOURS = {
    Colour.RED: pb.COLOUR_RED,
    Colour.YELLOW: pb.COLOUR_YELLOW,
    Colour.BLUE: pb.COLOUR_BLUE,
}
ENDINGS = {
    Ending.LAST_PAGODA: pb.ENDING_LAST_PAGODA,
    Ending.OUT_OF_TILES: pb.ENDING_OUT_OF_TILES,
    Ending.BOARD_FULL: pb.ENDING_BOARD_FULL,
    Ending.NO_PLACEMENT: pb.ENDING_NO_PLACEMENT,
    Ending.RESIGNED: pb.ENDING_RESIGNED,
    Ending.FORFEIT: pb.ENDING_FORFEIT,
}
STATES = {
    State.OPEN: pb.TABLE_STATE_OPEN,
    State.PLAYING: pb.TABLE_STATE_PLAYING,
    State.FINISHED: pb.TABLE_STATE_FINISHED,
}


def spaces(mask: Mask) -> str:
    return " ".join([NAMES[space] for space in spaces_of(mask)])


def timestamp(seconds: float) -> Timestamp:
    whole = int(seconds)
    # To the millisecond: enough for people, and no finer clock to watch the server by.
    return Timestamp(seconds=whole, nanos=int((seconds - whole) * 1000) * 1_000_000)


def heartbeat() -> watch.Heartbeat:
    return watch.Heartbeat(time=timestamp(time.time()))


def outcome(value: Outcome) -> pb.Outcome:
    return pb.Outcome(
        ending=ENDINGS[value.ending], winners=[winner + 1 for winner in value.winners]
    )


def event(happened: EngineEvent, game: Game) -> pb.Event:
    """An event of a game that led to the game as it is now."""
    told = pb.Event()
    match happened:  # fields are set in place: that takes half the time of messages as arguments
        case Placed(seat, placement):
            placed = told.tile_placed
            placed.seat, placed.placement = seat + 1, str(placement)
            placed.ply, placed.turn = game.ply, turn(game)
        case Drawn(seat, pile, tile):
            drawn = told.drawn
            drawn.seat, drawn.pile = seat + 1, pile + 1
            if tile:
                drawn.tile = tile.name
        case Passed(seat):
            passed = told.passed
            passed.seat, passed.ply, passed.turn = seat + 1, game.ply, turn(game)
        case Withdrew(seat, forfeit):
            withdrew = told.withdrew
            withdrew.seat, withdrew.forfeit, withdrew.turn = seat + 1, forfeit, turn(game)
        case Ended(ending, winners):
            told.game_ended.outcome.CopyFrom(outcome(Outcome(ending, winners)))
            told.game_ended.reserves.extend(game.position.reserves)
        case _:
            _cause(told, happened)
    return told


def turn(game: Game) -> int:
    """The seat to move; 0 when the game is over."""
    return 0 if game.outcome else game.turn + 1


def _cause(told: pb.Event, happened: Settled) -> None:
    match happened:
        case Founded(seat, colour, mask, pagodas):
            founded = told.founded
            founded.seat, founded.colour = seat + 1, COLOURS[colour]
            founded.spaces, founded.pagodas = spaces(mask), pagodas
        case Expanded(seat, colour, mask):
            expanded = told.expanded
            expanded.seat, expanded.colour = seat + 1, COLOURS[colour]
            expanded.spaces = spaces(mask)
        case Major(seat, colour, mask):
            major = told.major
            major.seat, major.colour, major.spaces = seat + 1, COLOURS[colour], spaces(mask)
        case Joined(seat, colour, mask, built, went_home):
            joined = told.joined
            joined.seat, joined.colour, joined.spaces = seat + 1, COLOURS[colour], spaces(mask)
            joined.built = built
            joined.went_home.extend(went_home)
        case Connected(seat, village):
            told.connected.seat, told.connected.village = seat + 1, spaces(village)
        case Conquered(seat, loser, village):
            conquered = told.conquered
            conquered.seat, conquered.loser = seat + 1, loser + 1
            conquered.village = spaces(village)
        case Lost(loser, village):
            told.village_lost.loser, told.village_lost.village = loser + 1, spaces(village)
        case _:
            assert_never(happened)


def game_view(game: Game, seat: Seat | None, number: int, first: Seat) -> pb.GameView:
    """A game as one viewer sees it."""
    view: View = view_of(game, seat)
    position = view.position
    return pb.GameView(
        game=number,
        ply=view.ply,
        turn=turn(game),
        first=first + 1,
        cells="/".join("".join(row) for row in position.tokens()),
        provinces=[
            pb.Province(
                colour=COLOURS[colour],
                spaces=spaces(province.spaces),
                seat=province.owner + 1,
                pagodas=province.pagodas,
            )
            for colour, province in position.provinces()
        ],
        villages=[
            pb.Village(spaces=spaces(village), seat=0 if holder is None else holder + 1)
            for village, holder in zip(position.board.villages, position.holders, strict=True)
        ],
        reserves=position.reserves,
        hand=[tile.name for tile in view.hand],
        hand_sizes=view.hand_sizes,
        pile_sizes=view.pile_sizes,
        unseen=view.unseen,
        out=sorted(seat + 1 for seat in view.out),
        outcome=outcome(view.outcome) if view.outcome else None,
    )


def options(game: Game, seat: Seat, *, effects: bool) -> list[pb.Option]:
    """What a seat may place now, with what each placement would cause."""
    if game.outcome or game.turn != seat:
        return []
    if not effects:
        return [pb.Option(placement=str(placement)) for placement in game.legal]
    return [option(game, placement) for placement in game.legal]


def option(game: Game, placement: LegalPlacement) -> pb.Option:
    """A placement with what it would cause."""
    after, events = game.position.place(game.turn, placement)
    effects = [event(happened, game) for happened in events[1:]]  # the first is the placement
    if after.finisher is not None:
        effects.append(last_pagoda(game, after.finisher, after.reserves))
    return pb.Option(placement=str(placement), effects=effects)


def last_pagoda(game: Game, finisher: Seat, reserves: tuple[int, ...]) -> pb.Event:
    """That a placement would end the game. Other endings hang on what nobody may see."""
    if finisher in game.out:
        fewest = min(reserves[seat] for seat in game.remaining)
        winners = [seat + 1 for seat in game.remaining if reserves[seat] == fewest]
    else:
        winners = [finisher + 1]
    ending = pb.Outcome(ending=pb.ENDING_LAST_PAGODA, winners=winners)
    return pb.Event(game_ended=pb.GameEnded(outcome=ending, reserves=reserves))


def table(
    data: TableData, game: int, connected: Iterable[Seat], awaits: Iterable[Seat], spectators: int
) -> pb.Table:
    """A table as everybody may see it."""
    here, waiting = set(connected), set(awaits)
    return pb.Table(
        table_id=data.table_id,
        state=STATES[data.state],
        settings=data.settings,
        board_name=data.board.name,
        map=data.board.map,
        seats=[
            pb.Seat(
                seat=seat + 1,
                name=chair.name,
                connected=seat in here,
                bot=chair.bot,
                stand_in=bool(chair.stand_in_token),
                rematch=bool(chair.wish),
                awaits_bot=seat in waiting,
            )
            for seat, chair in enumerate(data.chairs)
        ],
        game=game,
        totals=data.series.totals,
        needs_code=bool(data.code),
        commitment=data.commitment,
        dealt=bool(data.deals),
        created=timestamp(data.created),
        spectators=spectators,
    )
