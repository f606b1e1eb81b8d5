"""What a server knows of a table, as values: a command makes new ones, nothing changes in place.

Only the game that is on is kept elsewhere (as moves, to be played again); everything else goes
into the store as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from google.protobuf import json_format
from qin.engine import Board, Deal, Game, Seat, Series
from qin.engine.shuffle import commitment_to
from qin.engine.tiles import format_tiles, parse_tiles
from qin.server.callers import same
from qin.v1 import types_pb2 as pb


class State(Enum):
    OPEN = "open"
    PLAYING = "playing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat of a table, and who sits there."""

    name: str = ""
    token: bytes = b""
    """Hash of the player's token; empty while the seat is free."""
    nonce: bytes = b""
    """For the shuffles of the series that is on, or of the first one."""
    age: int = 0
    bot: bool = False
    wish: bytes = b""
    """The nonce that came with the wish for a rematch."""
    stand_in: str = ""
    """The name of the house bot that plays for an absent player."""
    stand_in_token: bytes = b""
    offered: str = ""
    """The name under which the bot that plays here had offered itself."""

    @property
    def free(self) -> bool:
        return not self.token

    @property
    def player(self) -> bytes:
        """Hash of the token of whoever plays here."""
        return self.stand_in_token or self.token

    @property
    def played_by_bot(self) -> bool:
        return self.bot or bool(self.stand_in_token)


@dataclass(frozen=True, slots=True)
class GivenDeal:
    deal: Deal
    first: Seat


@dataclass(frozen=True, slots=True)
class TableData:
    """A table without its game."""

    table_id: str
    created: float
    owner: bytes
    owner_name: str
    settings: pb.TableSettings
    board: Board
    address: str
    """From where it was created, if that was another machine."""
    code: bytes
    """Hash of the invite code; empty where none is needed."""
    salt: bytes
    chairs: tuple[Chair, ...]
    series: Series
    state: State = State.OPEN
    deals: tuple[GivenDeal, ...] = ()
    """Given deals, one for each game; none where tiles are shuffled."""
    recorded: int = 0
    """Games that were recorded, over all series."""

    @property
    def players(self) -> int:
        return len(self.chairs)

    @property
    def games(self) -> int:
        """How many games a series has."""
        return self.settings.games or 1

    @property
    def commitment(self) -> str:
        return "" if self.deals else commitment_to(self.salt)

    @property
    def public(self) -> bool:
        """Whether anybody may watch."""
        return not self.code and not self.settings.no_spectators

    @property
    def timed(self) -> bool:
        """Whether something happens at a certain time while a series is on."""
        clock = self.settings.clock
        return bool(clock.move_seconds or clock.total_seconds or self.settings.absence_seconds) or (
            self.state is State.PLAYING and self.settings.pause_seconds > 0
        )

    def game_number(self, game: Game | None) -> int:
        """The number in its series of the game that is on or was last; 0 before the first."""
        return 0 if game is None else len(self.series.games) + (game.outcome is None)

    def game_index(self, game: Game | None) -> int:
        """The same, counted over all series at this table."""
        return 0 if game is None else self.recorded + (game.outcome is None)

    def chair_of(self, token: bytes) -> Seat | None:
        """The seat that a token has, as its player or as a stand-in."""
        if token:
            for seat, chair in enumerate(self.chairs):
                if same(token, chair.token) or same(token, chair.stand_in_token):
                    return Seat(seat)
        return None

    def stands_in(self, seat: Seat, token: bytes) -> bool:
        """Whether a token only plays for the player whose seat it is."""
        return bool(token) and same(token, self.chairs[seat].stand_in_token)

    def tokens(self) -> set[bytes]:
        """Of all who may play."""
        both = {token for chair in self.chairs for token in (chair.token, chair.stand_in_token)}
        return both - {b""}

    def free_seats(self) -> Iterator[Seat]:
        return (Seat(seat) for seat, chair in enumerate(self.chairs) if chair.free)

    def with_chair(self, seat: Seat, chair: Chair) -> TableData:
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))

    # ---- text ----------------------------------------------------------------------------------

    def to_json(self) -> str:
        return json.dumps(
            {
                "owner": self.owner.hex(),
                "owner_name": self.owner_name,
                "settings": json_format.MessageToDict(self.settings),
                "board": [self.board.name, self.board.map],
                "address": self.address,
                "code": self.code.hex(),
                "salt": self.salt.hex(),
                "chairs": [
                    {
                        "name": chair.name,
                        "token": chair.token.hex(),
                        "nonce": chair.nonce.hex(),
                        "age": chair.age,
                        "bot": chair.bot,
                        "wish": chair.wish.hex(),
                        "stand_in": chair.stand_in,
                        "stand_in_token": chair.stand_in_token.hex(),
                        "offered": chair.offered,
                    }
                    for chair in self.chairs
                ],
                "first": self.series.first,
                "games": self.series.games,
                "withdrawals": self.series.withdrawals,
                "deals": [
                    [
                        [format_tiles(hand) for hand in given.deal.hands],
                        [format_tiles(pile) for pile in given.deal.piles],
                        given.first,
                    ]
                    for given in self.deals
                ],
                "recorded": self.recorded,
            }
        )

    @classmethod
    def from_json(cls, table_id: str, created: float, state: str, text: str) -> TableData:
        body = json.loads(text)
        settings = json_format.ParseDict(body["settings"], pb.TableSettings())
        name, board_map = body["board"]
        return cls(
            table_id=table_id,
            created=created,
            owner=bytes.fromhex(body["owner"]),
            owner_name=body["owner_name"],
            settings=settings,
            board=Board.parse(board_map, name=name),
            address=body.get("address", ""),
            code=bytes.fromhex(body["code"]),
            salt=bytes.fromhex(body["salt"]),
            chairs=tuple(
                Chair(
                    name=chair["name"],
                    token=bytes.fromhex(chair["token"]),
                    nonce=bytes.fromhex(chair["nonce"]),
                    age=chair["age"],
                    bot=chair["bot"],
                    wish=bytes.fromhex(chair["wish"]),
                    stand_in=chair["stand_in"],
                    stand_in_token=bytes.fromhex(chair["stand_in_token"]),
                    offered=chair.get("offered", ""),
                )
                for chair in body["chairs"]
            ),
            series=Series(
                settings.seats,
                Seat(body["first"]),
                tuple(tuple(game) for game in body["games"]),
                tuple(body.get("withdrawals", ())),
            ),
            state=State(state),
            deals=tuple(
                GivenDeal(
                    Deal(tuple(map(parse_tiles, hands)), tuple(map(parse_tiles, piles))),
                    Seat(first),
                )
                for hands, piles, first in body["deals"]
            ),
            recorded=body["recorded"],
        )
