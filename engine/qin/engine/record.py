"""The game record: text made to be read by people and programs. What is written here is read here.

The tags come first, then one line a round, from the first seat on. A token is a placement with the
pile drawn from (`Rc4Yd4:1`), `pass`, `resign` or `forfeit`; the last two out of turn with the seat
(`2=resign`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Self

from qin.engine.board import Board
from qin.engine.deal import Deal
from qin.engine.errors import ParseError, QinError, RecordError
from qin.engine.events import Drawn, Event
from qin.engine.game import Game, Outcome
from qin.engine.placement import Placement
from qin.engine.tiles import (
    Seat,
    format_tiles,
)

VERSION = "1"
REQUIRED_TAGS = (
    "Qin",
    "Board",
    "Map",
    "Seats",
    "First",
    "Hands",
    "Piles",
    "Winners",
    "Reserves",
    "Ending",
)
_MOVE = re.compile(r"(?P<placement>[A-Za-z0-9]+?)(?::(?P<pile>[0-9]))?")
_WITHDRAWAL = re.compile(r"(?:(?P<seat>[1-4])=)?(?P<word>resign|forfeit)")


class Move(str):
    """One token of a record, with the line it stands on."""

    __slots__ = ("line",)

    line: int

    def __new__(cls, text: str, line: int = 0) -> Self:
        move = super().__new__(cls, text)
        move.line = line
        return move


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game: how it was dealt, what was done, how it ended."""

    board: Board
    seats: tuple[str, ...]
    first: Seat
    deal: Deal
    rounds: tuple[tuple[Move, ...], ...]
    outcome: Outcome
    reserves: tuple[int, ...]
    tags: Mapping[str, str] = field(default_factory=dict)
    """Further tags, such as Date or Event."""

    def __str__(self) -> str:
        return format_record(self)

    def replay(self) -> Iterator[tuple[Game, list[Event]]]:
        """The game after each token, with its events; the start comes first, without any.

        Raises `RecordError` where the record breaks the rules or does not end as it says.
        """
        game = Game.start(self.board, self.deal, self.first)
        yield game, []
        last_place = game.players
        for number, moves in enumerate(self.rounds, start=1):
            started = False
            for move in moves:
                if game.outcome:
                    raise RecordError(move.line, f"{move!s} stands after the end of the game")
                in_turn = "=" not in move
                if in_turn:
                    place = (game.turn - self.first) % game.players
                    if (place <= last_place) == started:
                        raise RecordError(
                            move.line,
                            f"{move!s} by seat {game.turn + 1} does not belong to round {number}",
                        )
                    last_place, started = place, True
                try:
                    game, events = play_move(game, move)
                except RecordError:
                    raise
                except QinError as error:
                    raise RecordError(move.line, f"{move!s}: {error}") from None
                yield game, events
        self._check_end(game)

    def check(self) -> Game:
        """The game at its end, once the whole record has been replayed and found right."""
        for game, _ in self.replay():
            last = game
        return last

    def _check_end(self, game: Game) -> None:
        if game.outcome is None:
            raise RecordError(
                self._last_line(),
                f"the record ends here, but the game goes on: it is seat {game.turn + 1}'s turn",
            )
        stated = (
            ("Ending", self.outcome.ending.value, game.outcome.ending.value),
            ("Winners", format_seats(self.outcome.winners), format_seats(game.outcome.winners)),
            ("Reserves", _slashed(self.reserves), _slashed(game.position.reserves)),
        )
        for tag, said, found in stated:
            if said != found:
                raise RecordError(
                    self._last_line(), f"{tag} says {said!r}, but the game ends with {found!r}"
                )

    def _last_line(self) -> int:
        return self.rounds[-1][-1].line if self.rounds else 0


def play_move(game: Game, move: Move) -> tuple[Game, list[Event]]:
    """Play one token of a record; raises `QinError` if it cannot be played."""
    if move == "pass":
        return game.pass_turn()
    if withdrawal := _WITHDRAWAL.fullmatch(move):
        seat = Seat(int(withdrawal["seat"]) - 1) if withdrawal["seat"] else game.turn
        return game.withdraw(seat, forfeit=withdrawal["word"] == "forfeit")
    match = _MOVE.fullmatch(move)
    if not match:
        raise ParseError("not a placement, pass, resign or forfeit")
    placement = Placement.parse(match["placement"])
    pile = int(match["pile"]) - 1 if match["pile"] else None
    after, events = game.place(game.check(game.turn, placement, pile), pile)
    drew = any(isinstance(event, Drawn) for event in events)
    if drew and pile is None:
        raise RecordError(move.line, f"{move!s}: a tile was to be drawn, but no pile is named")
    if pile is not None and not drew:
        raise RecordError(move.line, f"{move!s}: nothing is drawn after the last pagoda")
    return after, events


def format_seats(seats: Iterable[Seat]) -> str:
    return _slashed(seat + 1 for seat in seats)


def _slashed(parts: Iterable[object]) -> str:
    return "/".join(map(str, parts))


def format_record(record: Record) -> str:
    """Write a record, ending with a line break."""
    tags = {
        "Qin": VERSION,
        "Board": record.board.name,
        "Map": record.board.map,
        "Seats": _slashed(record.seats),
        "First": str(record.first + 1),
        "Hands": _slashed(map(format_tiles, record.deal.hands)),
        "Piles": _slashed(map(format_tiles, record.deal.piles)),
        "Winners": format_seats(record.outcome.winners),
        "Reserves": _slashed(record.reserves),
        "Ending": record.outcome.ending.value,
        **record.tags,
    }
    lines = [f'[{name} "{value}"]' for name, value in tags.items()]
    lines.append("")
    lines += [f"{number} {' '.join(moves)}" for number, moves in enumerate(record.rounds, start=1)]
    return "\n".join(lines) + "\n"
