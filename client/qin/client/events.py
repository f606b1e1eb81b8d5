"""From the messages of the contract to the values of the engine. Nothing here decides anything."""

from __future__ import annotations

from qin.client.happenings import (
    GameEnded,
    GameStarted,
    Happening,
    Said,
    SeatLeft,
    SeatTaken,
    SeriesEnded,
    StandIn,
    TableEvent,
    Unknown,
)
from qin.engine import (
    Colour,
    Connected,
    Conquered,
    Drawn,
    Ending,
    Event,
    Expanded,
    Founded,
    Joined,
    Lost,
    Major,
    Mask,
    Outcome,
    ParseError,
    Passed,
    Placed,
    Placement,
    Seat,
    Tile,
    Withdrew,
    parse_space,
)
from qin.engine.spaces import mask_of
from qin.v1 import types_pb2 as pb

COLOURS = {
    pb.COLOUR_RED: Colour.RED,
    pb.COLOUR_YELLOW: Colour.YELLOW,
    pb.COLOUR_BLUE: Colour.BLUE,
}
ENDINGS = {
    pb.ENDING_LAST_PAGODA: Ending.LAST_PAGODA,
    pb.ENDING_OUT_OF_TILES: Ending.OUT_OF_TILES,
    pb.ENDING_BOARD_FULL: Ending.BOARD_FULL,
    pb.ENDING_NO_PLACEMENT: Ending.NO_PLACEMENT,
    pb.ENDING_RESIGNED: Ending.RESIGNED,
    pb.ENDING_FORFEIT: Ending.FORFEIT,
}


def colour(number: pb.Colour.ValueType) -> Colour:
    if number not in COLOURS:
        raise ParseError(f"colour {number} is unknown here; the server may be newer")
    return COLOURS[number]


def spaces(text: str) -> Mask:
    return mask_of(parse_space(space) for space in text.split())


def outcome(message: pb.Outcome) -> Outcome:
    if message.ending not in ENDINGS:
        raise ParseError(f"ending {message.ending} is unknown here; the server may be newer")
    return Outcome(ENDINGS[message.ending], tuple(Seat(seat - 1) for seat in message.winners))


def table_event(event: pb.Event) -> TableEvent:
    """Anything that can happen at a table."""
    return _in_game(event) or _caused(event) or _beside_the_game(event)


def _in_game(event: pb.Event) -> Event | None:
    match event.WhichOneof("kind"):
        case "tile_placed":
            placed = event.tile_placed
            return Placed(Seat(placed.seat - 1), Placement.parse(placed.placement))
        case "drawn":
            drawn = event.drawn
            tile = Tile.parse(drawn.tile) if drawn.tile else None
            return Drawn(Seat(drawn.seat - 1), drawn.pile - 1, tile)
        case "passed":
            return Passed(Seat(event.passed.seat - 1))
        case "withdrew":
            return Withdrew(Seat(event.withdrew.seat - 1), event.withdrew.forfeit)
        case _:
            return None


def _beside_the_game(event: pb.Event) -> Happening:
    match event.WhichOneof("kind"):
        case "seat_taken":
            taken = event.seat_taken
            return SeatTaken(Seat(taken.seat - 1), taken.name, taken.bot)
        case "seat_left":
            return SeatLeft(Seat(event.seat_left.seat - 1))
        case "game_started":
            return GameStarted(event.game_started.game, Seat(event.game_started.first - 1))
        case "game_ended":
            ended = event.game_ended
            return GameEnded(
                ended.game, outcome(ended.outcome), tuple(ended.reserves), ended.record_id
            )
        case "series_ended":
            series = event.series_ended
            winners = tuple(Seat(seat - 1) for seat in series.winners)
            return SeriesEnded(tuple(series.totals), winners)
        case "said":
            said = event.said
            return Said(Seat(said.seat - 1) if said.seat else None, said.name, said.text)
        case "stand_in":
            return StandIn(Seat(event.stand_in.seat - 1), event.stand_in.bot)
        case kind:
            return Unknown(kind or "")


def _caused(event: pb.Event) -> Event | None:
    """What a tile caused on the board."""
    match event.WhichOneof("kind"):
        case "founded":
            new = event.founded
            seat = Seat(new.seat - 1)
            return Founded(seat, colour(new.colour), spaces(new.spaces), new.pagodas)
        case "expanded":
            grown = event.expanded
            return Expanded(Seat(grown.seat - 1), colour(grown.colour), spaces(grown.spaces))
        case "major":
            major = event.major
            return Major(Seat(major.seat - 1), colour(major.colour), spaces(major.spaces))
        case "joined":
            joined = event.joined
            return Joined(
                Seat(joined.seat - 1),
                colour(joined.colour),
                spaces(joined.spaces),
                joined.built,
                tuple(joined.went_home),
            )
        case "connected":
            return Connected(Seat(event.connected.seat - 1), spaces(event.connected.village))
        case "conquered":
            taken = event.conquered
            return Conquered(Seat(taken.seat - 1), Seat(taken.loser - 1), spaces(taken.village))
        case "village_lost":
            lost = event.village_lost
            return Lost(Seat(lost.loser - 1), spaces(lost.village))
        case _:
            return None
