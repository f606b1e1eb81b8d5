"""From the messages of the contract to the values of the engine. Nothing here decides anything."""

from __future__ import annotations

from qin.engine import (
    Colour,
    Connected,
    Conquered,
    Drawn,
    Ended,
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


def game_event(event: pb.Event) -> Event | None:
    """What the engine calls an event; None for what only a server knows of, such as chat."""
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
        case "game_ended":
            return Ended(*outcome(event.game_ended.outcome))
        case _:
            return _caused(event)


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
