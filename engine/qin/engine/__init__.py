"""The rules of Qin. Pure: no clock, no network, no protobuf, nothing that waits.

Board     what is printed
Position  what lies on the table
Game      a position with hands, piles, turns and an end
View      what one seat may see of a game
Record    a finished game as text
"""

from qin.engine.board import Board, board_names
from qin.engine.deal import Deal
from qin.engine.drawing import draw, format_position, parse_position
from qin.engine.errors import BoardError, ParseError, QinError, RecordError
from qin.engine.events import (
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
    Passed,
    Placed,
    Withdrew,
)
from qin.engine.game import Game, Outcome
from qin.engine.legal import Placements
from qin.engine.names import distinct_names, name_problem
from qin.engine.placement import LegalPlacement, Placement
from qin.engine.position import Position
from qin.engine.realm import Province, Realm
from qin.engine.record import Record
from qin.engine.record_reader import parse_record
from qin.engine.recorder import Recorder
from qin.engine.refusal import Reason, Refused
from qin.engine.series import FirstSeat, Series, first_seat
from qin.engine.spaces import Mask, Space, format_space, parse_space, spaces_of
from qin.engine.tiles import PAGODAS, SEATS, Colour, Seat, Tile
from qin.engine.view import View, redact, view_of

RULES_VERSION = "1"
"""Changes when the same moves could lead to another game."""

__all__ = [
    "PAGODAS",
    "RULES_VERSION",
    "SEATS",
    "Board",
    "BoardError",
    "Colour",
    "Connected",
    "Conquered",
    "Deal",
    "Drawn",
    "Ended",
    "Ending",
    "Event",
    "Expanded",
    "FirstSeat",
    "Founded",
    "Game",
    "Joined",
    "LegalPlacement",
    "Lost",
    "Major",
    "Mask",
    "Outcome",
    "ParseError",
    "Passed",
    "Placed",
    "Placement",
    "Placements",
    "Position",
    "Province",
    "QinError",
    "Realm",
    "Reason",
    "Record",
    "RecordError",
    "Recorder",
    "Refused",
    "Seat",
    "Series",
    "Space",
    "Tile",
    "View",
    "Withdrew",
    "board_names",
    "distinct_names",
    "draw",
    "first_seat",
    "format_position",
    "format_space",
    "name_problem",
    "parse_position",
    "parse_record",
    "parse_space",
    "redact",
    "spaces_of",
    "view_of",
]
